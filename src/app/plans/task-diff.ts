/** What a task changes, with the findings of gates and reviewers on its lines. */
import { placeOf } from '../../core/review/locations.ts'
import type { TaskState } from '../../core/state/state.ts'
import { visibleLine } from '../../lib/text/quoted.ts'
import type { WorkDiff } from '../../ports/checkouts.ts'
import type { DiffAnswer } from '../../protocol/task-answer.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { findTask, type TaskName } from './show-task.ts'

/** Thirty thousand lines fit, and as much can be shown at once. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_NOTES = 500
const LONGEST_NOTE = 2000

export async function taskDiff(host: HostToRead, name: TaskName): Promise<DiffAnswer> {
  const { plan, task } = await findTask(host, name)
  // Read before git is asked, since the state moves on meanwhile.
  const { verdicts, review, attempt, cause } = task
  const isNewer = isBeingWritten(task)
  const change = await changeOf(host, plan, task)
  const shownAttempt = isNewer && change.of !== 'so_far' ? attempt - 1 : attempt
  const ofGates = change.of === 'so_far' || !(isNewer || cause === null || FOUND_BY_PROOF.has(cause.kind))
  const notes = notesOn({ verdicts, review }, { ofGates, ofReview: (review?.attempt ?? 0) < shownAttempt })
  return { ...change, notes }
}

/** Causes that the proof of the draft itself gave. After any other, the verdicts are those of the attempt before. */
const FOUND_BY_PROOF: ReadonlySet<string> = new Set([
  'gates_failed',
  'gates_inconclusive',
  'changes_requested',
])

const isBeingWritten = ({ step }: TaskState): boolean => step === 'working' || step === 'launching'

type Change = Omit<DiffAnswer, 'notes'>

async function changeOf(host: HostToRead, plan: HostedPlan, task: TaskState): Promise<Change> {
  const { commit, draft, live } = task
  const diffs = (await host.parts.diffsOf?.(plan.home.repository)) ?? null
  if (diffs === null) return NOTHING
  if (commit !== null) return shown('landed', await diffs.ofCommit(commit.sha, MOST_BYTES))
  if (live !== null && isBeingWritten(task)) {
    const soFar = await diffs.ofWorker({ worker: live.worker, base: 'commit' }, MOST_BYTES)
    if (soFar !== null) return shown('so_far', soFar)
  }
  if (draft === null || draft.tree === '') return NOTHING
  const proposed = { plan: plan.id, worker: draft.worker, tree: draft.tree }
  return shown('proposed', await diffs.ofDraft(proposed, MOST_BYTES))
}

const NOTHING: Change = {
  of: 'nothing',
  base: null,
  head: null,
  files: [],
  patch: '',
  is_cut: false,
  command: null,
}

/** As it is sent. */
export function shown(of: DiffAnswer['of'], diff: WorkDiff | null): Change {
  if (diff === null) return NOTHING
  const { base, head, patch, isCut, command } = diff
  const files = diff.files.map(({ isBinary, ...file }) => ({ ...file, binary: isBinary }))
  return { of, base, head, files, patch, is_cut: isCut, command }
}

interface Earlier {
  readonly ofGates: boolean
  readonly ofReview: boolean
}

/** Findings of gates and issues of its last review that name a file, and whether they are about an earlier attempt. */
function notesOn(
  { verdicts, review }: Pick<TaskState, 'verdicts' | 'review'>,
  { ofGates, ofReview }: Earlier,
): DiffAnswer['notes'] {
  const found = (verdicts ?? []).flatMap(({ gate, evidence }) =>
    evidence.findings.flatMap(({ weight, text, file, line }) =>
      file === null
        ? []
        : [
            {
              path: file,
              line: linePlace(line),
              by: gate,
              blocks: weight === 'blocks',
              earlier: ofGates,
              text,
            },
          ],
    ),
  )
  const issues = (review?.issues ?? []).flatMap(({ severity, description, location, howToFix }) => {
    const place = placeOf(location)
    if (place === null) return []
    const text = `${severity}: ${description}${howToFix === '' ? '' : ` (fix: ${howToFix})`}`
    const blocks = review?.verdict === 'changes_requested' && severity !== 'minor'
    const by = review?.by ?? ''
    return [{ path: place.file, line: linePlace(place.line), by, blocks, earlier: ofReview, text }]
  })
  return [...found, ...issues]
    .slice(0, MOST_NOTES)
    .map((note) => ({ ...note, text: visibleLine(note.text, LONGEST_NOTE) }))
}

const linePlace = (line: number | null): number | null => (line !== null && line > 0 ? line : null)
