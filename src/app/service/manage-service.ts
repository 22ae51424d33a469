/**
 * `bosun service`: the daemon under the system's service manager, which starts it with the session and restarts it. All
 * operations are idempotent. Files edited by hand are left alone.
 */
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { refusal } from '../../lib/refusal.ts'
import {
  ask,
  isAsWritten,
  type ServiceFacts,
  type Env,
  type ServiceManager,
  type ServiceState,
} from './service-manager.ts'
import { homedir, userInfo } from 'node:os'
import { launchd } from './launchd.ts'
import { systemd } from './systemd.ts'

export interface ServicePlace {
  readonly manager: ServiceManager
  readonly facts: ServiceFacts
  readonly env: Env
}

export interface InstallRequest extends ServicePlace {
  /** Overwrite an edited file. */
  readonly force: boolean
  /** Stops a daemon that the manager did not start: two cannot serve one state. */
  readonly stopDaemon: () => Promise<unknown>
}

/** `started`: whether the manager runs it now; else `problem` says why not, and what to run instead. */
export type Installed = Awaited<ReturnType<typeof installService>>

export async function installService(request: InstallRequest) {
  const { manager, facts, env, force } = request
  const { file } = manager
  const text = manager.textOf(facts)
  const before = readIfExists(file)
  if (before !== null && before !== text) refuseForeign(file, before, force)
  if (before !== text) {
    await mkdir(dirname(file), { recursive: true })
    await atomicWriteText(file, text, { mode: 0o666 })
  }
  const how = before === null ? 'written' : before === text ? 'unchanged' : 'replaced'
  const problem = (why: string) =>
    ({ file, how, started: false, problem: { why, command: manager.byHand.start } }) as const
  // Before stopping anything: without a manager nothing would restart the daemon.
  for (const line of [manager.reach, manager.enable]) {
    const asked = await ask(line, env)
    if (!asked.ok) return problem(asked.why)
  }
  const state = await lookAt(manager, env)
  if (how === 'unchanged' && state?.isActive === true)
    return { file, how, started: true, problem: null } as const
  await request.stopDaemon()
  for (const line of manager.restart) {
    const asked = await ask(line, env)
    if (!asked.ok) return problem(asked.why)
  }
  return { file, how, started: true, problem: null } as const
}

/** `problem`: why the manager could not be reached, and what to run instead; null if all is done. */
export type Uninstalled = Awaited<ReturnType<typeof uninstallService>>

/** Stops the daemon and removes the file; workers go on. */
export async function uninstallService({ manager, env }: ServicePlace, how: { readonly force: boolean }) {
  const { file } = manager
  const text = readIfExists(file)
  if (text === null) return { file, removed: false, problem: null }
  refuseForeign(file, text, how.force)
  const disabled = await ask(manager.disable, env)
  await rm(file, { force: true })
  const done = disabled.ok && manager.forget !== null ? await ask(manager.forget, env) : disabled
  if (!done.ok) return { file, removed: true, problem: { why: done.why, command: manager.byHand.stop } }
  return { file, removed: true, problem: null }
}

export type ServiceReport = Awaited<ReturnType<typeof reportService>>

export async function reportService({ manager, facts, env }: ServicePlace) {
  const text = readIfExists(manager.file)
  return {
    manager: manager.name,
    file: manager.file,
    installed: text !== null,
    /** Since Bosun wrote it. */
    edited: text !== null && !isAsWritten(text),
    /** Whether it runs this program on this state. */
    current: text !== null && manager.runsTheSame(text, manager.textOf(facts)),
    /** Null where the manager cannot be asked. */
    state: await lookAt(manager, env),
    logCommand: manager.logCommand,
  }
}

export const isInstalled = ({ file }: ServiceManager): boolean => readIfExists(file) !== null

/** Starts the daemon by the manager; false if it is not installed there or cannot be reached. */
export async function startByManager({ manager, facts, env }: ServicePlace): Promise<boolean> {
  const text = readIfExists(manager.file)
  if (text === null || !manager.runsTheSame(text, manager.textOf(facts))) return false
  return (await ask(manager.start, env)).ok
}

async function lookAt(manager: ServiceManager, env: Env): Promise<ServiceState | null> {
  const asked = await ask(manager.look, env)
  return asked.ok ? manager.read(asked.printed) : null
}

function refuseForeign(file: string, text: string, force: boolean): void {
  if (force || isAsWritten(text)) return
  throw refusal(
    'conflict',
    `${file} was not written by bosun service install, or was edited since`,
    'Keep it, or use --force to overwrite or remove it.',
  )
}

/** Null without a supported one. */
export function managerOf(platform: NodeJS.Platform, env: Env): ServiceManager | null {
  const set = env['HOME'] ?? ''
  const home = set === '' ? homedir() : set
  if (platform === 'linux') return systemd(env, home)
  return platform === 'darwin' ? launchd(home, userInfo().uid) : null
}

export function managerHere(env: Env): ServiceManager {
  const manager = managerOf(process.platform, env)
  if (manager !== null) return manager
  throw refusal(
    'usage',
    `no supported service manager on ${process.platform}`,
    'Run `bosun serve` under your own service manager.',
  )
}
