/**
 * How processes are held together so that they can be ended whole. Where the system allows it they get a PID
 * namespace: they see only each other, none of them can leave it, and it dies with its first process, which dies
 * with its parent. Elsewhere they get a session of their own, and stragglers are found by a mark in their environment,
 * and where this user may make one by the control group they were born in.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errorCode } from '../files/system-error.ts'
import { orElse } from '../or-else.ts'

export type Containment =
  /** `prefix` are the words that enter one. */
  | { readonly kind: 'namespace'; readonly prefix: readonly string[] }
  /** `cgroup` is the folder in which control groups can be made. */
  | { readonly kind: 'group'; readonly cgroup?: string | null | undefined }

/**
 * The first process of a namespace: it takes in orphans, and waits for the one thing it runs. It has no voice of
 * its own, since a shell would remark on how its child died. What it runs is not the first process itself: that
 * one cannot be ended by ordinary signals, and programs take such a parent for a sign that theirs is gone.
 */
const FIRST_PROCESS = [
  'sh',
  '-c',
  `exec 3>&2 2>/dev/null; sh -c 'exec "$@" 2>&3 3>&-' sh "$@"; exit $?`,
  'sh',
]
const IN_NAMESPACE = 'test -r /proc/self/stat && set -- /proc/[0-9]* && test $# -lt 8'

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const BY_USER = ['unshare', '--user', '--map-current-user', ...UNSHARE.slice(1)]
/** Dies with its parent, even when that is killed. */
const MORTAL = ['setpriv', '--pdeathsig', 'KILL', '--']

let detected: Promise<Containment> | null = null

/** What this machine allows, tried once. */
export function detectContainment(): Promise<Containment> {
  detected ??= tryInTurn([
    [...MORTAL, ...UNSHARE, '--'],
    [...MORTAL, ...BY_USER, '--'],
    [...UNSHARE, '--'],
    [...BY_USER, '--'],
  ])
  return detected
}

async function tryInTurn(candidates: readonly (readonly string[])[]): Promise<Containment> {
  if (process.platform !== 'linux') return { kind: 'group' }
  for (const candidate of candidates) {
    const found: Containment = { kind: 'namespace', prefix: candidate }
    if (await succeeds(contained(found, ['sh', '-c', IN_NAMESPACE]))) return found
  }
  return { kind: 'group', cgroup: await detectCgroup() }
}

/**
 * The command line that runs a command contained. With `walls`, the words that put it into a sandbox, the program that
 * these begin with is the first process.
 */
export function contained(
  containment: Containment,
  command: readonly string[],
  walls: readonly string[] = [],
): readonly string[] {
  if (containment.kind === 'group') return [...walls, ...command]
  return [...containment.prefix, ...(walls.length === 0 ? FIRST_PROCESS : walls), ...command]
}

/** What a shell adds to the number of the signal that ended its child. */
const SHELL_SIGNAL_BASE = 128
/** Those that end a process, but for SIGHUP: git exits with 129 when it is called wrongly. */
const FATAL = (
  'SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM SIGTERM ' +
  'SIGXCPU SIGXFSZ SIGSYS'
).split(' ') as readonly NodeJS.Signals[]

/**
 * The signal that an exit code stands for, or null. In a namespace a shell stands between us and the command, so
 * a command that really exits with 137 is taken for a killed one: neither is ever a pass.
 */
export function signalBehind(containment: Containment, code: number): NodeJS.Signals | null {
  if (containment.kind !== 'namespace') return null
  const { signals } = process.getBuiltinModule('node:os').constants
  return FATAL.find((name) => signals[name] === code - SHELL_SIGNAL_BASE) ?? null
}

/**
 * Control groups (Linux, version 2) as a way to find everything a process started: what is born in one stays in it,
 * whatever it does to its session, its parent or its environment. Only where this user may make groups below its own.
 */
const DETECTION_MS = 5000
/** Joins the group, then execs the command, so that the command never runs outside it. */
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"'

/** The folder below which groups can be made; null where there is none. */
export async function detectCgroup(): Promise<string | null> {
  const own = process.platform === 'linux' ? ownCgroup() : null
  if (own === null) return null
  const probe = makeCgroup(own, `probe-${randomUUID()}`)
  if (probe === null) return null
  const isEntered = await succeeds(inCgroup(probe, ['true']))
  removeCgroup(probe)
  return isEntered ? own : null
}

/** Whether a command ends well, and soon. */
function succeeds([file = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: DETECTION_MS }, (error) => resolve(error === null))
  })
}

/** The group this process is in, as a folder. */
function ownCgroup(): string | null {
  try {
    const [, path] = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    const mount = mounts.find((line) => line.includes(' - cgroup2 '))?.split(' ')
    const [root, point] = [mount?.[3], mount?.[4]]
    if (path === undefined || root === undefined || point === undefined) return null
    const below = relative(root, path)
    return below.startsWith('..') ? null : join(point, below)
  } catch {
    // No such files: then there are no groups either.
    return null
  }
}

export const cgroupAt = (parent: string, name: string): string => join(parent, `bosun-${name}`)

/** Null where it cannot be made. */
export function makeCgroup(parent: string, name: string): string | null {
  const path = cgroupAt(parent, name)
  // Not permitted, or no longer: the caller does without.
  return orElse(() => {
    mkdirSync(path)
    return path
  }, null)
}

/** The command line that runs a command in a group. */
export const inCgroup = (path: string, command: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  ENTER,
  path,
  ...command,
]

/** Every process in the group and in those below it. */
export function cgroupPids(path: string): ReadonlySet<number> {
  const pids = new Set<number>()
  const folders = [path]
  for (const folder of folders) {
    try {
      for (const line of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n'))
        if (line !== '') pids.add(Number(line))
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) folders.push(join(folder, entry.name))
    } catch {
      // It is gone, and with it everything that was in it.
    }
  }
  return pids
}

/** Removes a group and those below it, once they are empty. False while something is left in one. */
export function removeCgroup(path: string): boolean {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeCgroup(join(path, entry.name))
    rmdirSync(path)
    return true
  } catch (error) {
    // Else it is gone already, or no longer ours to remove.
    return errorCode(error) !== 'EBUSY'
  }
}
