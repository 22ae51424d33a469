/** Where a command was called, and by whom. */
import { userInfo } from 'node:os'
import { findRepositoryRoot } from '../config/repository.ts'
import { runProgram } from '../lib/process/run-program.ts'
import { Refusal } from '../lib/refusal.ts'
import { folderIfThere } from '../lib/files/working-folder.ts'
import type { Call } from './command.ts'

const BY_REMEDY = 'For example --by "Ann Lee"; without it, your git user.name is taken.'

/** The repository one stands in decides between plans of the same name; undefined outside of any. */
export async function repoHere(call: Call): Promise<string | undefined> {
  const here = folderIfThere(call.terminal)
  return here === null ? undefined : ((await findRepositoryRoot(here)) ?? undefined)
}

/** Who decides, as it is written down: `--by`, else the name they commit under here, else the user's. */
export async function deciderName(call: Call): Promise<string> {
  const said = call.option('by')?.trim()
  if (said === '') throw new Refusal({ code: 'usage', message: '--by needs a name', remedy: BY_REMEDY })
  if (said !== undefined) return said
  const { env } = call.terminal
  const cwd = folderIfThere(call.terminal) ?? '/'
  const asked = { command: 'git', args: ['config', '--get', 'user.name'], cwd, env }
  const outcome = await runProgram({ ...asked, timeoutMs: 5_000, maxBytes: 10_000 })
  const name = outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.trim() : ''
  return name === '' ? callerName(call) : name.slice(0, 200)
}

/** Who stops, pauses and resumes: written down with what they said. */
export function callerName(call: Call): string {
  const { env } = call.terminal
  const said = env['USER'] ?? env['LOGNAME'] ?? ''
  if (said !== '') return said
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the system's list.
    return 'user'
  }
}
