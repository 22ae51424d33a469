/** `bosun worker open ID`: a person works in the place of a worker, and hands the work back. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal, usageRefusal, refusal } from '../../lib/refusal.ts'
import { shellArgument } from '../../lib/text/counted.ts'
import type { WorkerAnswer } from '../../protocol/answers.ts'
import { decider, repoHere } from '../caller.ts'
import { resultOf, isSeen, type Call, type CommandResult } from '../command.ts'
import type { WorkerPlace } from '../services.ts'
import { interruptible } from '../terminal/ensure-commit.ts'

const LOOK_MS = 200
/** An agent has 10 s to end, and may be killed after that. */
const PATIENCE_MS = 60_000

type Takeover = NonNullable<WorkerAnswer['takeover']>

/** Where the work goes. */
type Receiver = 'gates' | 'agent'

export async function openWorker(call: Call, id: string): Promise<CommandResult> {
  const receiver = receiverOf(call)
  const daemon = await call.services.daemon()
  if (receiver !== null) return handBack(call, { daemon, id, receiver })
  await daemon.post('/api/workers/{id}/open', await decider(call), { id })
  const takeover = await stopped(call, { daemon, id })
  const { repository, session } = takeover
  const place = await call.services.takenOver({ repository, worker: id }, session)
  if (!isSeen(call) || call.flag('print')) return printed(call, { id, takeover, place })
  return attended(call, { daemon, id, place })
}

function receiverOf(call: Call): Receiver | null {
  const [isForGates, isForAgent] = [call.flag('return'), call.flag('continue')]
  if (isForGates && isForAgent)
    throw usageRefusal(
      '--return and --continue exclude each other',
      '--return hands the work to the gates, --continue to the agent.',
    )
  return isForGates ? 'gates' : isForAgent ? 'agent' : null
}

interface Opened {
  readonly daemon: Daemon
  readonly id: string
}

async function takeoverOf(call: Call, { daemon, id }: Opened): Promise<WorkerAnswer['takeover']> {
  const repo = await repoHere(call)
  return (await daemon.get('/api/workers/{id}', { id, repo })).takeover
}

/** Waits until the worker has stopped, so that no two work in its folder. */
async function stopped(call: Call, opened: Opened): Promise<Takeover> {
  const { id } = opened
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(LOOK_MS)) {
    const takeover = await takeoverOf(call, opened)
    if (takeover?.ready === true) return takeover
    if (takeover === null) throw noTakeover(id)
  }
  throw refusal(
    'conflict',
    `${id} has not stopped within ${PATIENCE_MS / 1000} s`,
    `Try again: bosun worker open ${id}`,
  )
}

const noTakeover = (id: string): Refusal =>
  refusal('conflict', `${id} is not taken over`, `Take it over: bosun worker open ${id}`)

const commandLine = ({ workspace, command }: WorkerPlace): string =>
  [
    `cd ${shellArgument(workspace)}`,
    ...(command === null ? [] : [command.map(shellArgument).join(' ')]),
  ].join(' && ')

function printed(
  call: Call,
  { id, takeover, place }: { readonly id: string; readonly takeover: Takeover; readonly place: WorkerPlace },
): CommandResult {
  const { workspace, command } = place
  const variables = Object.keys(place.variables).toSorted()
  const { agent, session, by } = takeover
  call.terminal.printMessage(`${id} has stopped; its files stay until you hand them back\n`)
  if (variables.length > 0 && command !== null)
    call.terminal.printMessage(
      `its agent also has ${variables.join(', ')} from bosun.yaml and its profile; without --print, at a terminal, Bosun sets them\n`,
    )
  call.terminal.printMessage(`${backLines(id)}\n`)
  return resultOf({ id, by, workspace, agent, session, command, variables }, `${commandLine(place)}\n`)
}

const backLines = (id: string): string =>
  `hand it back to the gates: bosun worker open ${id} --return; to the agent: bosun worker open ${id} --continue`

/** Runs the program of the agent, or a shell, then asks where the work goes. */
async function attended(
  call: Call,
  { daemon, id, place }: Opened & { readonly place: WorkerPlace },
): Promise<CommandResult> {
  const { terminal } = call
  const shell = [terminal.env['SHELL'] ?? '/bin/sh']
  terminal.printMessage(
    `${id} has stopped, and you work in its place now; ${place.command === null ? 'this is a shell in its folder; exit it' : 'exit the agent'} to hand the work back\n`,
  )
  terminal.printMessage(`${terminal.messageStyle.dim(commandLine(place))}\n`)
  const env = { ...terminal.env, ...place.variables }
  const ended = await terminal.attach({ command: place.command ?? shell, cwd: place.workspace, env })
  if (ended.kind === 'not_started')
    throw refusal(
      'conflict',
      `cannot start ${(place.command ?? shell)[0] ?? ''}: ${ended.why}`,
      `Work in ${place.workspace} yourself; ${backLines(id)}`,
    )
  const receiver = await asked(call, id)
  return receiver === null ? kept(id) : handBack(call, { daemon, id, receiver })
}

const QUESTION =
  'Hand the work back: g to the gates, a to the agent, which continues it, k to keep it for now [g] '

/** Null where the person keeps it. */
async function asked({ terminal, services }: Call, id: string): Promise<Receiver | null> {
  const dialogue = await terminal.converse()
  const ask = interruptible(dialogue, services.interruption())
  try {
    for (;;) {
      const typed = await ask(QUESTION)
      if (typed === null) return null
      const answer = typed.trim().toLowerCase()
      if (answer === '' || answer === 'g' || answer === 'gates') return 'gates'
      if (answer === 'a' || answer === 'agent') return 'agent'
      if (answer === 'k' || answer === 'keep') return null
      terminal.printMessage(`type g, a or k; ${id} stays yours until then\n`)
    }
  } finally {
    dialogue.close()
  }
}

const kept = (id: string): CommandResult =>
  resultOf(
    { id, handed_back: null },
    `${id} stays yours; open it again: bosun worker open ${id}\n${backLines(id)}\n`,
  )

async function handBack(
  call: Call,
  { daemon, id, receiver }: Opened & { readonly receiver: Receiver },
): Promise<CommandResult> {
  const takeover = await takeoverOf(call, { daemon, id })
  if (takeover === null || takeover.item === null) throw noTakeover(id)
  const body = { choice: receiver, feedback: call.option('feedback') ?? '', ...(await decider(call)) }
  await daemon.post('/api/inbox/{id}/answer', body, { id: takeover.item })
  const next = receiver === 'gates' ? 'its work goes to the gates' : 'its agent continues the work'
  return resultOf({ id, handed_back: receiver }, `handed back ${id}: ${next}\n`)
}
