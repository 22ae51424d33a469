/** A real agent under Bosun's supervisor, without the rest of Bosun around it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentEvent, WorkerEnded } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag } from '../agents/lab.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { always, hang } from '../agents/model-server/script.ts'
import { aJob } from '../helpers/requests.ts'
import { openAgentHome, startScript, type AgentHome } from './agent-home.ts'
import type { RealAgent } from './agents.ts'
import type { Form } from './matrix.ts'

export interface SupervisedOptions {
  readonly form?: Form
  readonly idleMs?: number
  /** How it continues a session, by its row. */
  readonly continues?: 'load' | 'resume' | undefined
}

export class Supervised {
  readonly events: AgentEvent[] = []
  readonly server: ModelServer
  readonly home: AgentHome
  readonly root: string
  readonly #agent: RealAgent
  readonly #tag: string
  readonly #bosun: Awaited<ReturnType<typeof labAgent>>

  private constructor(parts: {
    readonly agent: RealAgent
    readonly server: ModelServer
    readonly home: AgentHome
    readonly root: string
    readonly tag: string
    readonly bosun: Awaited<ReturnType<typeof labAgent>>
  }) {
    this.server = parts.server
    this.home = parts.home
    this.root = parts.root
    this.#agent = parts.agent
    this.#tag = parts.tag
    this.#bosun = parts.bosun
    this.#bosun.listen((event) => this.events.push(event))
  }

  /** Its model is silent until it is given a script. */
  static async open(agent: RealAgent, options: SupervisedOptions = {}): Promise<Supervised> {
    const { form = 'acp', idleMs = 20_000, continues = 'load' } = options
    const server = await startModelServer(always(hang()))
    const home = await openAgentHome(agent, server)
    const root = await mkdtemp(join(tmpdir(), 'bosun-supervised-'))
    const { argv, env, method = null, mode = null, usage, errorsIn } = agent.acp(home.place)
    const start = join(root, 'start.sh')
    const text = form === 'acp' ? startScript(home, argv, env) : startScript(home, agent.command(home.place))
    await writeFile(start, text)
    const tag = newTag()
    const bosun = await labAgent({
      root,
      tag,
      commandFor: () => ['sh', start],
      ...(form === 'acp' ? { acp: { authenticate: method, mode, usage, errorsIn, continues } } : {}),
      idleMs,
      graceMs: 5000,
    })
    return new Supervised({ agent, server, home, root, tag, bosun })
  }

  /** The text is the brief, or its end. */
  async start(
    worker: string,
    { brief = '', session }: { brief?: string; session?: string } = {},
  ): Promise<void> {
    const context = { ...aJob(worker).context, block: brief }
    const earlier = {
      agent: 'lab',
      protocol: 'acp',
      continues: 'load',
      worker: 'w-0',
      isContinued: false,
    } as const
    const continued = session === undefined ? {} : { session: { ...earlier, id: session } }
    await this.#bosun.start(labJob(worker, this.#agent.name, { context, ...continued }))
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
    this.#bosun.close()
    await this.server.close()
    await this.home.dispose()
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 })
  }
}
