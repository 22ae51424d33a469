/**
 * An ACP agent of our own, as a program. It works as the protocol says but for what its script tells it to break:
 * `misbehaving-acp-agent.ts BEHAVIOUR[,BEHAVIOUR…] [LOG]` or `… SCRIPT.json`; the names are in acp-agent/behaviours.ts.
 */
import { BEHAVIOURS } from './acp-agent/behaviours.ts'
import { Peer, type Incoming, type RpcAnswer } from './acp-agent/peer.ts'
import { scriptOf } from './acp-agent/script.ts'
import { Turn, type Session } from './acp-agent/turn.ts'

const script = scriptOf(process.argv.slice(2), process.env)
const peer = new Peer({ log: script.log, copies: () => behaviour().copies ?? 1 })
const sessions = new Map<string, Session & { cancel: () => void }>()
let turns = 0

/** The behaviour of the turn that runs, or of the first one before there is any. */
const behaviour = () => {
  const at = Math.min(Math.max(turns - 1, 0), script.behaviours.length - 1)
  return BEHAVIOURS[script.behaviours[at] ?? 'works']
}

const capabilities = () => ({
  protocolVersion: 1,
  agentInfo: { name: 'misbehaving-agent', title: 'Misbehaving agent', version: '1.0.0' },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: behaviour().takesImages === true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: false },
    sessionCapabilities: { resume: {}, close: {} },
  },
  authMethods: [{ id: 'login', name: 'Log in' }],
})

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function openSession(id: string, params: Incoming['params']): void {
  const cwd = textOf(params['cwd']) || process.cwd()
  const mcpServers = (params['mcpServers'] ?? []) as Session['mcpServers']
  sessions.set(id, { id, cwd, mcpServers, turns: 0, cancel: () => {} })
}

/** What was said in an earlier process, as `session/load` shows it again. */
function replay(sessionId: string): void {
  const text = (text: string) => ({ content: { type: 'text', text } })
  const updates = [
    { sessionUpdate: 'user_message_chunk', ...text('Do the task.') },
    { sessionUpdate: 'agent_message_chunk', ...text('An earlier answer.') },
    { sessionUpdate: 'tool_call', toolCallId: 'earlier', title: 'Write', kind: 'edit', status: 'completed' },
  ]
  for (const update of updates) peer.notify('session/update', { sessionId, update })
}

async function answerTo({ method, params }: Incoming): Promise<RpcAnswer | 'never'> {
  const id = textOf(params['sessionId'])
  switch (method) {
    case 'initialize':
      return { result: capabilities() }
    case 'authenticate':
    case 'session/set_mode':
      return { result: {} }
    case 'session/set_config_option':
      return { result: { configOptions: [] } }
    case 'session/new': {
      const opened = `session-${process.pid}-${sessions.size + 1}`
      openSession(opened, params)
      return { result: { sessionId: opened, modes: MODES } }
    }
    case 'session/load':
      openSession(id, params)
      replay(id)
      return { result: { modes: MODES } }
    case 'session/resume':
      openSession(id, params)
      return { result: { modes: MODES } }
    case 'session/close':
      sessions.delete(id)
      return { result: {} }
    case 'session/prompt':
      return takeTurn(id)
    default:
      return { error: { code: -32601, message: `Method not found: ${method}` } }
  }
}

async function takeTurn(id: string): Promise<RpcAnswer | 'never'> {
  const session = sessions.get(id)
  if (session === undefined) return { error: { code: -32602, message: `no session ${id}` } }
  turns += 1
  session.turns += 1
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  session.cancel = resolve
  const turn = behaviour().turn
  const end = turn === undefined ? 'never' : await turn(new Turn({ peer, session, script, cancelled }))
  if (end === 'never') {
    if (behaviour().onCancel === 'ignore') return 'never'
    await cancelled
    return { result: { stopReason: 'cancelled' } }
  }
  return 'error' in end ? end : { result: end }
}

async function receive(incoming: Incoming): Promise<void> {
  if (incoming.method === 'session/cancel') {
    if (behaviour().onCancel !== 'ignore') sessions.get(String(incoming.params['sessionId']))?.cancel()
    return
  }
  if (incoming.id === null) return
  const instead = behaviour().instead?.(incoming)
  const answer = instead ?? (await answerTo(incoming))
  if (answer !== 'never') peer.answer(incoming.id, answer)
}

// What a flood leaves in the pipe when the client is gone is not worth a crash.
process.stdout.on('error', () => {})
process.on('SIGTERM', () => {
  peer.note({ signal: 'SIGTERM' })
  if (behaviour().onEnd !== 'ignore') process.exit(143)
})
behaviour().begin?.(peer)
void listen()

async function listen(): Promise<void> {
  await peer.listen((incoming) => {
    receive(incoming).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(70)
    })
  })
  if (behaviour().onEnd === 'ignore') setInterval(() => {}, 60_000)
  else process.exit(0)
}
