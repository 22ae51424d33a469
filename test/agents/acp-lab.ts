/** One worker at a time whose agent is the misbehaving one of the Agent Client Protocol, with a real supervisor. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { AgentEvent, Job, WorkerEnded } from '../../src/ports/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { LET_GO } from './acp-agent/turn.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PROGRAM = programPath('test/agents/misbehaving-acp-agent.ts')

export class AcpLab {
  #lab: Lab | null = null
  #agent: SupervisedAgent | null = null
  #log = ''
  /** Of the agent that was opened last. */
  events: AgentEvent[] = []

  /** Makes a folder for each test of the file, and expects that it leaves no process. */
  constructor() {
    beforeEach(async () => {
      const root = tempFolder('acp')
      const log = join(root, 'log.jsonl')
      const commandFor = (behaviour: string) => [process.execPath, PROGRAM, behaviour, log]
      this.#lab = { root, tag: newTag(), acp: { usage: 'sum' }, commandFor }
      this.#log = log
      this.events = []
    })
    afterEach(async () => {
      await this.agent.close()
      expect(withTag(this.#open.tag)).toEqual([])
    })
  }

  get agent(): SupervisedAgent {
    if (this.#agent === null) throw new Error('open it first')
    return this.#agent
  }

  get root(): string {
    return this.#open.root
  }

  /** What the agent wrote down itself. */
  get log(): string {
    return readFileSync(this.#log, 'utf8')
  }

  /** Lets the turn of `works_when_let` go on to its end. */
  letGo(): void {
    writeFileSync(`${this.#log}${LET_GO}`, '')
  }

  get #open(): Lab {
    if (this.#lab === null) throw new Error('it is there within a test only')
    return this.#lab
  }

  async open(more: Partial<Lab> = {}): Promise<void> {
    this.#lab = { ...this.#open, ...more }
    this.#agent = await labAgent(this.#lab)
    this.#agent.listen((event) => this.events.push(event))
  }

  of<K extends AgentEvent['kind']>(kind: K): readonly Extract<AgentEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind)
  }

  async seen(kind: AgentEvent['kind']): Promise<void> {
    await until(() => this.of(kind).length > 0)
  }

  async ended(): Promise<WorkerEnded> {
    await this.seen('ended')
    const [end] = this.of('ended')
    if (end === undefined) throw new Error('it never ended')
    return end
  }

  start(behaviour: string, job: Partial<Job> = {}): ReturnType<SupervisedAgent['start']> {
    return this.agent.start(labJob('w-1', behaviour, job))
  }

  async run(behaviour: string, job: Partial<Job> = {}): Promise<WorkerEnded> {
    await this.start(behaviour, job)
    return this.ended()
  }

  /** What the agent got from its client, by its own log. */
  received(method: string): readonly Record<string, unknown>[] {
    return this.log
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly in?: Record<string, unknown> }).in ?? {})
      .filter((one) => one['method'] === method)
  }
}

export async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 60_000 }).toBe(true)
}
