/** A real agent in the sandbox under Bosun's supervisor, without the rest of Bosun around it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placesOfAgents } from '../../src/agents/agent-state.ts'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import type { AgentSession, SessionContinuation } from '../../src/core/state/agent-session.ts'
import type { AgentEvent, WorkerEnded } from '../../src/ports/agent.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from '../agents/lab.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { always, hang } from '../agents/model-server/script.ts'
import { aJob } from '../helpers/requests.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import type { RealAgent } from './agents.ts'
import type { Form } from './matrix.ts'

export interface SupervisedOptions {
  readonly form?: Form
  readonly idleMs?: number
  /** How it continues a session, by its row. */
  readonly continues?: SessionContinuation
}

/** The sandbox that workers have by default. */
export async function walled(root: string): Promise<Pick<Lab, 'walls' | 'nests'>> {
  const place = { root, env: process.env, hidden: placesOfAgents(process.env) }
  const { nests, ...sandbox } = await openSandbox({ mode: 'contain', allow: [] }, place)
  return { nests, walls: (own) => sandbox.wall({ network: 'open', readable: [], ...own }) }
}

export class Supervised {
  readonly events: AgentEvent[] = []
  readonly server: ModelServer
  readonly home: AgentHome
  readonly root: string
  readonly #agent: RealAgent
  readonly #tag: string
  readonly #continues: SessionContinuation
  readonly #bosun: Awaited<ReturnType<typeof labAgent>>

  private constructor(parts: {
    readonly agent: RealAgent
    readonly server: ModelServer
    readonly home: AgentHome
    readonly root: string
    readonly tag: string
    readonly continues: SessionContinuation
    readonly bosun: Awaited<ReturnType<typeof labAgent>>
  }) {
    this.server = parts.server
    this.home = parts.home
    this.root = parts.root
    this.#agent = parts.agent
    this.#tag = parts.tag
    this.#continues = parts.continues
    this.#bosun = parts.bosun
    this.#bosun.listen((event) => this.events.push(event))
  }

  /** Its model is silent until it is given a script. */
  static async open(agent: RealAgent, options: SupervisedOptions = {}): Promise<Supervised> {
    const { form = 'acp', idleMs = 20_000, continues = 'load' } = options
    const server = await startModelServer(always(hang()))
    const home = await openAgentHome(agent, server)
    const root = await mkdtemp(join(tmpdir(), 'bosun-supervised-'))
    const { argv, env, method = null, mode = null, errorsIn } = agent.acp(home.place)
    const usage = AGENT_ROWS.find(({ name }) => name === agent.name)?.acp.session.usage ?? 'none'
    const command = form === 'acp' ? argv : agent.command(home.place)
    const tag = newTag()
    const { PATH: _, ...variables } = { ...home.env, ...(form === 'acp' ? env : {}) }
    const bosun = await labAgent({
      root,
      tag,
      commandFor: () => command,
      ...(await walled(root)),
      ...(form === 'acp' ? { acp: { authenticate: method, mode, usage, errorsIn, continues } } : {}),
      idleMs,
      variables,
      graceMs: 5000,
    })
    return new Supervised({ agent, server, home, root, tag, continues, bosun })
  }

  /** The text is the end of its brief; `after` is the worker whose session it continues. */
  async start(worker: string, { brief = '', after }: { brief?: string; after?: string } = {}): Promise<void> {
    const context = { ...aJob(worker).context, block: brief }
    const session = after === undefined ? undefined : this.#session(after)
    await this.#bosun.start(labJob(worker, this.#agent.name, { context, session }))
  }

  #session(worker: string): AgentSession {
    const id = this.sessionOf(worker) ?? ''
    return { id, agent: 'lab', protocol: 'acp', continues: this.#continues, worker, isContinued: false }
  }

  stop(worker: string): Promise<void> {
    return this.#bosun.stop(worker, 'killed')
  }

  async ended(worker: string): Promise<WorkerEnded> {
    const isIt = (event: AgentEvent): event is WorkerEnded =>
      event.kind === 'ended' && event.worker === worker
    const known = this.events.find(isIt)
    if (known !== undefined) return known
    return new Promise((resolve) => {
      const unlisten = this.#bosun.listen((event) => {
        if (!isIt(event)) return
        unlisten()
        resolve(event)
      })
    })
  }

  /** Of its agent, by what the supervisor noted. */
  sessionOf(worker: string): string | null {
    for (const event of this.events)
      if (event.kind === 'session' && event.worker === worker) return event.session
    return null
  }

  workspaceOf(worker: string): string {
    return join(this.root, 'clones', worker)
  }

  /** Processes that are left of its workers. */
  left(): readonly number[] {
    return withTag(this.#tag)
  }

  async close(): Promise<void> {
    await this.#bosun.close()
    await this.server.close()
    await this.home.dispose()
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 })
  }
}
