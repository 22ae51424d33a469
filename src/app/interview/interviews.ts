/** The interviews of all repositories, one at a time in each: the use cases that every door calls. */
import { interviewParts, interviewStreamOf } from './interview-stream.ts'
import { realpath } from 'node:fs/promises'
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { continuedForm } from '../../core/interview/form/take-turn.ts'
import type { Machine, Recoverable } from '../../core/interview/machine.ts'
import { DEFAULT_EXPERTISE } from '../../core/interview/transitions.ts'
import { architectRequest } from '../../core/spec/architect-messages.ts'
import { refusal } from '../../lib/refusal.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { InterviewRow } from '../../protocol/answers.ts'
import type { ConversationAnswer, OutlineAnswer, PmStatus, PreviewAnswer } from '../../protocol/interview.ts'
import { keyOf, noticed, received, restored, withKey } from './call-events.ts'
import type {
  AbandonAsked,
  ActionAsked,
  ChatAsked,
  StartAsked,
  UploadAsked,
  InterviewParts,
} from './interview-parts.ts'
import { InterviewEngine, InterviewRejection } from './interview-engine.ts'
import { interviewStreams, loadMachine } from './interview-log.ts'
import {
  projectFolder,
  changedSpec,
  invalidSpec,
  nothingToAbandon,
  notInPreview,
  notKept,
  openElsewhere,
  otherSession,
} from './interview-refusals.ts'
import { checkedDraft } from './tools.ts'
import { conversationOf, openRow, outlineOf, previewOf, statusOf } from './views.ts'

const USER = 'user'
/** Of a folder where no machine is open. */
const IDLE = { session: null, state: 'WAITING' } as const

