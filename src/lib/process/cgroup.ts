/**
 * Control groups (Linux, version 2) as a way to find everything a process started: what is born in one stays in it,
 * whatever it does to its session, its parent or its environment. Only where this user may make groups below its own.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errorCode } from '../system/error-code.ts'

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
export function succeeds([file = '', ...args]: readonly string[]): Promise<boolean> {
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
  try {
    mkdirSync(path)
    return path
  } catch {
    // Not permitted, or no longer: the caller does without.
    return null
  }
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
