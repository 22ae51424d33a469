/** A verdict with its evidence. */
import { join } from 'node:path'
import type { Ending } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { gateTitle } from '../../lib/text/gate-title.ts'
import { formatDuration } from '../../lib/text/format-time.ts'

/** `folder` holds the complete outputs; undefined if none are kept. */
export function gateRow({ gate, outcome, summary, evidence }: Verdict, folder: string | undefined) {
  return {
    gate,
    title: gateTitle(gate),
    outcome,
    summary,
    findings: evidence.findings.map(({ weight, text, file, line }) => ({
      blocks: weight === 'blocks',
      text,
      file,
      line,
    })),
    runs: evidence.runs.map((run) => ({
      command: run.command,
      on: run.on,
      must_fail: run.mustFail === true,
      ended: endedText(run.ending),
      counts: run.counts,
      key_lines: run.keyLines,
      output_sha256: run.outputSha256,
      output: folder === undefined || run.storedAt === null ? null : join(folder, run.storedAt),
    })),
  }
}

function endedText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`
    case 'signalled':
      return `ended by ${ending.signal}`
    case 'timed_out':
      return `timed out after ${formatDuration(ending.afterMs)}`
    case 'not_started':
      return `not started: ${ending.reason}`
    case 'aborted':
      return 'interrupted'
  }
}
