/** The interviews of all repositories, one at a time in each: the use cases that every door calls. */
import { realpath } from 'node:fs/promises'
import type { InterviewEvent, InterviewEventOf } from '../../core/interview/events/interview-events.ts'
import type { Machine, Recoverable } from '../../core/interview/machine.ts'
import { restoreEvents } from '../../core/interview/restore.ts'
import { DEFAULT_EXPERTISE, type Expertise, type PreviewActionName } from '../../core/interview/states.ts'
import { architectRequest } from '../../core/spec/architect-messages.ts'
import { Refusal } from '../../lib/refusal.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { ConversationAnswer, PmStatus, PreviewAnswer } from '../../protocol/interview.ts'
import { InterviewEngine, InterviewRejection } from './interview-engine.ts'
import { interviewStreams, loadMachine } from './interview-log.ts'
import type { CallerVariables, InterviewParts } from './interview-parts.ts'
import { interviewParts, interviewStreamOf } from './interview-stream.ts'
import { checkedDraft } from './spec-draft.ts'
import { conversationOf, idleStatus, previewOf, statusOf } from './views.ts'

export interface StartAsked {
  /** The project folder. */
  readonly repository: string
  readonly expertise?: Expertise | undefined
  /** The user's first message. */
  readonly text?: string | undefined
  /** Whether to continue the interview that an error ended. Without a text the default is to continue. */
  readonly resume?: boolean | undefined
  /** Waiting longer for the user than this is an error; absent: it waits for ever. */
  readonly awaitUserMs?: number | undefined
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  /** The same call again has no further effect. */
  readonly key?: string | undefined
}

export interface ChatAsked {
  readonly repository: string
  readonly session_id: string
  readonly message: string
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  readonly key?: string | undefined
}

export interface UploadAsked {
  readonly repository: string
  readonly markdown: string
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
  readonly key?: string | undefined
}

export interface ActionAsked {
  readonly repository: string
  readonly action: PreviewActionName
  /** Of the spec that the user has seen. */
  readonly spec_sha: string
  readonly by?: string | undefined
  readonly environment?: CallerVariables | undefined
}

const USER = 'user'

export class Interviews {
  readonly #parts: InterviewParts
  readonly #engines = new Map<string, InterviewEngine>()
  /** Machines are opened one at a time, so that a repository never has two. */
  readonly #opening = new SerialQueue()
  /** Why the newest machine of a repository could not be loaded. */
  readonly #damaged = new Map<string, string>()

  private constructor(parts: InterviewParts) {
    this.#parts = parts
  }

  /** Goes on with every interview that is open. One that cannot be loaded does not keep the others from going on. */
  static async open(parts: InterviewParts): Promise<Interviews> {
    const interviews = new Interviews(parts)
    const open = await parts.log.streams({ open: true })
    const repositories = new Set(open.flatMap(({ stream }) => interviewParts(stream)?.repository ?? []))
    for (const id of repositories) {
      const repository = await parts.repositories.find(id)
      if (repository !== null) await interviews.#opened(repository)
    }
    parts.environments?.forgetAllBut((id) => repositories.has(id))
    return interviews
  }

