/** Commands to paste; they name the demo's state root, so they work from any folder. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DEMO_PLAN, DEMO_REVIEW } from '../../app/demo/make-demo.ts'
import type { ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import { findOnPath } from '../../lib/system/find-on-path.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { shellArgument } from '../../lib/text/shell-word.ts'

/** How `bosun` is called for this state root. */
export const bosunCallAt = async ({ home, env }: ThrowAwayPlace): Promise<string> =>
  `BOSUN_HOME=${shellArgument(home)} ${shellArgument(await callOf(env['PATH'] ?? ''))}`

export async function furtherCommands(place: ThrowAwayPlace) {
  const { folder, repository } = place
  const bosun = await bosunCallAt(place)
  const branch = `feat/${DEMO_PLAN.id}/working`
  return {
    commands: [
      {
        line: `git -C ${shellArgument(repository)} show ${branch}:${DEMO_REVIEW}`,
        what: 'the review of the task where a worker cheated',
      },
      { line: `${bosun} log --event gate_failed`, what: 'every gate that failed, and why' },
      {
        line: `cd ${shellArgument(repository)} && ${bosun} release verify ${DEMO_PLAN.id} --rerun`,
        what: 'verify the release from the repository alone, and re-run its evidence',
      },
    ],
    /** Removes everything again. */
    cleanup: `${bosun} stop; rm -rf ${shellArgument(folder)}`,
  }
}

/** `bosun` where the PATH has this program under that name; else its path. */
async function callOf(path: string): Promise<string> {
  const own = join(PACKAGE_ROOT, 'bin/bosun')
  const found = findOnPath('bosun', path)
  if (found === null) return own
  return (await realpath(found)) === (await realpath(own)) ? 'bosun' : own
}
