import { Hono } from 'hono'
import { readActivity } from '../../app/activity/read-activity.ts'
import { activityQuery } from '../../protocol/requests.ts'
import type { DoorEnv } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readQuery } from '../read-request.ts'

export function activityReadings({ host }: ReadingDoor): Hono<DoorEnv> {
  const routes = new Hono<DoorEnv>()
  routes.get('/activity', async (c) => {
    const { repo, ...query } = readQuery(c, activityQuery)
    const repository = await host.repositoryAt(repo)
    return c.json(await readActivity(host, { ...query, repository }))
  })
  return routes
}