  async start(asked: StartAsked): Promise<PmStatus> {
    const { by = USER, text, resume, key, environment } = asked
    const repository = await this.#repository(asked.repository)
    const bootstrap = await this.#parts.bootstrapOf(repository)
    return this.#change(repository, { key: keyOf('start', key), environment }, (machine) => {
      const { session, recoverable } = machine
      if (session !== null && text !== undefined && session.startText === text) return []
      if (session !== null) throw openElsewhere(machine)
      if (recoverable !== null && resume === undefined && text !== undefined) throw undecided()
      if (recoverable !== null && resume !== false) return restored(recoverable, by, text)
      const started: InterviewEvent = {
        type: 'interview.started',
        v: 1,
        session: `${machine.number}.${machine.interviews + 1}`,
        by,
        expertise: asked.expertise ?? DEFAULT_EXPERTISE,
        text: text ?? null,
        bootstrap,
        awaitUserMs: asked.awaitUserMs ?? null,
        restored: false,
      }
      return text === undefined
        ? [started]
        : [started, ...received(by, text), ...noticed(bootstrap.needed ? null : 1)]
    })
  }

  async chat(asked: ChatAsked): Promise<PmStatus> {
    const { repository: path, session_id, message, by = USER, key, environment } = asked
    const repository = await this.#repository(path)
    return this.#change(repository, { key: keyOf(`chat:${session_id}`, key), environment }, (machine) => {
      if (machine.session?.id !== session_id) throw otherSession(machine, session_id)
      const { state, session } = machine
      return [
        ...received(by, message),
        ...noticed(state === 'AWAIT_USER' ? session.conversation.length + 1 : null),
      ]
    })
  }

  async upload(asked: UploadAsked): Promise<PmStatus> {
    const { repository: path, markdown, by = USER, key, environment } = asked
    const checked = checkedDraft(this.#parts.checkSpec, markdown, null)
    if (!checked.ok) throw invalidSpec(checked)
    const { draft } = checked
    const repository = await this.#repository(path)
    return this.#change(repository, { key: keyOf('upload', key), environment }, (machine) => {
      const { session, state } = machine
      if (state === 'PREVIEW' && session?.draft?.sha256 === draft.sha256) return []
      if (session !== null) throw openElsewhere(machine)
      const id = `${machine.number}.${machine.interviews + 1}`
      return [{ type: 'interview.spec_uploaded', v: 1, session: id, by, draft, restored: false }]
    })
  }

  async previewSpec({ repository: path }: { readonly repository: string }): Promise<PreviewAnswer> {
    const engine = await this.#existing(path)
    const answer = engine === null ? null : previewOf(engine.machine)
    if (answer !== null) {
      const changes = await this.#parts.changesOf?.(await this.#repository(path), answer.user_spec_md)
      return changes === undefined || changes === null ? answer : { ...answer, changes }
    }
    throw new Refusal({
      code: 'not_found',
      message: 'there is no spec to preview',
      remedy: 'Finish the interview, or upload a spec.',
    })
  }

  async previewAction(asked: ActionAsked): Promise<PmStatus> {
    const { action, spec_sha, by = USER, environment } = asked
    const repository = await this.#repository(asked.repository)
    return this.#change(repository, { key: undefined, environment }, (machine) => {
      const { state, session, lastAction } = machine
      const isDone = lastAction?.action === action && lastAction.sha256 === spec_sha
      // The same click twice; what came of it may have gone on since.
      if (state !== 'PREVIEW' && isDone) return []
      const draft = session?.draft ?? null
      if (draft !== null && state === 'PREVIEW' && draft.sha256 !== spec_sha) throw changedSpec()
      if (action === 'continue_interview')
        return [{ type: 'interview.continued', v: 1, by, sha256: spec_sha }]
      const request = architectRequest(draft?.user_spec_md ?? '', draft?.bootstrap_spec_md ?? null)
      const key = `${session?.id ?? 'none'}:${machine.version}:${spec_sha}`
      return [{ type: 'interview.review_requested', v: 1, by, key, sha256: spec_sha, request }]
    })
  }

  async status({ repository: path }: { readonly repository: string }): Promise<PmStatus> {
    const engine = await this.#existing(path)
    if (engine !== null) return this.#status(engine)
    const repository = await this.#knownRepository(path)
    return idleStatus(this.#damaged.get(repository?.id ?? '') ?? null)
  }

  /** The messages after a position; those that the user is not to see are left out. */
  async conversation(asked: {
    readonly repository: string
    readonly after?: number | undefined
  }): Promise<ConversationAnswer> {
    const engine = await this.#existing(asked.repository)
    return conversationOf(engine?.machine ?? null, asked.after ?? 0)
  }

  /** Records an orderly stop of each. One that cannot be recorded goes on in its state, as after a crash. */
  async close(): Promise<void> {
    await this.#opening.idle()
    const closing = [...this.#engines.values()].map(async (engine) => {
      await engine.close()
      const { state, recoverable } = engine.machine
      // What an orderly stop interrupted is gone on with at the next start.
      if (state === 'DONE' && recoverable?.cause !== 'shutdown')
        await this.#parts.log.closeStream(engine.stream)
    })
    for (const closed of await Promise.allSettled(closing)) {
      if (closed.status === 'rejected') this.#parts.onError('closing an interview', closed.reason)
    }
  }

  /** Durable when it resolves. */
  async #change(
    repository: Repository,
    { key, environment }: Pick<StartAsked, 'key' | 'environment'>,
    eventsNow: (machine: Machine) => readonly InterviewEvent[],
  ): Promise<PmStatus> {
    const engine = await this.#opened(repository, 'create')
    // Before the events: the next turn may need it.
    if (environment !== undefined) await this.#parts.environments?.keep(repository, environment)
    try {
      await engine.propose((machine) =>
        key !== undefined && machine.keys.includes(key) ? [] : withKey(eventsNow(machine), key),
      )
    } catch (error) {
      if (!(error instanceof InterviewRejection)) throw error
      throw new Refusal({
        code: 'conflict',
        message: error.message,
        remedy: 'Check its state: GET /api/pm/status, or bosun interview.',
        cause: error,
      })
    } finally {
      engine.forgetUnneeded()
    }
    return this.#status(engine)
  }

  #status(engine: InterviewEngine): PmStatus {
    const damaged = this.#damaged.get(engine.repository.id) ?? null
    return statusOf(engine.machine, { now: this.#parts.clock.now(), damaged })
  }

  /** Looking registers nothing. */
  async #existing(path: string): Promise<InterviewEngine | null> {
    const repository = await this.#knownRepository(path)
    return repository === null ? null : this.#opened(repository)
  }

  async #knownRepository(path: string): Promise<Repository | null> {
    const real = await realpath(path).catch(() => path)
    const all = await this.#parts.repositories.list()
    return all.find((repository) => repository.path === real) ?? null
  }

  /** The repository need not be known yet: an interview may be the first thing that happens in it. */
  async #repository(path: string): Promise<Repository> {
    const real = await realpath(path).catch((cause: unknown) => {
      throw new Refusal({
        code: 'not_found',
        message: `no folder ${path}`,
        remedy: 'Name the folder of the project (repo).',
        cause,
      })
    })
    return this.#parts.repositories.register(real, this.#parts.clock.now())
  }

  #opened(repository: Repository, how: 'create'): Promise<InterviewEngine>
  #opened(repository: Repository): Promise<InterviewEngine | null>
  async #opened(repository: Repository, how?: 'create'): Promise<InterviewEngine | null> {
    const known = this.#engines.get(repository.id)
    if (known !== undefined) return known
    return this.#opening.run(async () => {
      const other = this.#engines.get(repository.id)
      if (other !== undefined) return other
      const engine = await this.#load(repository, how ?? null)
      if (engine !== null) this.#engines.set(repository.id, engine)
      return engine
    })
  }

  /** The newest machine, or the one after it where that has ended. */
  async #load(repository: Repository, how: 'create' | null): Promise<InterviewEngine | null> {
    const { log } = this.#parts
    const streams = await interviewStreams(log, repository.id)
    const last = streams.reduce((most, { number }) => Math.max(most, number), 0)
    if (last === 0 && how === null) return null
    const stream = interviewStreamOf(repository.id, last)
    const before = last === 0 ? null : await this.#readMachine(repository, stream)
    if (before !== null && before !== 'damaged' && before.state !== 'DONE')
      return InterviewEngine.load(this.#parts, { stream, repository })
    const kept = before === null || before === 'damaged' ? null : before
    const goesOn = kept?.recoverable?.cause === 'shutdown'
    if (how === null && !goesOn) return null
    const next = interviewStreamOf(repository.id, last + 1)
    await this.#open(next, {
      type: 'interview.opened',
      v: 1,
      repository: repository.id,
      number: last + 1,
      recoverable: kept?.recoverable ?? null,
      plan: kept?.plan ?? null,
    })
    for (const one of streams) if (!one.closed) await log.closeStream(one.stream)
    return InterviewEngine.load(this.#parts, { stream: next, repository })
  }

  async #open(stream: string, event: InterviewEvent): Promise<void> {
    const { log, clock } = this.#parts
    const written = await log.append({ stream, expectedVersion: 0, at: clock.now(), events: [event] })
    if (!written.ok) throw new Error(`${stream} was written by another process`)
  }

  /** A damaged machine is reported, and the next interview starts in a new one. */
  async #readMachine(repository: Repository, stream: string): Promise<Machine | 'damaged'> {
    try {
      const { machine } = await loadMachine(this.#parts.log, stream)
      return machine
    } catch (error) {
      // A temporary failure of the store is not damage.
      if (error instanceof Error && 'problem' in error && error.problem !== 'damaged') throw error
      const why = error instanceof Error ? error.message : String(error)
      if (!this.#damaged.has(repository.id)) this.#parts.onError(`loading ${stream}`, error)
      this.#damaged.set(repository.id, why)
      return 'damaged'
    }
  }
}

