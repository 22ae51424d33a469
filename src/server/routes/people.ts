/** What needs a person, how a request is understood, and the interview. */
import type { UnderstoodRequest } from '../../protocol/intake.ts'
import { answerItem } from '../../app/inbox/answer-item.ts'
import { rememberedPermissions, revokePermission } from '../../app/inbox/remembered-permissions.ts'
import { reviewItem } from '../../app/inbox/review-item.ts'
import { projectFolder } from '../../app/interview/interview-refusals.ts'
import { listInbox } from '../../app/plans/plan-status.ts'
import { findWorkTree } from '../../config/repository.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { jsonHandlers, subjectOf } from '../routing.ts'

export const inboxReadings = ({ host }: ReadingDoor) =>
  jsonHandlers({
    'GET /api/inbox': async ({ query }) => ({
      ...listInbox(host, query),
      interviews: await host.listInterviews(),
    }),
    'GET /api/permissions': ({ query }) => rememberedPermissions(host, query),
    'GET /api/inbox/{id}': async ({ id, query: { repo } }) =>
      reviewItem(host, id, await host.repositoryAt(repo)),
  })

export const inboxRoutes = ({ host }: Door) =>
  jsonHandlers({
    'POST /api/inbox/{id}/answer': async ({ id, body, request }) =>
      answerItem(host, { ...(await subjectOf(host, id, body)), origin: request.origin?.() }),
    'POST /api/permissions/{id}/revoke': async ({ id, body }) =>
      revokePermission(host, await subjectOf(host, id, body)),
    'POST /api/intake': async ({ body, request }) => {
      // With the readers of plans and specs.
      const { intakeFrom } = await import('./intake-from.ts')
      return intakeFrom(host, body, request.gone())
    },
  })

export const interviewRoutes = ({ host }: Door) => {
  if (host.parts.openInterviews === undefined) return {}
  // What is known of a folder that is gone can still be read.
  const projectAt = async (repo: string): Promise<string> => (await findWorkTree(repo)) ?? repo
  const projectToStart = async (repo: string): Promise<string> => projectAt(await projectFolder(repo))
  const interviews = () => host.interviews()
  return jsonHandlers({
    'POST /api/pm/start': async ({ body }) => {
      const { repo, await_user_ms, ...asked } = body
      const repository = await projectToStart(repo)
      return (await interviews()).start({ ...begunWith(asked), repository, awaitUserMs: await_user_ms })
    },
    'POST /api/pm/chat': async ({ body: { repo, ...asked } }) =>
      (await interviews()).chat({ ...asked, repository: await projectAt(repo) }),
    'POST /api/pm/abandon': async ({ body: { repo, ...asked } }) =>
      (await interviews()).abandon({ ...asked, repository: await projectAt(repo) }),
    'GET /api/pm/chat': async ({ query: { repo, after } }) =>
      (await interviews()).conversation({ repository: await projectAt(repo), after }),
    'POST /api/pm/upload': async ({ body: { repo, ...asked } }) =>
      (await interviews()).upload({ ...begunWith(asked), repository: await projectToStart(repo) }),
    'GET /api/pm/preview/spec': async ({ query: { repo } }) =>
      (await interviews()).previewSpec({ repository: await projectAt(repo) }),
    'GET /api/pm/preview/outline': async ({ query: { repo } }) =>
      (await interviews()).outline({ repository: await projectAt(repo) }),
    'POST /api/pm/preview/action': async ({ body: { repo, ...asked } }) =>
      (await interviews()).previewAction({ ...asked, repository: await projectAt(repo) }),
    'GET /api/pm/status': async ({ query: { repo } }) =>
      (await interviews()).status({ repository: await projectAt(repo) }),
  })
}

type Understood = { readonly [K in keyof UnderstoodRequest]?: UnderstoodRequest[K] | undefined }

/** What was understood before, as one value; absent where the caller says nothing of it. */
function begunWith<Body extends Understood>(body: Body) {
  const { type, scope, workflow, title, understood, ...asked } = body
  const given = [type, scope, workflow, title, understood]
  const request = given.every((one) => one === undefined)
    ? undefined
    : {
        type: type ?? null,
        scope: scope ?? null,
        workflow: workflow ?? null,
        title: title ?? null,
        understood: understood ?? null,
      }
  return { ...asked, request }
}
