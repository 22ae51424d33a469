/** The prompt for a worker in the session of an earlier one: what is new, without the brief. */
import type { Cause } from '../core/event-schemas/schemas.ts'
import type { Settings } from '../core/settings/settings.ts'
import { plainLine, quoted, renderSections } from '../lib/text/quoted.ts'
import type { Job } from '../ports/agent.ts'
import { evidenceLines } from './worker-brief.ts'

export interface ContinuationParts {
  readonly settings: Settings
  readonly workspace: string
  /** What its workspace holds beside the files of the tree, one line each. */
  readonly notes: readonly string[]
  readonly reporting: {
    readonly reportPath: string
    readonly briefPath: string
    readonly checkin: { readonly command: string }
  }
}

/** In characters: most of it is what gates and reviewers found. */
const MOST = 50_000
const LONGEST_PATH = 1000

export const continuationPrompt = (job: Job, parts: ContinuationParts): string =>
  job.role === 'reviewer' ? forReviewer(job, parts) : forWorker(job, parts)

function forWorker(job: Job, { settings, workspace, notes, reporting }: ContinuationParts): string {
  const { context } = job
  const { cause } = context
  const isFlagged = cause !== null && FLAGGED.has(cause.kind)
  const evidence = evidenceLines(
    { ...job, context: { ...context, cause: isFlagged ? cause : null } },
    settings,
  )
  const toDo = isFlagged ? evidence : [...evidence, GO_ON]
  const sections = [
    { title: `Task ${job.spec.id}, attempt ${job.attempt}`, body: [opening(cause, context)] },
    { title: 'What to do', body: toDo.map((line) => `- ${line}`) },
    {
      title: 'Where you are',
      body: [
        `- Your workspace is ${quoted(workspace, LONGEST_PATH)}. Your draft is in it, as far as it fits what landed meanwhile: look at the files again before you change them.`,
        ...notes.map((note) => `- ${note}`),
        `- Check in with \`${reporting.checkin.command}\`, as before.`,
        `- When you have finished, write your report again to ${quoted(reporting.reportPath, LONGEST_PATH)}.`,
        `- All else in your brief holds; it is in ${quoted(reporting.briefPath, LONGEST_PATH)}, should you need it again.`,
      ],
    },
  ]
  return renderSections(sections, MOST)
}

/** The draft was judged, and its evidence says what to do. */
const FLAGGED: ReadonlySet<Cause['kind']> = new Set([
  'gates_failed',
  'conflict',
  'refused',
  'changes_requested',
])

const GO_ON = 'Continue your task where you left it.'

function opening(cause: Cause | null, { feedback, draft }: Job['context']): string {
  switch (cause?.kind) {
    case 'gates_failed':
    case 'conflict':
    case 'refused':
      return 'Bosun checked your work, and it does not pass yet. Fix only what is flagged.'
    case 'changes_requested':
      return 'A reviewer read your work and requests changes. Make these, and nothing else.'
    case 'nothing_done':
      return 'Your last turn ended and no file had changed.'
    case 'lost':
    case 'interrupted':
      return `You were interrupted: ${plainLine(cause.reason, 300)}.`
    case 'limited':
      return 'You were interrupted by a limit of your provider, which has ended.'
    case undefined:
      return feedback !== null ? 'A person read your work and asks for changes.' : 'You were interrupted.'
    case 'restarted':
      return (draft?.people ?? []).length === 0
        ? 'You were interrupted.'
        : 'A person worked in your place and handed the work back; their changes are in your workspace.'
    case 'stopped_for_pause':
    case 'over_budget':
    case 'blocked':
    case 'unclear':
    case 'gates_inconclusive':
    case 'reviewer_lost':
    case 'looping':
    case 'plan_edited':
      return 'You were interrupted.'
  }
}

function forReviewer(job: Job, { workspace, reporting }: ContinuationParts): string {
  const { cause } = job.context
  const why = cause !== null && 'reason' in cause ? ` (${plainLine(cause.reason, 300)})` : ''
  return renderSections(
    [
      {
        title: `Review of task ${job.spec.id}`,
        body: [
          `You were interrupted before you gave a verdict${why}. Continue your review and finish it.`,
          '',
          `- The change is in ${quoted(workspace, LONGEST_PATH)}, unchanged.`,
          `- Write your verdict as JSON to ${quoted(reporting.reportPath, LONGEST_PATH)}; without it the review does not count.`,
          `- Your whole brief is in ${quoted(reporting.briefPath, LONGEST_PATH)}, should you need it again.`,
        ],
      },
    ],
    MOST,
  )
}