/** After an orderly stop it goes on by itself, and a start with its text is the same start again. */
function goesOnWith({ cause, session }: Recoverable, text: string): boolean {
  if (cause !== 'shutdown') return false
  if (session.startText !== text) throw openElsewhere({ session, state: 'WAITING' })
  return true
}

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
    const repository = await this.#readyRepository(asked.repository)
    const bootstrap = await this.#parts.bootstrapOf(repository)
    const awaitUserMs = asked.awaitUserMs ?? (await this.#parts.awaitUserMsOf(repository))
    const engine = await this.#opened(repository, 'create')
    return this.#change(engine, { key: keyOf('start', key), environment }, (machine) => {
      const { session } = machine
      if (session !== null) {
        if (text === undefined || session.startText === text) return []
        throw openElsewhere(machine)
      }
      const kept = machine.recoverable.find(({ session: { id } }, at) =>
        typeof resume === 'string' ? id === resume : at === 0,
      )
      if (kept === undefined && typeof resume === 'string') throw notKept(resume)
      if (kept !== undefined && (resume ?? (text === undefined || goesOnWith(kept, text))))
        return restored(kept, by, text === kept.session.startText ? undefined : text)
      const started: InterviewEvent = {
        type: 'interview.started',
        v: 1,
        session: `${machine.number}.${machine.interviews + 1}`,
        by,
        expertise: asked.expertise ?? DEFAULT_EXPERTISE,
        text: text ?? null,
        request: asked.request ?? null,
        bootstrap,
        awaitUserMs,
        earlier: resume === false && kept !== undefined ? 'dropped' : 'kept',
      }
      return text === undefined
        ? [started]
        : [started, ...received(by, text), ...noticed(bootstrap.needed ? null : 1)]
    })
  }

  async chat(asked: ChatAsked): Promise<PmStatus> {
    const { repository: path, session_id, message, answers, by = USER, key, environment } = asked
    const engine = await this.#existing(path)
    if (engine === null) throw otherSession(IDLE, session_id)
    return this.#change(engine, { key: keyOf(`chat:${session_id}`, key), environment }, (machine) => {
      if (machine.session?.id !== session_id) throw otherSession(machine, session_id)
      const { state, session } = machine
      return [
        ...received(by, message, answers),
        ...noticed(state === 'AWAIT_USER' ? session.conversation.length + 1 : null),
      ]
    })
  }

  async upload(asked: UploadAsked): Promise<PmStatus> {
    const { repository: path, markdown, resume, by = USER, key, environment } = asked
    const checked = checkedDraft(this.#parts.checkSpec, markdown, null)
    if (!checked.ok) throw invalidSpec(checked)
    const { draft } = checked
    const repository = await this.#readyRepository(path)
    const engine = await this.#opened(repository, 'create')
    return this.#change(engine, { key: keyOf('upload', key), environment }, (machine) => {
      const { session, state } = machine
      if (state === 'PREVIEW' && session?.draft?.sha256 === draft.sha256) return []
      if (session !== null) throw openElsewhere(machine)
      const id = `${machine.number}.${machine.interviews + 1}`
      const earlier = resume === false && machine.recoverable.length > 0 ? 'dropped' : 'kept'
      const request = asked.request ?? null
      return [{ type: 'interview.spec_uploaded', v: 1, session: id, by, draft, request, earlier }]
    })
  }

  /** Ends what is open, in whatever state; nothing of it is kept but the log. */
  async abandon({ repository: path, by = USER }: AbandonAsked): Promise<PmStatus> {
    const engine = await this.#existing(path)
    if (engine === null) throw nothingToAbandon(IDLE)
    return this.#change(engine, {}, (machine) => {
      if (machine.session === null) throw nothingToAbandon(machine)
      return [
        { type: 'interview.failed', v: 1, cause: 'abandoned', why: `abandoned by ${by}` },
        { type: 'interview.reset', v: 1 },
      ]
    })
  }

  async previewSpec({ repository: path }: { readonly repository: string }): Promise<PreviewAnswer> {
    const engine = await this.#existing(path)
    const answer = engine === null ? null : previewOf(engine.machine)
    if (engine !== null && answer !== null) {
      return { ...answer, ...(await this.#parts.changesOf?.(engine.repository, answer.user_spec_md)) }
    }
    throw refusal('not_found', 'there is no spec to preview', 'Finish the interview, or upload a spec.')
  }

  /** What the draft would be if the questions ended now. Without a draft to preview, it is what a user can watch grow. */
  async outline({ repository: path }: { readonly repository: string }): Promise<OutlineAnswer> {
    const engine = await this.#existing(path)
    return outlineOf(engine?.machine ?? null)
  }

  async previewAction(asked: ActionAsked): Promise<PmStatus> {
    const { action, spec_sha, by = USER, environment } = asked
    const engine = await this.#existing(asked.repository)
    if (engine === null) throw notInPreview(action, IDLE)
    await this.#keep(engine, environment)
    // Before the architect reads it: without an agent no plan would be registered, and the spec would have to wait.
    const isPreview = engine.machine.state === 'PREVIEW'
    if (action === 'submit_to_architect' && isPreview) await this.#parts.requireAgent(engine.repository)
    return this.#change(engine, {}, (machine) => {
      const { state, session, lastAction } = machine
      const isDone = lastAction?.action === action && lastAction.sha256 === spec_sha
      // The same click twice; what came of it may have gone on since.
      if (state !== 'PREVIEW' && isDone) return []
      const draft = session?.draft ?? null
      if (state !== 'PREVIEW') throw notInPreview(action, machine)
      if (draft !== null && state === 'PREVIEW' && draft.sha256 !== spec_sha)
        throw changedSpec(draft.sha256, spec_sha)
      if (action === 'continue_interview') {
        const post = session?.draftedBy === 'nobody' ? continuedForm(session.draft?.user_spec_md ?? '') : null
        return [{ type: 'interview.continued', v: 1, by, sha256: spec_sha, post }]
      }
      const request = architectRequest(draft?.user_spec_md ?? '', draft?.bootstrap_spec_md ?? null)
      const key = `${session?.id ?? 'none'}:${machine.version}:${spec_sha}`
      return [{ type: 'interview.review_requested', v: 1, by, key, sha256: spec_sha, request }]
    })
  }

  async status({ repository: path }: { readonly repository: string }): Promise<PmStatus> {
    const engine = await this.#existing(path)
    const repository = engine?.repository ?? (await this.#knownRepository(path))
    return this.#status(engine, repository)
  }

  /** Those that are open, in all repositories. */
  list(): readonly InterviewRow[] {
    return [...this.#engines.values()].flatMap(({ machine, repository }) =>
      machine.session === null ? [] : [openRow(machine, machine.session, repository.path)],
    )
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
      // What a stop or an error ended can be gone on with at the next start.
      if (state === 'DONE' && recoverable.length === 0) await this.#parts.log.closeStream(engine.stream)
    })
    for (const closed of await Promise.allSettled(closing)) {
      if (closed.status === 'rejected') this.#parts.onError('closing an interview', closed.reason)
    }
  }

  /** Before the events: the next turn may need it. */
  async #keep(engine: InterviewEngine, environment: StartAsked['environment']): Promise<void> {
    if (environment !== undefined) await this.#parts.environments?.keep(engine.repository, environment)
  }

  /** Durable when it resolves. */
  async #change(
    engine: InterviewEngine,
    {
      key,
      environment,
    }: { readonly key?: string | undefined; readonly environment?: StartAsked['environment'] },
    eventsNow: (machine: Machine) => readonly InterviewEvent[],
  ): Promise<PmStatus> {
    await this.#keep(engine, environment)
    try {
      await engine.propose((machine) =>
        key !== undefined && machine.keys.includes(key) ? [] : withKey(eventsNow(machine), key),
      )
    } catch (error) {
      if (!(error instanceof InterviewRejection)) throw error
      throw refusal(
        'conflict',
        error.message,
        'Check its state: GET /api/pm/status, or bosun interview.',
        error,
      )
    } finally {
      engine.forgetUnneeded()
    }
    return this.#status(engine, engine.repository)
  }

  #status(engine: InterviewEngine | null, repository: Repository | null): PmStatus {
    const damaged = this.#damaged.get(repository?.id ?? '') ?? null
    return statusOf(engine?.machine ?? null, { now: this.#parts.clock.now(), damaged })
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

  /**
   * The repository need not be known yet: an interview may be the first thing that happens in it. Refused where no plan could
   * come of it: before anything is asked, and nothing is registered.
   */
  async #readyRepository(path: string): Promise<Repository> {
    const folder = await projectFolder(path)
    await this.#parts.requireCommit(folder)
    return this.#parts.repositories.register(folder, this.#parts.clock.now())
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
    if (how === null && (kept?.recoverable ?? []).length === 0) return null
    const next = interviewStreamOf(repository.id, last + 1)
    await this.#open(next, {
      type: 'interview.opened',
      v: 1,
      repository: repository.id,
      number: last + 1,
      recoverable: [...(kept?.recoverable ?? [])],
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
