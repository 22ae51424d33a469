/**
 * How the commands of a repository ended: `bosun init` and `bosun doctor` keep what they tried, and every plan has it in
 * its baseline. The newest counts.
 */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CHECK_NAMES } from '../../core/event-schemas/baseline.ts'
import {
  outcomesAtStart,
  outcomesOf,
  type TriedOutcomes,
} from '../../core/repository-facts/tried-commands.ts'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { makeStateFolder } from '../../lib/files/state-folder.ts'
import type { TriedCommand } from '../../ports/command-trial.ts'
import type { Host } from '../host/host.ts'
import { jsonOf } from '../host/json-of.ts'

const keptSchema = z.object({
  at: z.number(),
  tried: z.array(z.object({ check: z.enum(CHECK_NAMES), outcome: z.string() })),
})

/** One file for each repository, named by its real path. */
async function keptFile(root: string, repository: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(repository))
    .digest('hex')
  return join(root, 'tried-commands', `${name.slice(0, 32)}.json`)
}

/** Only knowledge is lost where it cannot be kept, so that is no error. */
export async function keepTrials(
  root: string,
  repository: string,
  { at, tried }: { readonly at: number; readonly tried: readonly TriedCommand[] },
): Promise<void> {
  try {
    const file = await keptFile(root, repository)
    if (tried.length === 0 || (await makeStateFolder(join(root, 'tried-commands'))) !== null) return
    await atomicWriteText(file, JSON.stringify({ at, tried }))
  } catch {
    // A full disk or a state root of another user: `bosun run` says so where it matters.
  }
}

/** Empty where nothing was ever tried. */
export async function triedBefore(
  host: Pick<Host, 'plans'> & { readonly parts: Pick<Host['parts'], 'root'> },
  repository: string,
): Promise<TriedOutcomes> {
  const file = await keptFile(host.parts.root, repository).catch(() => null)
  const kept = jsonOf(keptSchema, file === null ? null : readIfExists(file))
  const real = await realpath(repository).catch(() => repository)
  const plan = host
    .plans()
    .findLast(({ home, state }) => home.repository.path === real && (state.baseline?.start ?? null) !== null)
  const start = plan?.state.baseline?.start ?? null
  if (plan === undefined || start === null) return outcomesOf(kept?.tried ?? [])
  const isNewer = kept !== null && kept.at > plan.state.registeredAt
  const [older, newer] = [outcomesAtStart(start), outcomesOf(kept?.tried ?? [])]
  return isNewer ? new Map([...older, ...newer]) : new Map([...newer, ...older])
}
