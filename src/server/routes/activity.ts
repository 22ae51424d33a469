import { readActivity } from '../../app/activity/read-activity.ts'
import { activityQuery } from '../../protocol/requests.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

export function activityReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/activity', async (c) => {
    const { repo, ...query } = readQuery(c, activityQuery)
    const repository = await host.repositoryAt(repo)
    return c.json(await readActivity(host, { ...query, repository }))
  })
}
