/** Runs a set-up in a worker's work tree, with a time limit; the output of a failed one is saved. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { keyLines } from '../../core/gates/key-lines.ts'
import { couldRun, formatEnding } from '../../core/gates/verdicts.ts'
import type { Ending } from '../../core/event-schemas/evidence.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { EvidenceStore } from '../../lib/files/evidence-store.ts'
import { commandEnvironment } from '../../lib/process/command-environment.ts'
import { textOf } from '../../lib/process/output-keeper.ts'
import { runCapped } from '../../lib/process/run-capped.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'

export interface SetupCall {
  readonly setup: Command
  readonly root: string
  /** Where its temporary files go; gone afterwards. */
  readonly scratch: string
  readonly mark: string
  readonly ports: readonly number[]
  readonly processEnv: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly evidence: { readonly store: EvidenceStore; readonly folder: string }
}

export type SetupRun =
  | { readonly kind: 'worked' }
  | { readonly kind: 'aborted' }
  /** `isMissing`: its program cannot be started here, and will not be the next time. */
  | { readonly kind: 'failed'; readonly why: string; readonly isMissing: boolean }

const KEPT_OUTPUT_BYTES = 1024 * 1024
const QUOTED_LINES = 3

export async function runSetup(call: SetupCall): Promise<SetupRun> {
  const temporary = join(call.scratch, 'tmp')
  const file = call.evidence.store.open()
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  try {
    const { outcome, output } = await runCapped({
      command: call.setup,
      cwd: call.root,
      env: commandEnvironment(call.processEnv, { ports: call.ports, temporary }),
      timeoutMs: call.timeoutMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      outputFile: file,
      signal: call.signal,
      mark: call.mark,
    })
    if (outcome.kind === 'exited' && outcome.code === 0) return { kind: 'worked' }
    if (outcome.kind === 'aborted') return { kind: 'aborted' }
    const kept = await call.evidence.store.keep(file, output)
    const lastLines = keyLines(terminalText(textOf(output))).slice(-QUOTED_LINES)
    const name = terminalLine(commandText(call.setup)).slice(0, 200)
    const why = [
      `the set-up \`${name}\` ${formatEnding(outcome)}`,
      ...(lastLines.length === 0 ? [] : [`: ${lastLines.map((line) => line.trim()).join(' | ')}`]),
      ...(kept === null ? [] : [` (full output: ${join(call.evidence.folder, kept)})`]),
    ]
    return { kind: 'failed', why: why.join(''), isMissing: !couldRun(outcome) && !isLate(outcome) }
  } finally {
    call.evidence.store.drop(file)
    await rm(temporary, { recursive: true, force: true })
  }
}

/** A run that was cut off may succeed next time. */
const isLate = (ending: Ending): boolean => ending.kind === 'timed_out' || ending.kind === 'signalled'
