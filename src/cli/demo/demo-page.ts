/** The demo in the browser: a link while it runs, and time to look around when it has ended. */
import type { ThrowAwayPlace } from '../../app/plans/throw-away.ts'
import type { Daemon } from '../../client/daemon.ts'
import type { Call, CommandResult } from '../command.ts'
import { linkTo, openLink } from '../open-page.ts'
import type { Services } from '../services.ts'
import { bosunCallAt } from './demo-commands.ts'
import type { Patience } from './demo-follow.ts'

/** How long a person has to answer before the script does: at a terminal, and once a browser shows the page. */
const ANSWER_MS = { terminal: 20_000, page: 60_000 }

/** Whether a person is at the terminal, who may open the page. */
const isAttended = ({ terminal, json, mayAsk }: Call): boolean =>
  !json && mayAsk && terminal.input === 'terminal' && terminal.output === 'terminal'

/** How long the script waits before it answers in the person's place; null where there is no person. */
export const patienceOf = (call: Call): Patience | null =>
  isAttended(call) || call.flag('open') ? { ms: ANSWER_MS.terminal, atPageMs: ANSWER_MS.page } : null

/** Opens the page with `--open`; else prints a link to it for the person at the terminal. */
export async function showPage(call: Call, daemon: Daemon, place: ThrowAwayPlace): Promise<void> {
  const { terminal } = call
  const isOpened = call.flag('open')
  if (!isOpened && !isAttended(call)) return
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
  if (!isAttended(call) || interrupted.aborted) return ended
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
