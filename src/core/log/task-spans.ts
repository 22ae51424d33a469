/** When each task was worked on, proven, reviewed, landed or waited: folded from the events of its plan. */
import { fold, type Fact } from '../events/fold.ts'
import type { Step } from '../state/life.ts'
import type { Instant, PlanState, TaskState } from '../state/state.ts'

export type SpanKind = 'work' | 'gates' | 'review' | 'person' | 'landing' | 'waiting'

export interface Span {
  readonly kind: SpanKind
  readonly from: Instant
  /** Null while it goes on. */
  readonly to: Instant | null
  /** The worker, or what it waits for. */
  readonly label: string
}

type Open = Omit<Span, 'to'>

/** A task that is tried over and over keeps the latest. */
const MOST_SPANS = 200

export class TaskSpans {
  #state: PlanState | null = null
  readonly #ended = new Map<string, Span[]>()
  readonly #open = new Map<string, Open>()

  /** The version of the last event that was taken. */
  get version(): number {
    return this.#state?.version ?? 0
  }

  /** The next event of the plan. */
  take(fact: Fact): void {
    const named = tasksNamed(fact)
    const before = new Map(named.map((id) => [id, readySince(this.#state, id)]))
    const state = fold(this.#state, fact)
    this.#state = state
    for (const id of new Set([...named, ...this.#open.keys()])) {
      const task = state.tasks.get(id)
      const since = before.get(id) ?? null
      if (since !== null && task?.step !== 'ready')
        this.#end(id, { kind: 'waiting', from: since, label: WAITS_FOR_START }, fact.at)
      this.#change(id, task === undefined ? null : activityOf(state, task, this.#open.get(id)), fact.at)
    }
  }

  /** In plan order: tasks with anything to show. */
  rows(): readonly { readonly task: string; readonly title: string; readonly spans: readonly Span[] }[] {
    const state = this.#state
    if (state === null) return []
    return [...state.tasks.values()].flatMap((task) => {
      const { id, title } = task.spec
      const open = this.#open.get(id) ?? waitingNow(task)
      const spans = [...(this.#ended.get(id) ?? []), ...(open === null ? [] : [{ ...open, to: null }])]
      return spans.length === 0 ? [] : [{ task: id, title, spans }]
    })
  }

  #change(id: string, next: Omit<Open, 'from'> | null, at: Instant): void {
    const open = this.#open.get(id)
    if (open !== undefined && next?.kind === open.kind && (next.label === open.label || open.label === '')) {
      this.#open.set(id, { ...open, label: next.label })
      return
    }
    if (open !== undefined) this.#end(id, open, at)
    if (next === null) this.#open.delete(id)
    else this.#open.set(id, { ...next, from: at })
  }

  #end(id: string, { kind, from, label }: Open, to: Instant): void {
    if (to <= from) return
    const spans = this.#ended.get(id) ?? []
    spans.push({ kind, from, to, label })
    if (spans.length > MOST_SPANS) spans.shift()
    this.#ended.set(id, spans)
  }
}

const WAITS_FOR_START = 'ready to start'

/** Tasks that an event is about; others that it moves have an open span, or become ready. */
function tasksNamed({ event }: Fact): readonly string[] {
  if (event.type === 'inbox.opened') return event.item.task === null ? [] : [event.item.task]
  return 'task' in event && typeof event.task === 'string' ? [event.task] : []
}

const readySince = (state: PlanState | null, id: string): Instant | null =>
  waitingNow(state?.tasks.get(id))?.from ?? null

const waitingNow = (task: TaskState | undefined): Open | null =>
  task?.step === 'ready' ? { kind: 'waiting', from: task.stepSince, label: WAITS_FOR_START } : null

/** What goes on with a task; null where nothing does, and while it is ready. */
function activityOf(state: PlanState, task: TaskState, open: Open | undefined): Omit<Open, 'from'> | null {
  const kind = kindOf(task.step, open)
  return kind === null ? null : { kind, label: labelOf(state, task, { kind, open }) }
}

function kindOf(step: Step, open: Open | undefined): SpanKind | null {
  switch (step) {
    case 'pending':
    case 'ready':
    case 'completed':
    case 'failed':
      return null
    case 'launching':
    case 'working':
    case 'stopping':
      return 'work'
    case 'collecting':
      // The work of its worker, or work that is put on another tree to land.
      return open === undefined || open.kind === 'work' || open.kind === 'person' ? 'work' : 'landing'
    case 'gating':
      return 'gates'
    case 'reviewing':
      return 'review'
    case 'taken_over':
    case 'awaiting_person':
    case 'escalated':
      return 'person'
    case 'committing':
      return 'landing'
    case 'deciding':
      return 'waiting'
  }
}

function labelOf(
  { inbox }: PlanState,
  task: TaskState,
  { kind, open }: { readonly kind: SpanKind; readonly open: Open | undefined },
): string {
  switch (kind) {
    case 'work':
      return task.live?.worker ?? task.draft?.worker ?? ''
    case 'gates':
      return `attempt ${task.attempt}`
    case 'review':
      // Of rules and of a reviewer that has ended nothing more is known.
      return task.live?.worker ?? (open?.kind === 'review' ? open.label : '')
    case 'person': {
      if (task.step === 'taken_over') return task.takenOverBy ?? ''
      const item = [...inbox.values()].find((one) => one.item.task === task.spec.id)
      return item?.item.id ?? (open?.kind === 'person' ? open.label : '')
    }
    case 'landing':
      return ''
    case 'waiting':
      return 'the next attempt'
  }
}
