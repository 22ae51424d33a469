/** The first steps of the protocol: from a connection to a session that can take its prompt. */
import * as acp from '@agentclientprotocol/sdk/unstable'
import { z } from 'zod'
import type { SessionContinuation } from '../../../core/state/agent-session.ts'
import type { OpenedSession } from '../../../ports/agent.ts'
import { STDIO_SERVER } from '../../hand-mcp.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { messageOf } from './rpc-errors.ts'
import { setChoice } from './session-choice.ts'

export type Ask = <M extends acp.AgentRequestMethod>(
  method: M,
  params: acp.AgentRequestParamsByMethod[M],
) => Promise<acp.AgentRequestResponsesByMethod[M]>

export interface Opening {
  readonly job: Pick<
    AcpJob,
    | 'mode'
    | 'options'
    | 'authenticate'
    | 'continues'
    | 'additionalDirectories'
    | 'mcpServers'
    | 'takesBosun'
    | 'meta'
    | 'session'
    | 'choice'
  >
  /** Of the agent. */
  readonly env: Readonly<Record<string, string>>
  readonly workspace: string
  readonly ask: Ask
  /** The history of this session comes now; null when it is over. */
  readonly onReplay: (session: string | null) => void
  /** Throws where there is no use in going on. */
  readonly onLostSession: (id: string, why: string) => void
}

export interface EnteredSession extends OpenedSession {
  readonly canClose: boolean
  readonly takesImages: boolean
  readonly model: string | null
}

const MAX_WHY = 500
const CLIENT = { name: 'bosun', version: '1' }

const madeSchema = z.object({ sessionId: z.string().min(1).max(500) })

export async function openSession(opening: Opening): Promise<EnteredSession> {
  const { job, ask } = opening
  const { agentCapabilities, protocolVersion } = await ask('initialize', {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: CLIENT,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  })
  if (protocolVersion !== acp.PROTOCOL_VERSION)
    throw new Error(`it speaks version ${protocolVersion} of the protocol, not ${acp.PROTOCOL_VERSION}`)
  if (job.authenticate !== null) await ask('authenticate', { methodId: job.authenticate })
  const servers = mcpServers(opening, agentCapabilities?.mcpCapabilities?.http === true)
  const entered = await enter(opening, {
    servers,
    continues: continuationOf(agentCapabilities, job.continues),
  })
  const { session } = entered
  if (job.mode !== null) await ask('session/set_mode', { sessionId: session, modeId: job.mode })
  for (const [configId, value] of Object.entries(job.options))
    await ask('session/set_config_option', { sessionId: session, configId, value })
  const notes: string[] = []
  const model = await setChoice(entered.answer, {
    session,
    choice: job.choice,
    ask,
    onNote: (text) => notes.push(text),
  })
  const canClose = (agentCapabilities?.sessionCapabilities?.close ?? null) !== null
  const takesImages = agentCapabilities?.promptCapabilities?.image === true
  const { answer: _, ...opened } = entered
  const note = notes.length === 0 ? undefined : notes.join('; ')
  return { ...opened, note, canClose, takesImages, model: job.options['model'] ?? model }
}

/** How the agent continues a session by what it offers; the way of its profile, where it offers that or both. */
function continuationOf(
  capabilities: acp.AgentCapabilities | undefined,
  preferred: SessionContinuation,
): SessionContinuation {
  if (preferred === null) return null
  const canLoad = capabilities?.loadSession === true
  const canResume = (capabilities?.sessionCapabilities?.resume ?? null) !== null
  if (preferred === 'resume') return canResume ? 'resume' : canLoad ? 'load' : null
  return canLoad ? 'load' : canResume ? 'resume' : null
}

/** Continues the earlier session where there is one and the agent still has it, else begins a new one. */
async function enter(
  opening: Opening,
  {
    servers,
    continues,
  }: { readonly servers: readonly acp.McpServer[]; readonly continues: SessionContinuation },
): Promise<OpenedSession & { readonly answer: unknown }> {
  const { job, workspace, ask } = opening
  const place = {
    cwd: workspace,
    mcpServers: [...servers],
    ...(job.additionalDirectories.length === 0
      ? {}
      : { additionalDirectories: [...job.additionalDirectories] }),
    ...(Object.keys(job.meta).length === 0 ? {} : { _meta: { ...job.meta } }),
  }
  const earlier = job.session?.id ?? null
  let lost: OpenedSession['lost'] = null
  if (earlier !== null) {
    opening.onReplay(earlier)
    try {
      if (continues === null) throw new Error('its agent cannot continue sessions')
      const method = continues === 'load' ? 'session/load' : 'session/resume'
      const loaded = await ask(method, { ...place, sessionId: earlier })
      return { session: earlier, continues, isContinued: true, lost, answer: loaded }
    } catch (error) {
      const why = messageOf(error).slice(0, MAX_WHY)
      opening.onLostSession(earlier, why)
      lost = { session: earlier, why }
    } finally {
      opening.onReplay(null)
    }
  }
  const made = await ask('session/new', place)
  const { data } = madeSchema.safeParse(made)
  if (data === undefined) throw new Error('it answered session/new without a session id')
  return { session: data.sessionId, continues, isContinued: false, lost, answer: made }
}

/** Bosun's own server is reached over HTTP where the agent can do that, else by a command. */
function mcpServers({ job, env }: Opening, takesHttp: boolean): readonly acp.McpServer[] {
  const servers = job.mcpServers as readonly acp.McpServer[]
  const { BOSUN_URL: url, BOSUN_TOKEN: token } = env
  if (job.takesBosun !== true || url === undefined || token === undefined) return servers
  const name = 'bosun'
  if (takesHttp) {
    const headers = [{ name: 'Authorization', value: `Bearer ${token}` }]
    return [...servers, { type: 'http', name, url: `${url}/mcp`, headers }]
  }
  const [command = '', ...args] = STDIO_SERVER
  const own = Object.entries(env).filter(([variable]) => variable.startsWith('BOSUN_'))
  return [
    ...servers,
    { name, command, args, env: own.map(([variable, value]) => ({ name: variable, value })) },
  ]
}
