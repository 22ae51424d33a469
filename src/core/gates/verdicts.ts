/** Builds verdicts: bounded, and never better than the runs and findings they contain. */
import { formatDuration } from '../../lib/text/format-time.ts'
import {
  NO_EVIDENCE,
  type Ending,
  type Evidence,
  type Finding,
  type RunEvidence,
} from '../event-schemas/evidence.ts'
import type { GateName, Verdict } from '../event-schemas/schemas.ts'
import { failuresIn } from './command-output.ts'

export type Outcome = Verdict['outcome']

/** `, and 2 more` after the first of several. */
export const andMore = ({ length }: { readonly length: number }, shown = 1): string =>
  length > shown ? `, and ${length - shown} more` : ''

const MAX_FINDINGS = 50
/** The plan alignment gate rejects a contract with more. */
export const MAX_CRITERIA = 500
const MAX_RUNS = 20
const LONGEST_TEXT = 400
const MAX_FAILURES = 200

export function verdict(
  gate: GateName,
  outcome: Outcome,
  summary: string,
  evidence: Partial<Evidence> = {},
): Verdict {
  const {
    runs,
    findings,
    criteria,
    reviewNote,
    failures,
    failedBefore = [],
  } = { ...NO_EVIDENCE, ...evidence }
  const isGood = outcome === 'passed' || outcome === 'not_applicable'
  const named = isGood ? undefined : boundedFailures(failures ?? failuresIn(summary, findings))
  return {
    gate,
    outcome,
    summary: cut(summary),
    evidence: {
      runs: runs.slice(0, MAX_RUNS),
      findings: bounded(findings),
      criteria: criteria.slice(0, MAX_CRITERIA),
      reviewNote,
      ...(named === undefined ? {} : { failures: named }),
      ...(failedBefore.length === 0 ? {} : { failedBefore: failedBefore.slice(0, MAX_FAILURES).map(cut) }),
    },
  }
}

/** Undefined where there are too many to compare. */
function boundedFailures(failures: readonly string[]): string[] | undefined {
  return failures.length > MAX_FAILURES ? undefined : failures.map(cut)
}

const HEAVIEST: readonly Finding['weight'][] = ['blocks', 'review', 'note']

/** The heaviest findings first; the last one counts those left out. */
function bounded(findings: readonly Finding[]): Finding[] {
  const all = HEAVIEST.flatMap((weight) => findings.filter((finding) => finding.weight === weight)).map(
    (finding) => ({ ...finding, text: cut(finding.text) }),
  )
  if (all.length <= MAX_FINDINGS) return all
  const more = all.length - MAX_FINDINGS + 1
  return [...all.slice(0, MAX_FINDINGS - 1), note(`and ${more} more`)]
}

/** One line, bounded, without control characters. */
export function cut(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line
}

export function blocking(text: string, file: string | null = null, line: number | null = null): Finding {
  return { weight: 'blocks', text, file, line }
}

/** Work that passes with it is read by a reviewer, or by a person where no agent reviews. */
export function forReview(text: string, file: string | null = null, line: number | null = null): Finding {
  return { weight: 'review', text, file, line }
}

/** What a reviewer or a person has to read before the work may land. */
export const findingsForReview = (verdicts: readonly Verdict[]): readonly Finding[] =>
  verdicts.flatMap(({ evidence }) => evidence.findings.filter(({ weight }) => weight === 'review'))

export function note(text: string, file: string | null = null, line: number | null = null): Finding {
  return { weight: 'note', text, file, line }
}

const WORST: readonly Outcome[] = ['failed', 'inconclusive', 'passed']

/** Passes only if something passed and nothing failed or was inconclusive. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return WORST.find((outcome) => outcomes.includes(outcome)) ?? 'not_applicable'
}

/** How a command ended, for messages. */
export function formatEnding(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exited with ${ending.code}`
    case 'signalled':
      return `was killed by ${ending.signal}`
    case 'timed_out':
      return `timed out after ${formatDuration(ending.afterMs)}`
    case 'not_started':
      return `failed to start: ${ending.reason}`
    case 'aborted':
      return 'was aborted'
  }
}

/** `sh` exits with 126 or 127 if it could not start the command, which is not a failed check. */
export function couldRun(ending: Ending): boolean {
  return ending.kind === 'exited' && ending.code !== 126 && ending.code !== 127
}

/** Judges a command, such as a linter or compiler, by its exit code. */
export function judgeRun(run: RunEvidence): { readonly outcome: Outcome; readonly summary: string } {
  const summary = `${run.command} ${formatEnding(run.ending)}`
  if (run.ending.kind !== 'exited' || !couldRun(run.ending)) return { outcome: 'inconclusive', summary }
  return { outcome: run.ending.code === 0 ? 'passed' : 'failed', summary }
}
