/** Starts what was understood: registers a plan, uploads a spec or begins an interview. */
import type { IntakeAnswer, IntakeRequest, UnderstoodInput } from '../../../../src/protocol/intake.ts'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { send } from '../../api/client.ts'
import { workToSend } from './request-draft.ts'

export type Begun =
  | {
      readonly kind: 'plan'
      readonly plan: string
      readonly repo: string
      readonly notices: readonly string[]
    }
  | { readonly kind: 'interview'; readonly session: string; readonly repo: string }

export interface RequestToBegin {
  readonly intake: IntakeAnswer
  readonly text: string
  readonly fileName: string | null
  readonly repo: string
  /** What the user answered before. */
  readonly answers: NonNullable<IntakeRequest['answers']>
  /** Whether to continue an earlier interview that ended with an error; absent before the user decided. */
  readonly resume?: boolean
}

export async function beginRequest(request: RequestToBegin): Promise<Begun> {
  const { intake, text, fileName, repo, resume } = request
  switch (intake.next) {
    case 'run_plan':
      return register({ cwd: repo, path: fileName ?? '-', text })
    case 'one_task':
      return register({ cwd: repo, path: '-', text: intake.plan?.text ?? '' })
    case 'upload_spec':
      return inInterview(
        await send('POST /api/pm/upload', {}, { repo, markdown: text, ...understoodOf(request) }),
        repo,
      )
    case 'interview':
      return inInterview(
        await send(
          'POST /api/pm/start',
          {},
          { repo, text, ...understoodOf(request), ...(resume === undefined ? {} : { resume }) },
        ),
        repo,
      )
    case 'answered':
    case 'ask':
      throw new Error('Nothing can be started before it is known what should be done.')
  }
}

/** What the user saw and corrected goes on with the request. */
function understoodOf({ intake, answers }: RequestToBegin): UnderstoodInput {
  const { type, scope, workflow, title, judged_by, work, questions } = intake
  return {
    type: type === 'question' ? null : type,
    scope,
    workflow,
    title: title === '' ? null : title,
    understood: {
      judged_by,
      ...workToSend(work),
      answers,
      // Those of a model: the menus and the form ask for the rest.
      open: questions
        .filter(({ by }) => by === 'option_or_words')
        .map(({ text, options }) => ({ question: text, options: options.map(({ label }) => label) })),
    },
  }
}

async function register(body: { cwd: string; path: string; text: string }): Promise<Begun> {
  const answer = await send('POST /api/plans', {}, body)
  const [plan] = answer.plans
  if (plan === undefined) throw new Error('Bosun registered no plan.')
  const notices = [
    ...answer.warnings.map(({ line, message }) => `line ${line}: ${message}`),
    ...answer.notices,
  ]
  return { kind: 'plan', plan: plan.id, repo: plan.repo, notices }
}

function inInterview({ session_id }: PmStatus, repo: string): Begun {
  if (session_id === null) throw new Error('Bosun began no interview.')
  return { kind: 'interview', session: session_id, repo }
}
