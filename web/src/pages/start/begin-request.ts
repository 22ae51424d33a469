/** Starts what was understood: registers a plan, uploads a spec or begins an interview. */
import type { IntakeAnswer } from '../../../../src/protocol/intake.ts'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { send } from '../../api/routes.ts'

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
      return inInterview(await send('POST /api/pm/upload', {}, { repo, markdown: text }), repo)
    case 'interview':
      return inInterview(
        await send('POST /api/pm/start', {}, { repo, text, ...(resume === undefined ? {} : { resume }) }),
        repo,
      )
    case 'ask':
      throw new Error('The text has no request that can be read. Say in a sentence what should be done.')
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
