/** The demo in the browser: a link while it runs, and time to look around when it has ended. */
import { DEMO_PLAN, DEMO_REVIEW, type ThrowAwayPlace } from '../../app/plans/dry-run.ts'
import type { Daemon } from '../../client/daemon.ts'
import { isSeen, type Call, type CommandResult } from '../command.ts'
import { linkTo, openLink } from '../machine/open-page.ts'
import type { Services } from '../services.ts'
import type { Patience } from './demo-follow.ts'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { findOnPath } from '../../lib/process/find-program.ts'
import { PACKAGE_ROOT } from '../../lib/system/package-root.ts'
import { shellArgument } from '../../lib/text/counted.ts'

/** How long a person has to answer before the script does: at a terminal, and once a browser shows the page. */
const ANSWER_MS = { terminal: 20_000, page: 60_000 }

/** How long the script waits before it answers in the person's place; null where there is no person. */
export const patienceOf = (call: Call): Patience | null =>
  isSeen(call) || call.flag('open') ? { ms: ANSWER_MS.terminal, atPageMs: ANSWER_MS.page } : null

/** Opens the page with `--open`; else prints a link to it for the person at the terminal. */
export async function showPage(call: Call, daemon: Daemon, place: ThrowAwayPlace): Promise<void> {
  const { terminal } = call
  const isOpened = call.flag('open')
  if (!isOpened && !isSeen(call)) return
  const { link } = await linkTo(daemon)
  const why = isOpened ? await openLink(link, terminal) : null
  if (isOpened && why === null) {
    terminal.printMessage(`opened ${daemon.facts.url} in your browser\n`)
    return
  }
  const start = why === null ? 'watch it in a browser' : `${why}; open this link`
  terminal.printMessage(
    `${start} (it works once, within 60 s): ${link}\na new link: ${await bosunCallAt(place)} open --print\n\n`,
  )
}

/** With a person at the terminal: prints how it ended, and keeps the page until Ctrl-C. */
export async function keptOpen(
  call: Call,
  services: Services,
  interrupted: AbortSignal,
  ended: CommandResult,
): Promise<CommandResult> {
  if (!isSeen(call) || interrupted.aborted) return ended
  const { terminal } = call
  await terminal.print(ended.text(terminal.style))
  const { link } = await linkTo(await services.daemon())
  terminal.printMessage(`\nThe page stays until Ctrl-C (this link works once, within 60 s): ${link}\n`)
  await new Promise<void>((resolve) => {
    // A process that only waits for a signal would end.
    const alive = setInterval(() => undefined, 60_000)
    const end = (): void => {
      clearInterval(alive)
      resolve()
    }
    interrupted.addEventListener('abort', end, { once: true })
  })
  return { ...ended, text: () => '' }
}

/** How `bosun` is called for this state root. */
const bosunCallAt = async ({ home, env }: ThrowAwayPlace): Promise<string> =>
  `BOSUN_HOME=${shellArgument(home)} ${shellArgument(await callOf(env['PATH'] ?? ''))}`

export async function furtherCommands(place: ThrowAwayPlace, from: 'plan' | 'sentence') {
  const { folder, repository } = place
  const bosun = await bosunCallAt(place)
  const inRepository = shellArgument(repository)
  const commands = [
    {
      line: `git -C ${inRepository} show feat/${DEMO_PLAN.id}/working:${DEMO_REVIEW}`,
      what: 'the review of the task where a worker cheated',
    },
    { line: `${bosun} log --event gate_failed`, what: 'every gate that failed, and why' },
    {
      line: `cd ${inRepository} && ${bosun} release verify ${DEMO_PLAN.id} --rerun`,
      what: 'verify the release from the repository alone, and re-run its evidence',
    },
  ]
  /** Removes everything again. */
  const cleanup = `${bosun} stop; rm -rf ${shellArgument(folder)}`
  return { ...(from === 'plan' ? { commands } : {}), cleanup }
}

/** `bosun` where the PATH has this program under that name; else its path. */
async function callOf(path: string): Promise<string> {
  const own = join(PACKAGE_ROOT, 'bin/bosun')
  const found = findOnPath('bosun', path)
  if (found === null) return own
  return (await realpath(found)) === (await realpath(own)) ? 'bosun' : own
}