/** The same key of another call is another key. */
const keyOf = (call: string, key: string | undefined): string | undefined =>
  key === undefined ? undefined : `${call}:${key}`

const KEYED = ['interview.started', 'interview.spec_uploaded', 'interview.message_received'] as const
type KeyedEvent = InterviewEventOf<(typeof KEYED)[number]>
const isKeyed = (event: InterviewEvent): event is KeyedEvent => KEYED.some((type) => type === event.type)

/** The key of a call goes into its first event that has room for one. */
function withKey(events: readonly InterviewEvent[], key: string | undefined): readonly InterviewEvent[] {
  const at = key === undefined ? -1 : events.findIndex(isKeyed)
  return events.map((event, index) =>
    index === at && key !== undefined && isKeyed(event) ? { ...event, callKey: key } : event,
  )
}

const received = (by: string, text: string): readonly InterviewEvent[] => [
  { type: 'interview.message_received', v: 1, by, text },
]

/** A message is noticed at once where the interview waits for one; null where it is at work. */
const noticed = (upTo: number | null): readonly InterviewEvent[] =>
  upTo === null ? [] : [{ type: 'interview.message_noticed', v: 1, upTo }]

/** Continues an interview; what the user adds goes into the conversation, also where a draft was in preview. */
function restored(recoverable: Recoverable, by: string, text: string | undefined): readonly InterviewEvent[] {
  const events = restoreEvents(recoverable, by)
  if (text === undefined) return events
  const last = events.at(-1)
  if (last?.type !== 'interview.spec_uploaded') return [...events, ...received(by, text)]
  const { sha256 } = last.draft
  return [...events, { type: 'interview.continued', v: 1, by, sha256 }, ...received(by, text)]
}

