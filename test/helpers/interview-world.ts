/** Interviews on a log in memory, with a brain, an architect and services that a test controls. */
import { rmSync } from 'node:fs'
import { Interviews } from '../../src/app/interview/interviews.ts'
import type { InterviewParts, Reviewed } from '../../src/app/interview/interview-parts.ts'
import {
  nextState,
  SUSPENSIONS,
  TRANSITIONS,
  type InterviewState,
} from '../../src/core/interview/transitions.ts'
import { NO_CONTEXT, type ProjectContext } from '../../src/core/intake/project-context.ts'
import type { Machine } from '../../src/core/interview/machine.ts'
import {
  toolCallSchema,
  type BootstrapFacts,
  type ToolCall,
  type TurnInput,
} from '../../src/core/interview/turn.ts'
import { foldInterview } from '../../src/core/interview/fold.ts'
import { interviewDefinitionOf } from '../../src/core/interview/events/interview-events.ts'
import { isInterviewEvent, logCodec, type LogEvent } from '../../src/core/log/log-events.ts'
import type { Question } from '../../src/core/thinking/question.ts'
import type { ServiceHealth, ThinkCall, Thought, ThoughtUsage } from '../../src/ports/brain.ts'
import type { Repository } from '../../src/ports/repositories.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { repositoryId } from '../../src/store/sqlite/sqlite-repositories.ts'
import { tempFolder } from './temp-folder.ts'

export const SPEC = '# Feature: Search\n'

const turn: Question<TurnInput, ToolCall> = {
  name: 'interview_turn',
  size: 'large',
  answer: toolCallSchema(),
  prompt: () => ({ task: '', data: [] }),
  unjudged: () => ({ tool: 'await_user' }),
}

type Answer<Input, Value> = (input: Input, signal: AbortSignal) => Value | Promise<Value>

export class InterviewWorld {
  readonly project = tempFolder('interview')
  readonly clock = new VirtualClock(1_000_000, () => 0)
  readonly log = new MemoryEventLog<LogEvent>(logCodec)
  readonly errors: string[] = []
  /** What the PM saw in each turn. */
  readonly turns: TurnInput[] = []
  readonly registered: string[] = []
  /** What each turn brought along as spent before it. */
  readonly spent: number[] = []
  /** Who answers a turn, and why a model did not. */
  by = 'nobody'
  fallback: string | null = null
  /** What a turn costs. */
  usage: ThoughtUsage | null = null
  /** How often the architect was asked. */
  reviews = 0
  /** How often the services were checked. */
  checks = 0
  think: Answer<TurnInput, ToolCall> = () => ({ tool: 'await_user' })
  review: Answer<string, Reviewed> = () => approved()
  services: () => readonly ServiceHealth[] | Promise<readonly ServiceHealth[]> = () => []
  register: (text: string) => string | Promise<string> = () => 'search'
  checkSpec: InterviewParts['checkSpec'] = checkSpec
  requireCommit: InterviewParts['requireCommit'] = async () => undefined
  requireAgent: InterviewParts['requireAgent'] = async () => undefined
  context: (signal: AbortSignal) => Promise<ProjectContext> = async () => NO_CONTEXT
  awaitUserMs: number | null = null
  bootstrap: BootstrapFacts = { needed: false, missing: [], language: null }
  #known: Repository[] = []
  #interviews: Interviews | null = null

