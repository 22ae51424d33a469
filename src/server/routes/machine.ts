/** What the page shows of this machine. It is looked at when it is asked for, with code that is loaded then. */
import type { SettingsAnswer } from '../../protocol/machine-answer.ts'
import { repoQuery } from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { PageSessions } from '../page/page-sessions.ts'
import { readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

export function machineRoutes(routes: Routes, { host, facts }: Door, pages: PageSessions): void {
  routes.get('/crew', async (c) => {
    const { repo = null } = readQuery(c, repoQuery)
    const { rolesIn } = await import('../../config/show-settings.ts')
    const { crewPage } = await import('../../app/upkeep/machine-answers.ts')
    return c.json(await crewPage(host, await rolesIn(repo)))
  })

  routes.get('/brain', async (c) => {
    const { repo } = readQuery(c, repoQuery)
    const { existing } = await import('../../config/show-settings.ts')
    const { readSettings } = await import('../../config/read-settings.ts')
    const { brainAnswerOf } = await import('../../app/upkeep/machine-answers.ts')
    const { brainFor } = host.parts
    if (repo === undefined || brainFor === undefined)
      return c.json(brainAnswerOf({ who: null, why: 'no repository was asked about' }))
    const settings = await readSettings(existing(repo))
    const brain = await brainFor({ repository: repo, settings, variables: {} })
    return c.json(brainAnswerOf(await brain.describe()))
  })

  routes.get('/settings', async (c) => {
    const { repo = null } = readQuery(c, repoQuery)
    const { showSettings } = await import('../../config/show-settings.ts')
    const shown = await showSettings(repo, process.env)
    const starts = pages.startTimes()
    const since = starts[0] === undefined ? null : new Date(starts[0]).toISOString()
    return c.json({
      repo,
      ...shown,
      home: host.parts.root,
      version: facts.version,
      sessions: { count: starts.length, since },
    } satisfies SettingsAnswer)
  })

  routes.get('/doctor', async (c) => {
    const { repo } = readQuery(c, repoQuery)
    const { existing } = await import('../../config/show-settings.ts')
    const { doctorPage } = await import('../../app/upkeep/machine-answers.ts')
    return c.json(await doctorPage(host, repo === undefined ? undefined : existing(repo)))
  })
}
