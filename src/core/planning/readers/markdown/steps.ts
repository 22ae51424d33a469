/** Collects steps with their commands, removed commands and remaining work. */
import type { DraftRun, DraftStep } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import { clip } from './inline.ts'
import { removedStep, titleKind, type Removal, type RemovalKind } from '../commands/removal.ts'
import { expectationAfter, expectationOf, type FoundRuns } from '../commands/runs.ts'

const MAX_TITLE_CHARS = 1000
const MAX_TEXT_CHARS = 2000

export interface OpenStep {
  readonly line: number
  readonly title: string
  readonly runs: DraftRun[]
  readonly removals: Removal[]
  /** Runs before this index already have their `Expected:`. */
  answered: number
  /** Code or prose besides the commands, which remains when the commands are removed. */
  work: number
}

export function openStep(line: number, title: string): OpenStep {
  return { line, title: clip(title, MAX_TITLE_CHARS), runs: [], removals: [], answered: 0, work: 0 }
}

/** Adds commands with the expected result of their line. */
export function addRuns(step: OpenStep, found: FoundRuns): void {
  const { expects, expected } = expectationAfter(found.rest)
  for (const run of found.runs) step.runs.push({ ...run, expects, expected })
  for (const removal of found.removed) step.removals.push(removal)
  if (expects !== null) step.answered = step.runs.length
}

/** Applies an `Expected:` text to the runs since the last one. */
export function addExpected(step: OpenStep, text: string): void {
  const expects = expectationOf(text)
  const expected = clip(text.trim(), MAX_TEXT_CHARS)
  for (let at = step.answered; at < step.runs.length; at++) {
    const run = step.runs[at]
    if (run !== undefined) step.runs[at] = { ...run, expects, expected }
  }
  step.answered = step.runs.length
}

export interface ClosedStep {
  /** Null where nothing of it remains. */
  readonly step: DraftStep | null
  readonly removed: readonly RemovedStep[]
}

/** Removes a step whose title commits, or that has only forbidden commands. */
export function closeStep({ line, title, runs, removals, work }: OpenStep, task: string): ClosedStep {
  const byTitle = titleKind(title.replace(/[.:]$/, '').trim())
  const emptied = removals.length > 0 && runs.length === 0 && work === 0
  if (byTitle !== null || emptied) {
    const kind = strongest(removals) ?? byTitle ?? 'commit'
    const commands = removals.map(({ text }) => text).filter((text) => !isWrittenIn(text, title))
    return {
      step: null,
      removed: [removedStep(task, { line, text: [title, ...commands].join('\n'), kind })],
    }
  }
  const step = { line, title, runs: runs.map((run) => withTitle(run, title)) }
  return { step, removed: removals.map((one) => removedStep(task, one)) }
}

/** Whether the title contains every command already. */
function isWrittenIn(commands: string, title: string): boolean {
  return commands.split('\n').every((command) => title.includes(command))
}

/** `Run the tests to verify they fail` counts where there is no `Expected:`. */
function withTitle(run: DraftRun, title: string): DraftRun {
  const stated = /\b(?:it|they|them|tests?)\s(?:now\s|all\s|still\s)?(fail|pass)(?:es|s)?\b/i
    .exec(title)?.[1]
    ?.toLowerCase()
  if (run.expected !== null || (stated !== 'fail' && stated !== 'pass')) return run
  return { ...run, expects: stated }
}

/** Of several reasons, pushing comes before committing, and committing before leaving the repository. */
function strongest(removals: readonly Removal[]): RemovalKind | null {
  const order: readonly RemovalKind[] = ['publish', 'commit', 'remote', 'history', 'outside']
  return order.find((kind) => removals.some((removal) => removal.kind === kind)) ?? null
}
