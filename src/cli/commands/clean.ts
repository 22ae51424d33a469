import { Refusal } from '../../lib/refusal.ts'
import type { CleanedAnswer } from '../../protocol/answers.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

/** Packing what is left of a large repository takes its time. */
const PATIENCE_MS = 30 * 60_000

export const cleanCommand: CommandDefinition = {
  name: 'clean',
  summary: 'free what plans that ended long ago left on disk',
  options: [
    { syntax: '--older-than <duration>', help: 'how long a plan must be over; 7d unless it is said' },
    {
      syntax: '--unknown-workers',
      help: 'stop workers of plans that the database has lost, save their work and put their folders aside',
    },
  ],
  examples: [
    { line: 'bosun clean', what: 'work trees, checkouts, caches; work that nothing else holds stays' },
    { line: 'bosun clean --older-than 24h', what: 'also of plans that ended yesterday' },
  ],
  async run(call) {
    if (call.flag('unknown-workers')) return putAside(call)
    const [{ cleanUp }, { momentOf }, { cleanText }] = await Promise.all([
      import('../../app/upkeep/clean-up.ts'),
      import('../views/durations.ts'),
      import('../views/clean-view.ts'),
    ])
    const now = Date.now()
    const said = call.option('older-than') ?? '7d'
    const moment = momentOf(said, now)
    if (moment === null || moment > now) {
      throw new Refusal({
        code: 'usage',
        message: `--older-than: invalid duration "${said}"`,
        remedy: 'Use a duration such as 90m, 24h or 7d.',
      })
    }
    const daemon = await call.parts.runningDaemon()
    if (daemon !== null) {
      const { repositories } = await daemon.post<CleanedAnswer>(
        '/api/clean',
        { older_than_ms: now - moment },
        PATIENCE_MS,
      )
      return { exit: 'ok', document: { repositories }, text: (style) => cleanText(repositories, style) }
    }
    const opened = await call.parts.cleaning()
    try {
      const repositories = await cleanUp({ ...opened, now }, now - moment)
      return { exit: 'ok', document: { repositories }, text: (style) => cleanText(repositories, style) }
    } finally {
      await opened.close()
    }
  },
}

/** Without the daemon, which does not serve a database that has lost its plans. */
async function putAside(call: Call): Promise<CommandResult> {
  const [{ putUnknownAside }, { putAsideText }] = await Promise.all([
    import('../../app/workers/unknown-workers.ts'),
    import('../views/clean-view.ts'),
  ])
  const opened = await call.parts.unknownWorkers()
  try {
    const workers = await putUnknownAside(opened)
    return { exit: 'ok', document: { workers }, text: () => putAsideText(workers) }
  } finally {
    await opened.close()
  }
}
