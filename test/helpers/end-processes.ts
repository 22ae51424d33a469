import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const POLL_MS = 10

/**
 * Ends all processes of a state root, and returns when they are gone. A killed command may have started a daemon that
 * cannot be asked to stop yet; it would recreate a removed folder.
 */
export function endProcessesOf(root: string): void {
  endAll((pid) => textOf(`/proc/${pid}/environ`).includes(`BOSUN_HOME=${root}\0`))
}

/** Ends all processes that a folder is named to or that work in it, and returns when they are gone. */
export function endProcessesIn(folder: string): void {
  endAll((pid) => processNames(pid, folder))
}

/** Whether its environment, its command line or where it works names the folder. A zombie has none of these. */
export function processNames(pid: number, folder: string): boolean {
  return (
    textOf(`/proc/${pid}/environ`).includes(folder) ||
    textOf(`/proc/${pid}/cmdline`).includes(folder) ||
    workingFolderOf(pid).startsWith(folder)
  )
}

function endAll(isTheirs: (pid: number) => boolean): void {
  for (;;) {
    const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
    const theirs = pids.filter((pid) => pid !== process.pid && isTheirs(pid))
    if (theirs.length === 0) return
    for (const pid of theirs) kill(pid)
    // One that is killed takes a moment to go, and may have started another before.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Gone since it was listed, or of another user.
    return ''
  }
}

function workingFolderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
