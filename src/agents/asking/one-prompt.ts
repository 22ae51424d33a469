/** One prompt to an agent and its answer: a fresh session in an empty folder, in which nothing is permitted. */
import type * as acp from '@agentclientprotocol/sdk/unstable'
import { optionFor } from '../../core/crew/permission-policy.ts'
import { turnOutcome, type TurnEnd, type TurnOutcome } from '../../core/crew/turn-outcome.ts'
import { typedError, type TypedError } from '../../core/crew/typed-errors.ts'
import type { Spawned } from '../../lib/process/spawn-contained.ts'
import type { SessionUsage } from '../../ports/agent.ts'
import { answerInTime } from '../supervisor/acp/answer-in-time.ts'
import { clientApp } from '../supervisor/acp/client-app.ts'
import { messageStream } from '../supervisor/acp/message-stream.ts'
import { openSession } from '../supervisor/acp/open-session.ts'
import { promptBlocks } from '../supervisor/acp/prompt-blocks.ts'
import { errorEnd, errorType, metaOf } from '../supervisor/acp/rpc-errors.ts'
import { clock } from '../supervisor/acp/unopened.ts'
import { unreportedError } from '../supervisor/acp/unreported-error.ts'
import { parseUpdate, promptResponseSchema, type PermissionParams } from '../supervisor/acp/updates.ts'
import { UsageMeter } from '../supervisor/acp/usage-meter.ts'
import type { AcpJob } from '../worker-folder.ts'
import { withAgent, type AgentCommand } from '../supervisor/with-agent.ts'

export interface AskedAgent extends AgentCommand {
  readonly session: Pick<
    AcpJob,
    'mode' | 'options' | 'authenticate' | 'mcpServers' | 'meta' | 'usage' | 'errorsIn' | 'choice'
  >
}

export interface AgentAnswer {
  readonly text: string
  readonly outcome: TurnOutcome
  readonly usage: SessionUsage
}

const MAX_TEXT = 400_000

/** Null where the agent cannot be started. Aborting ends the agent. Without a prompt the session is only opened. */
export function onePrompt(
  agent: AskedAgent,
  prompt: string | null,
  signal: AbortSignal,
): Promise<AgentAnswer | null> {
  return withAgent(agent, (started, folder) =>
    Promise.race([converse(started, agent, { prompt, folder }), aborted(signal)]),
  )
}

async function converse(
  { child }: Spawned,
  { session: job, env }: AskedAgent,
  { prompt, folder }: { readonly prompt: string | null; readonly folder: string },
): Promise<AgentAnswer> {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null) throw new Error('the agent has no pipes')
  stderr?.resume()
  let text = ''
  let error: TypedError | null = null
  const usage = new UsageMeter(job)
  const onNotification = (method: string, params: unknown): void => {
    const parsed = method === 'session/update' ? parseUpdate(params) : null
    if (parsed === null) return
    const { update, raw } = parsed
    error = typedError(raw['_meta']) ?? (update === null || update.kind === 'usage' ? error : null)
    if (update?.kind === 'usage') usage.reading(update)
    if (update?.kind !== 'message' && update?.kind !== 'thought') return
    usage.text(update.text, raw)
    if (update.kind === 'message' && text.length < MAX_TEXT) text += update.text
  }
  const stream = messageStream({ stdin, stdout }, { onNotification, onRefused: () => undefined })
  const connection = clientApp({ roots: [folder], workspace: folder, onPermission: deny }).connect(stream)
  let end: TurnEnd
  let tokens: number | null = null
  try {
    const opened = await openSession({
      job: { ...job, continues: null, additionalDirectories: [], session: null },
      env: {},
      workspace: folder,
      ask: (method, params) => answerInTime(method, connection.agent.request(method, params)),
      onReplay: () => undefined,
      onLostSession: () => undefined,
      onNote: () => undefined,
    })
    if (opened.model !== null) usage.model(opened.model)
    if (prompt === null) return { text, outcome: { kind: 'finished' }, usage: usage.total }
    usage.begin(prompt.length)
    const blocks = promptBlocks(prompt, [])
    const asked = { sessionId: opened.session, prompt: blocks }
    const answer = await connection.agent.request('session/prompt', asked)
    const response = promptResponseSchema.parse(answer)
    tokens = usage.turn(response)
    error = typedError(metaOf(answer)) ?? error
    const message = unreportedError(job.errorsIn, opened.session, env)
    end =
      message === null
        ? { kind: 'stopped', reason: response.stopReason }
        : { kind: 'error', code: null, message }
  } catch (thrown) {
    end = errorEnd(thrown)
    error = errorType(thrown) ?? error
  }
  usage.abandon()
  const facts = { end, tokens, error, text, reportsUsage: usage.isReliable, ...clock() }
  return {
    text,
    outcome: turnOutcome({ ...facts, hasDoneAnything: () => text.trim() !== '' }),
    usage: usage.total,
  }
}

/** It is asked for words, not for work. */
async function deny({ options }: PermissionParams): Promise<acp.RequestPermissionResponse> {
  const optionId = optionFor(
    options.map(({ optionId: id, kind }) => ({ id, kind })),
    'deny',
  )
  return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
