import { answerItem } from '../../app/inbox/answer-item.ts'
import { inboxOfAll } from '../../app/plans/plan-status.ts'
import { reviewItem } from '../../app/inbox/review-item.ts'
import type { ReviewAnswer } from '../../protocol/review-answer.ts'
import { answerRequest, repoQuery } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readBody, readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

export function inboxReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/inbox', (c) => c.json({ inbox: inboxOfAll(host) }))
  routes.get('/inbox/:id', async (c) => {
    const { repo } = readQuery(c, repoQuery)
    const repository = await host.repositoryAt(repo)
    const review = await reviewItem(host, c.param('id'), repository)
    return c.json(review satisfies ReviewAnswer)
  })
}

export function inboxRoutes(routes: Routes, { host }: Door): void {
  routes.post('/inbox/:id/answer', async (c) => {
    const { repo, ...answer } = await readBody(c, answerRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await answerItem(host, { id: c.param('id'), repository, ...answer }))
  })
}
