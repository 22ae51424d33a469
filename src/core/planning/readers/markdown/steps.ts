/** Steps while they are read: their commands, what was taken out of them, and whether anything is left. */
import type { DraftRun, DraftStep } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import { clip } from './inline.ts'
import { REASONS, titleKind, type Removal, type RemovalKind } from '../commands/removal.ts'
import { expectationAfter, expectationOf, type FoundRuns } from '../commands/runs.ts'

const MAX_TITLE_CHARS = 1000
const MAX_TEXT_CHARS = 2000

export interface OpenStep {
  readonly line: number
  readonly title: string
  readonly ticked: boolean | null
  readonly runs: DraftRun[]
  readonly removals: Removal[]
  /** Runs before this index have had their `Expected:`. */
  answered: number
  /** Code or prose beside the commands: work that stays when the commands go. */
  work: number
}

export function openStep(line: number, title: string, ticked: boolean | null): OpenStep {
  return { line, title: clip(title, MAX_TITLE_CHARS), ticked, runs: [], removals: [], answered: 0, work: 0 }
}

/** Adds found commands, and what their own line says of the outcome. */
export function addRuns(step: OpenStep, found: FoundRuns): void {
  const { expects, expected } = expectationAfter(found.rest)
  for (const run of found.runs) step.runs.push({ ...run, expects, expected })
  for (const removal of found.removed) step.removals.push(removal)
  if (expects !== null) step.answered = step.runs.length
}

/** Gives an `Expected:` text to the runs since the last one. */
export function addExpected(step: OpenStep, text: string): void {
  const expects = expectationOf(text)
  const expected = clip(text.trim(), MAX_TEXT_CHARS)
  for (let at = step.answered; at < step.runs.length; at++) {
    const run = step.runs[at]
    if (run !== undefined) step.runs[at] = { ...run, expects, expected }
  }
  step.answered = step.runs.length
}

export type ClosedStep =
  | { readonly kept: true; readonly step: DraftStep; readonly removed: readonly RemovedStep[] }
  | { readonly kept: false; readonly removed: readonly RemovedStep[] }

/** A step whose title commits, or of which only forbidden commands remain, goes as a whole. */
export function closeStep(step: OpenStep, task: string): ClosedStep {
  const title = step.title
  const byTitle = titleKind(bareTitle(title))
  const emptied = step.removals.length > 0 && step.runs.length === 0 && step.work === 0
  if (byTitle !== null || emptied) {
    const kind = strongest(step.removals) ?? byTitle ?? 'commit'
    const commands = step.removals.map(({ text }) => text).filter((text) => !isWrittenIn(text, title))
    const text = clip([title, ...commands].join('\n'), MAX_TEXT_CHARS)
    return { kept: false, removed: [{ task, line: step.line, text, reason: REASONS[kind] }] }
  }
  const removed = step.removals.map((one) => removedCommand(task, one))
  return {
    kept: true,
    step: {
      line: step.line,
      title,
      runs: step.runs.map((run) => withTitle(run, title)),
      done: step.ticked === true,
    },
    removed,
  }
}

/** Whether every command stands in the title already. */
function isWrittenIn(commands: string, title: string): boolean {
  return commands.split('\n').every((command) => title.includes(command))
}

export function removedCommand(task: string, { line, text, kind }: Removal): RemovedStep {
  return { task, line, text: clip(text, MAX_TEXT_CHARS), reason: REASONS[kind] }
}

/** `Run the tests to verify they fail` says what is expected where no `Expected:` does. */
function withTitle(run: DraftRun, title: string): DraftRun {
  const said = /\b(?:it|they|them|tests?)\s(?:now\s|all\s|still\s)?(fail|pass)(?:es|s)?\b/i
    .exec(title)?.[1]
    ?.toLowerCase()
  if (run.expected !== null || (said !== 'fail' && said !== 'pass')) return run
  return { ...run, expects: said }
}

function bareTitle(title: string): string {
  return title.replace(/[.:]$/, '').trim()
}

/** Pushing says more about a step than committing, and committing more than where it happens. */
function strongest(removals: readonly Removal[]): RemovalKind | null {
  const order: readonly RemovalKind[] = ['publish', 'commit', 'remote', 'history', 'outside']
  return order.find((kind) => removals.some((removal) => removal.kind === kind)) ?? null
}
