/** The first steps of the protocol: from a connection to a session that can take its prompt. */
import * as acp from '@agentclientprotocol/sdk/unstable'
import { z } from 'zod'
import type { SessionContinuation } from '../../../core/state/agent-session.ts'
import type { OpenedSession } from '../../../ports/agent.ts'
import { quoted } from '../../../lib/text/quoted.ts'
import { STDIO_SERVER } from '../../hand-mcp.ts'
import type { AcpJob } from '../../worker-folder.ts'
import type { SessionChoice } from '../../with-choice.ts'

export type Ask = <M extends acp.AgentRequestMethod>(
  method: M,
  params: acp.AgentRequestParamsByMethod[M],
) => Promise<acp.AgentRequestResponsesByMethod[M]>

export type OpeningJob = Pick<
  AcpJob,
  | 'mode'
  | 'authenticate'
  | 'continues'
  | 'additionalDirectories'
  | 'mcpServers'
  | 'takesBosun'
  | 'meta'
  | 'session'
  | 'choice'
>

export interface Opening {
  readonly job: OpeningJob
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
  return { ...opened, note, canClose, takesImages, model }
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
  if (!job.takesBosun || url === undefined || token === undefined) return servers
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

const MAX_MESSAGE = 2000

/** With the details that agents put into the data of an error whose message says nothing. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const { data } = detailsSchema.safeParse(error instanceof acp.RequestError ? error.data : null)
  const details = [data].flat().filter((one) => one !== undefined && !message.includes(one))
  return [message, ...details].join(': ').slice(0, MAX_MESSAGE)
}

const detailsSchema = z.union([
  z.string().min(1),
  z.object({ details: z.string().min(1) }).transform(({ details }) => details),
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
])

export interface ChoiceParts {
  readonly session: string
  readonly choice: SessionChoice
  readonly ask: Ask
  readonly onNote: (text: string) => void
}

/** The settings want a model or an effort that the agent does not have. The agent works; it must not begin. */
export class ChoiceRefused extends Error {
  override readonly name = 'ChoiceRefused'
}

const MAX_VALUES = 1000
const value = z.object({ value: z.string().max(500), name: z.string().max(500).catch('') })
const optionSchema = z.object({
  id: z.string().max(200),
  category: z.string().max(200).nullish().catch(null),
  currentValue: z.string().max(500),
  options: z.array(z.unknown()).max(MAX_VALUES).catch([]),
})
const answerSchema = z.object({ configOptions: z.array(z.unknown()).max(100) })
const groupSchema = z.object({ options: z.array(z.unknown()).max(MAX_VALUES) })

interface Option {
  readonly id: string
  readonly category: string | null
  readonly current: string
  readonly values: readonly z.infer<typeof value>[]
}

const EFFORT_IDS = ['effort', 'reasoning_effort', 'thinking', 'thinking_level']

/** `answer` is what the agent answered when it opened the session. Returns the model that it uses, where it says so. */
export async function setChoice(answer: unknown, parts: ChoiceParts): Promise<string | null> {
  const { modelLike, effort } = parts.choice
  let options = optionsIn(answer)
  const isWanted = parts.choice.model === null && modelLike !== null
  const small = isWanted ? modelNamed(find(options, 'model'), modelLike) : null
  if (isWanted && small === null) parts.onNote(`${noSmall(modelLike)}, so it works with its own`)
  const model = parts.choice.model ?? small
  if (model !== null)
    options = await setOne(options, { ...parts, what: 'model', wanted: model, isMust: small === null })
  if (effort !== null)
    options = await setOne(options, {
      ...parts,
      what: 'effort',
      wanted: effort.level,
      isMust: effort.by === 'settings',
    })
  return find(options, 'model')?.current ?? model
}

const noSmall = (modelLike: readonly string[]): string =>
  modelLike.length === 0
    ? 'which of its models are small is not known'
    : `it lists no model like ${modelLike.join(' or ')}`

interface Setting extends ChoiceParts {
  readonly what: 'model' | 'effort'
  readonly wanted: string
  readonly isMust: boolean
}

/** Which efforts there are may depend on the model, so every answer brings the options again. */
async function setOne(options: readonly Option[], setting: Setting): Promise<readonly Option[]> {
  const { what, wanted, isMust, session, ask, onNote } = setting
  const option = find(options, what)
  const known = option === undefined ? undefined : matching(option, wanted)
  if (option === undefined || (known === undefined && !isMust)) {
    if (isMust)
      throw new ChoiceRefused(`it offers no choice of ${what === 'model' ? 'a model' : 'an effort'}`)
    return options
  }
  if (known?.value === option.current) return options
  try {
    const answer = await ask('session/set_config_option', {
      sessionId: session,
      configId: option.id,
      // Some know more names than they list, such as the family of a model.
      value: known?.value ?? wanted,
    })
    const now = optionsIn(answer)
    return now.length === 0 ? options.map((one) => (one === option ? { ...one, current: wanted } : one)) : now
  } catch (error) {
    const why = `it does not take ${what} ${quoted(wanted, 200)}${offered(option)} (${messageOf(error)})`
    if (isMust) throw new ChoiceRefused(why, { cause: error })
    onNote(why)
    return options
  }
}

/** The one that it uses, where that is such a model already. */
function modelNamed(option: Option | undefined, like: readonly string[]): string | null {
  const current = option?.values.filter((one) => one.value === option.current) ?? []
  for (const part of like) {
    const isLike = ({ value: id, name }: z.infer<typeof value>): boolean =>
      [id, name].some((text) => text.toLowerCase().includes(part))
    const found = [...current, ...(option?.values ?? [])].find(isLike)
    if (found !== undefined) return found.value
  }
  return null
}

function find(options: readonly Option[], what: Setting['what']): Option | undefined {
  const category = what === 'model' ? 'model' : 'thought_level'
  const ids = what === 'model' ? ['model'] : EFFORT_IDS
  return (
    options.find((option) => option.category === category) ??
    options.find((option) => ids.includes(option.id.toLowerCase()))
  )
}

const matching = ({ values }: Option, wanted: string): z.infer<typeof value> | undefined =>
  values.find((one) => one.value === wanted) ??
  values.find((one) => [one.value, one.name].some((text) => text.toLowerCase() === wanted.toLowerCase()))

const MOST_OFFERED = 30

function offered({ values }: Option): string {
  if (values.length === 0) return ''
  const names = values.slice(0, MOST_OFFERED).map((one) => quoted(one.value, 200))
  const more = values.length > MOST_OFFERED ? ` and ${values.length - MOST_OFFERED} more` : ''
  return `; it offers ${names.join(', ')}${more}`
}

/** What cannot be read is no option. Values may stand in groups. */
function optionsIn(answer: unknown): readonly Option[] {
  const { configOptions = [] } = answerSchema.safeParse(answer).data ?? {}
  return configOptions.flatMap((one) => {
    const { data } = optionSchema.safeParse(one)
    if (data === undefined) return []
    const listed = data.options.flatMap((entry) => groupSchema.safeParse(entry).data?.options ?? [entry])
    const values = listed.flatMap((entry) => value.safeParse(entry).data ?? [])
    return [{ id: data.id, category: data.category ?? null, current: data.currentValue, values }]
  })
}
