import { usageRefusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

/** Repacking a large repository takes a while. */
const TIMEOUT_MS = 30 * 60_000

export const cleanCommand: CommandDefinition = {
  name: 'clean',
  summary: 'free the disk space of plans that ended',
  options: [
    { syntax: '--older-than <duration>', help: 'how long ago a plan must have ended (default: 7d)' },
    {
      syntax: '--unknown-workers',
      help: 'stop workers of plans missing from the database, save their work and move their folders away',
    },
  ],
  examples: [
    { line: 'bosun clean', what: 'remove work trees, checkouts and caches; work saved nowhere else is kept' },
    { line: 'bosun clean --older-than 24h', what: 'include plans that ended yesterday' },
  ],
  async run(call) {
    if (call.flag('unknown-workers')) return putAside(call)
    const [{ cleanUp }, { momentOf }, { cleanText }] = await Promise.all([
      import('../../app/upkeep/clean-up.ts'),
      import('../views/durations.ts'),
      import('../views/clean-view.ts'),
    ])
    const now = Date.now()
    const given = call.option('older-than') ?? '7d'
    const moment = momentOf(given, now)
    if (moment === null || moment > now) {
      throw usageRefusal(
        `--older-than: invalid duration "${given}" (use 90m, 24h or 7d)`,
        'For example: bosun clean --older-than 24h',
      )
    }
    const daemon = await call.services.runningDaemon()
    if (daemon !== null) {
      const { repositories } = await daemon.post(
        '/api/clean',
        { older_than_ms: now - moment },
        { patienceMs: TIMEOUT_MS },
      )
      return {
        exit: 'ok',
        document: { repositories },
        text: (style) => cleanText(repositories, style),
      }
    }
    await using opened = await call.services.cleaning()
    const repositories = await cleanUp({ ...opened, now }, now - moment)
    return {
      exit: 'ok',
      document: { repositories },
      text: (style) => cleanText(repositories, style),
    }
  },
}

/** Runs without a daemon, which refuses a database that has lost plans. */
async function putAside(call: Call): Promise<CommandResult> {
  const [{ putUnknownAside }, { putAsideText }] = await Promise.all([
    import('../../app/workers/unknown-workers.ts'),
    import('../views/clean-view.ts'),
  ])
  await using opened = await call.services.unknownWorkers()
  const workers = await putUnknownAside(opened)
  return {
    exit: 'ok',
    document: { workers },
    text: () => putAsideText(workers),
  }
}
