import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends all processes of a state root. A killed command may have started a daemon that cannot be asked to stop yet; it
 * would recreate a removed folder.
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
    // Gone since it was listed, or of another user.
    return ''
  }
}
