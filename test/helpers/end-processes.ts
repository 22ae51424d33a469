import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends whatever still runs for a state root. A command that was killed may have begun a daemon that nobody can ask
 * to end yet; removed under its feet, the folder would come back with it.
 */
export function endProcessesOf(root: string): void {
  for (const pid of processesOf(root)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

function processesOf(root: string): readonly number[] {
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  return pids.filter((pid) => pid !== process.pid && environmentOf(pid).includes(`BOSUN_HOME=${root}\0`))
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // Gone since it was listed, or somebody else's.
    return ''
  }
}
