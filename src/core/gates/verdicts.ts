/** Making verdicts: bounded, and never greener than what they are made of. */
import { formatDuration } from '../../lib/text/format-time.ts'
import {
  NO_EVIDENCE,
  type Ending,
  type Evidence,
  type Finding,
  type RunEvidence,
} from '../event-schemas/evidence.ts'
import type { GateName, Verdict } from '../event-schemas/schemas.ts'

export type Outcome = Verdict['outcome']

const MAX_FINDINGS = 50
/** More than anybody writes; a contract with more is refused by the gate that maps them. */
export const MAX_CRITERIA = 500
const MAX_RUNS = 20
const LONGEST_TEXT = 400

export function verdict(
  gate: GateName,
  outcome: Outcome,
  summary: string,
  evidence: Partial<Evidence> = {},
): Verdict {
  const { runs, findings, criteria, reviewNote } = { ...NO_EVIDENCE, ...evidence }
  return {
    gate,
    outcome,
    summary: cut(summary),
    evidence: {
      runs: runs.slice(0, MAX_RUNS),
      findings: bounded(findings),
      criteria: criteria.slice(0, MAX_CRITERIA),
      reviewNote,
    },
  }
}

/** What blocks comes first, and what was left out is said. */
function bounded(findings: readonly Finding[]): Finding[] {
  const [blocks, notes] = [
    findings.filter(({ weight }) => weight === 'blocks'),
    findings.filter(({ weight }) => weight === 'note'),
  ]
  const all = [...blocks, ...notes].map((finding) => ({ ...finding, text: cut(finding.text) }))
  if (all.length <= MAX_FINDINGS) return all
  const more = all.length - MAX_FINDINGS + 1
  return [...all.slice(0, MAX_FINDINGS - 1), note(`and ${more} more`)]
}

/** On one line, without anything that steers a terminal, and no longer than a person reads. */
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

export function note(text: string, file: string | null = null, line: number | null = null): Finding {
  return { weight: 'note', text, file, line }
}

const WORST: readonly Outcome[] = ['failed', 'inconclusive', 'passed']

/** One failure fails, one doubt is a doubt; only where something passed and nothing else happened is it passed. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return WORST.find((outcome) => outcomes.includes(outcome)) ?? 'not_applicable'
}

/** How a command ended, in words. */
export function endingWords(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exited with ${ending.code}`
    case 'signalled':
      return `was ended by ${ending.signal}`
    case 'timed_out':
      return `was still running after ${formatDuration(ending.afterMs)}`
    case 'not_started':
      return `could not be started: ${ending.reason}`
    case 'aborted':
      return 'was cut short'
  }
}

/** `sh` answers 126 and 127 for what it could not start: nothing was checked, so nothing failed. */
export function couldRun(ending: Ending): boolean {
  return ending.kind === 'exited' && ending.code !== 126 && ending.code !== 127
}

/** A command whose exit code is all there is to know: a linter, a compiler. */
export function judgeRun(run: RunEvidence): { readonly outcome: Outcome; readonly words: string } {
  const words = `${run.command} ${endingWords(run.ending)}`
  if (run.ending.kind !== 'exited' || !couldRun(run.ending)) return { outcome: 'inconclusive', words }
  return { outcome: run.ending.code === 0 ? 'passed' : 'failed', words }
}