  get interviews(): Interviews {
    if (this.#interviews === null) throw new Error('not open')
    return this.#interviews
  }

  async open(): Promise<this> {
    this.#interviews = await Interviews.open(this.#parts())
    return this
  }

  /** Interviews of the same world in another host. */
  async openIn(host: Pick<InterviewParts, 'log' | 'clock' | 'repositories'>): Promise<Interviews> {
    const { log, clock, repositories } = host
    this.#interviews = await Interviews.open({ ...this.#parts(), log, clock, repositories })
    return this.#interviews
  }

  /** Another daemon on the same log; the one before ended without a word. */
  async crash(): Promise<void> {
    await this.open()
  }

  /** An orderly stop. */
  async stop(): Promise<void> {
    await this.interviews.close()
  }

  /** Lets everything run that waits for nothing but its turn, and `ms` pass. */
  async pass(ms = 0): Promise<void> {
    const until = this.clock.monotonic() + ms
    await this.clock.run(until, () => false)
    // The clock stops at its last timer: the rest passes too.
    if (this.clock.monotonic() < until) {
      this.clock.wake(until - this.clock.monotonic(), () => undefined)
      await this.clock.run(until, () => false)
    }
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  /** Resolves once the newest machine is in this state. */
  async until(state: InterviewState): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stop = this.log.subscribe(
      0,
      () => void this.machine().then((machine) => (machine.state === state ? resolve() : undefined), reject),
      reject,
    )
    await promise
    stop()
  }

  /** The newest machine, by the log alone. Every transition in it was one of the table's. */
  async machine(): Promise<Machine> {
    let machine: Machine | null = null
    let stream = ''
    for (const { event, version, at, stream: of } of await this.log.tail(0, 100_000)) {
      if (!isInterviewEvent(event)) continue
      if (of !== stream) machine = null
      stream = of
      const before: Machine | null = machine === null ? null : structuredClone(machine)
      machine = foldInterview(machine, { event, version, at })
      if (before !== null) checkMove(before, machine, interviewDefinitionOf(event.type).trigger(event))
    }
    if (machine === null) throw new Error('no interview')
    return machine
  }

  async types(): Promise<readonly string[]> {
    return (await this.log.tail(0, 100_000)).map(({ event }) => event.type)
  }

  dispose(): void {
    rmSync(this.project, { recursive: true, force: true })
  }

  #parts(): InterviewParts {
    const thinking = async () => ({
      brain: {
        think: async <I, A>(_question: Question<I, A>, input: I, { signal, spentUsd }: ThinkCall) => {
          // The one question that is asked.
          const seen = input as unknown as TurnInput
          this.turns.push(seen)
          this.spent.push(spentUsd ?? 0)
          const answer = (await this.think(seen, signal)) as unknown as A
          const thought: Thought<A> = {
            answer,
            by: '',
            usage: this.usage,
            fallback: null,
            cached: false,
          }
          const { fallback } = this
          return { ...thought, by: this.by, fallback }
        },
      },
      services: {
        check: async () => {
          this.checks++
          return this.services()
        },
      },
    })
    return {
      log: this.log,
      clock: this.clock,
      repositories: {
        find: async (id) => this.#known.find((one) => one.id === id) ?? null,
        list: async () => this.#known,
        register: async (path, registeredAt) => {
          const { id, name } = repositoryId(path)
          const known = this.#known.find((one) => one.id === id)
          if (known !== undefined) return known
          const repository = { id, name, path, registeredAt }
          this.#known.push(repository)
          return repository
        },
      },
      thinking,
      turn,
      checkSpec: (markdown) => this.checkSpec(markdown),
      requireCommit: (folder) => this.requireCommit(folder),
      requireAgent: (repository) => this.requireAgent(repository),
      bootstrapOf: async () => this.bootstrap,
      awaitUserMsOf: async () => this.awaitUserMs,
      contextOf: (_repository, { signal }) => this.context(signal),
      committedIn: async () => ({ files: [], texts: async () => new Map<string, string>() }),
      review: async ({ request, call }) => {
        this.reviews++
        return this.review(request.content, call.signal)
      },
      registerPlan: async (_repository, text) => {
        const plan = await this.register(text)
        this.registered.push(text)
        return plan
      },
      onError: (what, error) => this.errors.push(`${what}: ${String(error)}`),
    }
  }
}

const checkSpec: InterviewParts['checkSpec'] = (markdown) =>
  markdown.startsWith('# Feature:')
    ? {
        metadata: { title: 'Search', version: '1.0', priority: 'must', requirements_count: 1 },
        faults: [],
      }
    : {
        metadata: null,
        faults: [
          { file: 'spec', line: 1, message: 'no title', remedy: 'write # Feature: and its name' },
          { file: 'spec', line: 2, message: 'no requirements', remedy: 'write ## Requirements' },
        ],
      }

export const approved = (): Reviewed => ({
  result: { status: 'approved', feedback: 'fine', type: 'spec' },
  stories: [{ id: 'S-001' }],
  planText: 'plan: search\n',
  judgedBy: 'nobody',
  spentUsd: 0,
})

export const needsChanges = (feedback: string): Reviewed => ({
  result: { status: 'needs_changes', feedback, type: 'spec' },
  stories: [],
  planText: null,
  judgedBy: 'nobody',
  spentUsd: 0,
})

export const submit: ToolCall = { tool: 'spec_submit', markdown: SPEC, bootstrap_markdown: null }
export const post = (text: string): ToolCall => ({ tool: 'chat_post', text, questions: null })

const LEGAL = new Set([...TRANSITIONS, ...SUSPENSIONS].map(({ from, to }) => `${from} ${to}`))

function checkMove(before: Machine, after: Machine, on: Parameters<typeof nextState>[1] | null): void {
  const pair = `${before.state} ${after.state}`
  if (on === null ? before.state !== after.state : !LEGAL.has(pair) || nextState(before, on) !== after.state)
    throw new Error(`${pair} on ${on} is not a transition of the table`)
}