const openElsewhere = ({ session, state }: Machine): Refusal =>
  new Refusal({
    code: 'conflict',
    message: `an interview is open in this repository (session ${session?.id ?? 'unknown'}, ${state})`,
    remedy: 'Continue it: bosun interview. A repository has one interview at a time.',
  })

const undecided = (): Refusal =>
  new Refusal({
    code: 'conflict',
    message: 'an earlier interview of this repository ended with an error and can be continued',
    remedy: 'Start again with "resume": true to continue it, or "resume": false to begin anew.',
  })

const otherSession = ({ session, state }: Machine, asked: string): Refusal =>
  new Refusal({
    code: 'conflict',
    message:
      session === null
        ? `no interview is open (session ${asked} has ended; the machine is in ${state})`
        : `session ${asked} has ended; session ${session.id} is open`,
    remedy: 'Read the session to use from GET /api/pm/status, or start an interview.',
  })

const changedSpec = (): Refusal =>
  new Refusal({
    code: 'conflict',
    message: 'the spec has changed since it was shown',
    remedy: 'Read it again (GET /api/pm/preview/spec) and send its spec_sha.',
  })

const invalidSpec = (checked: {
  readonly faults: Refusal['faults']
  readonly problems: readonly string[]
}): Refusal =>
  new Refusal({
    code: 'failed',
    message: checked.faults[0]?.message ?? checked.problems[0] ?? 'the spec is invalid',
    remedy: checked.faults[0]?.remedy ?? 'Correct the spec: bosun spec check FILE',
    faults: checked.faults,
  })
