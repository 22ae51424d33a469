import { answerItem } from '../../app/inbox/answer-item.ts'
import { listInbox } from '../../app/plans/list-pages.ts'
import { reviewItem } from '../../app/inbox/review-item.ts'
import type { ReviewAnswer } from '../../protocol/review-answer.ts'
import { listQuery } from '../../protocol/paging.ts'
import { answerRequest, repoQuery, revokePermissionRequest } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readBody, readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

export function inboxReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/inbox', async (c) => {
    const interviews = await host.listInterviews()
    return c.json({ ...listInbox(host, readQuery(c, listQuery)), interviews })
  })
  routes.get('/permissions', async (c) => {
    const { rememberedPermissions } = await remembered()
    return c.json(rememberedPermissions(host, readQuery(c, listQuery)))
  })
  routes.get('/inbox/:id', async (c) => {
    const { repo } = readQuery(c, repoQuery)
    const repository = await host.repositoryAt(repo)
    const review = await reviewItem(host, c.param('id'), repository)
    return c.json(review satisfies ReviewAnswer)
  })
}

/** Loaded when it is asked for (bench/idle-memory). */
const remembered = () => import('../../app/inbox/remembered-permissions.ts')

export function inboxRoutes(routes: Routes, { host }: Door): void {
  routes.post('/inbox/:id/answer', async (c) => {
    const { repo, ...answer } = await readBody(c, answerRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await answerItem(host, { id: c.param('id'), repository, ...answer }))
  })
  routes.post('/permissions/:id/revoke', async (c) => {
    const { repo, by } = await readBody(c, revokePermissionRequest)
    const repository = await host.repositoryAt(repo)
    const { revokePermission } = await remembered()
    return c.json(await revokePermission(host, { id: c.param('id'), repository, by }))
  })
}
