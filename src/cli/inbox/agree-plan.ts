/** Shows a plan that was made from a spec before anything of it starts: the person starts, edits or refuses it. */
import type { Daemon } from '../../client/daemon.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InboxEntry, PlanAnswer } from '../../protocol/answers.ts'
import { deciderName } from '../caller.ts'
import { isAttended, type Call } from '../command.ts'
import { askingAt } from '../terminal/ensure-commit.ts'
import type { Style } from '../terminal/terminal.ts'

/** The question whether a plan starts; no other has such an option. */
export const isProposal = ({ options }: InboxEntry): boolean => options.some(({ key }) => key === 'start')

/** The plan as it is afterwards. Without a person, and without `--yes`, the question stays open. */
export async function agreeToPlan(call: Call, daemon: Daemon, given: PlanAnswer): Promise<PlanAnswer> {
  const ask = isAttended(call) ? askingAt(call.terminal, () => call.services.interruption()) : null
  let shown = given
  for (;;) {
    const item = shown.inbox.find(isProposal)
    if (item === undefined || (ask === null && !call.flag('yes'))) return shown
    call.terminal.printMessage(proposalText(item, call.terminal.messageStyle))
    const line = call.flag('yes')
      ? 's'
      : await ask?.('Start it (s), edit it (e), refuse it (r), or leave it for later (q)? ')
    const choice = line?.trim().toLowerCase() ?? 'q'
    if (['s', 'start'].includes(choice)) return answered(call, daemon, { shown, item, choice: 'start' })
    if (['r', 'refuse'].includes(choice)) return answered(call, daemon, { shown, item, choice: 'cancel' })
    if (['q', 'quit', 'later'].includes(choice)) return shown
    if (['e', 'edit'].includes(choice)) shown = await edited(call, daemon, shown)
  }
}

function proposalText({ problem, evidence }: InboxEntry, style: Style): string {
  const lines = evidence.map((line) => `  ${terminalLine(line)}`)
  return [style.bold(terminalLine(problem)), ...lines, ''].join('\n')
}

async function answered(
  call: Call,
  daemon: Daemon,
  { shown, item, choice }: { readonly shown: PlanAnswer; readonly item: InboxEntry; readonly choice: string },
): Promise<PlanAnswer> {
  const { repo } = placeOf(shown)
  const by = await deciderName(call)
  await daemon.post('/api/inbox/{id}/answer', { choice, by, repo }, { id: item.id })
  return planNow(daemon, shown)
}

/** The editor holds the whole plan; what cannot be read is said, and nothing changes. */
async function edited(call: Call, daemon: Daemon, shown: PlanAnswer): Promise<PlanAnswer> {
  const { id, repo } = placeOf(shown)
  const { text, version } = await daemon.get('/api/plans/{id}/text', { id, repo })
  const dialogue = await call.terminal.converse()
  const changed = await dialogue.edit(text).finally(() => dialogue.close())
  if (changed === null || changed === text) return shown
  const { cwd, env } = call.terminal
  const by = await deciderName(call)
  const environment = await environmentHere(cwd, env)
  const request = { cwd, path: '-', text: changed, by, plan: id, expected_version: version, environment }
  try {
    return await daemon.post('/api/plans', request)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'no_daemon') throw error
    const faults = error.faults.map(({ line, message }) => `  line ${line}: ${terminalLine(message)}\n`)
    call.terminal.printMessage(`${terminalLine(error.message)}\n${faults.join('')}`)
    return shown
  }
}

function placeOf({ plans }: PlanAnswer): { readonly id: string; readonly repo: string | undefined } {
  const [plan] = plans
  return { id: plan?.id ?? '', repo: plan?.repo }
}

async function planNow(daemon: Daemon, shown: PlanAnswer): Promise<PlanAnswer> {
  const { id, repo } = placeOf(shown)
  return daemon.get('/api/plans/{id}', { id, repo })
}
