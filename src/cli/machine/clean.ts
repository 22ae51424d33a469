/** `bosun clean`: what was removed and kept. */
import { usageRefusal } from '../../lib/refusal.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { putUnknownAside, type PutAside } from '../../app/workers/unknown-workers.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { CleanedAnswer } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'
import { cleanUp } from '../../app/upkeep/clean-up.ts'
import { momentOf } from '../text.ts'

/** Repacking a large repository takes a while. */
const TIMEOUT_MS = 30 * 60_000

export async function runClean(call: Call): Promise<CommandResult> {
  if (call.flag('unknown-workers')) return putAside(call)
  const now = Date.now()
  const given = call.option('older-than') ?? '7d'
  const moment = momentOf(given, now)
  if (moment === null || moment > now) {
    throw usageRefusal(
      `--older-than: invalid duration "${given}" (use 90m, 24h or 7d)`,
      'For example: bosun clean --older-than 24h',
    )
  }
  const repositories = await cleaned(call, now, now - moment)
  return resultOf({ repositories }, (style) => cleanText(repositories, style))
}

async function cleaned(call: Call, now: number, olderThanMs: number): Promise<CleanedAnswer['repositories']> {
  const daemon = await call.services.runningDaemon()
  if (daemon !== null) {
    const body = { older_than_ms: olderThanMs }
    return (await daemon.post('/api/clean', body, { patienceMs: TIMEOUT_MS })).repositories
  }
  await using opened = await call.services.cleaning()
  return await cleanUp({ ...opened, now }, olderThanMs)
}

/** Runs without a daemon, which refuses a database that has lost plans. */
async function putAside(call: Call): Promise<CommandResult> {
  await using opened = await call.services.unknownWorkers()
  const workers = await putUnknownAside(opened)
  return resultOf({ workers }, putAsideText(workers))
}

type Cleaned = CleanedAnswer['repositories'][number]

/** What was removed and kept, by repository. */
function cleanText(repositories: readonly Cleaned[], style: Style): string {
  const blocks = repositories.flatMap((one) => {
    const lines = [
      ...removedLines(one),
      ...one.kept.map((ref) => style.dim(`  kept (saved nowhere else): ${ref}`)),
    ]
    return lines.length === 0 ? [] : [`${style.bold(terminalLine(one.repo))}\n${lines.join('\n')}\n`]
  })
  return blocks.length === 0 ? 'Nothing to clean up.\n' : blocks.join('\n')
}

function removedLines({ plans, released, folders, forgotten, caches }: Cleaned): readonly string[] {
  const lines = [
    released.length === 0 ? '' : `  saved and removed the work trees of: ${released.join(', ')}`,
    folders === 0 ? '' : `  removed: ${counted(folders, 'unused folder')}`,
    forgotten.length === 0 ? '' : `  removed saved work that has landed: ${forgotten.join(', ')}`,
    caches ? '  removed: cached dependencies and test results' : '',
  ].filter((line) => line !== '')
  const named = plans.length === 0 || lines.length === 0 ? [] : [`  plans: ${plans.join(', ')}`]
  return [...named, ...lines]
}

function putAsideText(workers: readonly PutAside[]): string {
  if (workers.length === 0) return 'Every worker here belongs to a plan in the database.\n'
  return workers
    .map(
      ({ worker, plan, folder }) =>
        `stopped ${terminalLine(worker)} of plan ${terminalLine(plan)}; its work is saved, its folder moved to ${terminalLine(folder)}\n`,
    )
    .join('')
}
