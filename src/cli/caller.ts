/** Where a command was called, and by which user. */
import { userInfo } from 'node:os'
import { environmentHere } from '../config/caller-environment.ts'
import { findRepositoryRoot } from '../config/repository.ts'
import { runProgram } from '../lib/process/run-program.ts'
import { usageRefusal } from '../lib/refusal.ts'
import { folderIfThere } from '../lib/files/working-folder.ts'
import type { Call } from './command.ts'

const BY_REMEDY = 'For example --by "Ann Lee"; the default is your git user.name.'

/** The current repository, which decides between plans of the same name; undefined outside a repository. */
export async function repoHere(call: Call): Promise<string | undefined> {
  const cwd = folderIfThere(call.terminal)
  return cwd === null ? undefined : ((await findRepositoryRoot(cwd)) ?? undefined)
}

/** The name a decision is recorded under: `--by`, else git's user.name here, else the login name. */
export async function deciderName(call: Call): Promise<string> {
  const given = call.option('by')?.trim()
  if (given === '') throw usageRefusal('--by needs a name', BY_REMEDY)
  if (given !== undefined) return given
  const { env } = call.terminal
  const cwd = folderIfThere(call.terminal) ?? '/'
  const asked = { command: 'git', args: ['config', '--get', 'user.name'], cwd, env }
  const outcome = await runProgram({ ...asked, timeoutMs: 5_000, maxBytes: 10_000 })
  const name = outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.trim() : ''
  return name === '' ? callerName(call) : name.slice(0, 200)
}

/** Who decides, and where: what every decision is sent with. */
export const decider = async (call: Call) => ({ by: await deciderName(call), repo: await repoHere(call) })

/** Where an interview is held, and who holds it. */
export async function interviewPlace(call: Call, by: string) {
  const { cwd, env } = call.terminal
  return { repo: (await repoHere(call)) ?? cwd, by, environment: await environmentHere(cwd, env) }
}

/** The login name, recorded with stop, pause and resume. */
export function callerName(call: Call): string {
  const { env } = call.terminal
  const login = env['USER'] ?? env['LOGNAME'] ?? ''
  if (login !== '') return login
  try {
    return userInfo().username
  } catch {
    // The user has no entry in the password database.
    return 'user'
  }
}
