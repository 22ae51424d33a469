/** What happened in one plan, as far as metrics over time count it. */
import type { DispatchReason } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { latest, minus, NOTHING_SPENT, plus, spentAtEnd, spentOf, type Spent } from '../state/spending.ts'
import type { Instant } from '../state/state.ts'
import { interventionIn } from '../watch/metrics.ts'

export interface FinishedTask {
  readonly at: Instant
  /** From its first dispatch to its commit. */
  readonly leadMs: number
  /** Its first attempt was committed. */
  readonly isFirstPass: boolean
}

/** From when an item was opened to when it was closed; null while it is open. */
export interface PersonWait {
  readonly from: Instant
  readonly to: Instant | null
}

export interface PlanRecord {
  readonly completed: readonly FinishedTask[]
  /** When a task was rejected, dropped, or given up with its plan. */
  readonly failed: readonly Instant[]
  readonly waits: readonly PersonWait[]
  readonly interventions: readonly Instant[]
  readonly spent: readonly { readonly at: Instant; readonly spent: Spent }[]
}

interface BegunTask {
  readonly since: Instant
  hadAnotherAttempt: boolean
  hasFailed: boolean
}

interface OpenItem {
  readonly from: Instant
  readonly task: string | null
}

interface Fact {
  readonly at: Instant
  readonly event: PlanEvent
}

/** Dispatches that say nothing about the work before them. */
const NOT_ANOTHER: readonly DispatchReason[] = ['first', 'again']
/** Usage that was reported within such a time is kept as one. */
const MERGED_MS = 60_000

/** Takes the events of one plan in order. */
export class PlanRecorder {
  readonly #completed: FinishedTask[] = []
  readonly #failed: Instant[] = []
  readonly #waits: PersonWait[] = []
  readonly #interventions: Instant[] = []
  readonly #spent: { at: Instant; spent: Spent }[] = []
  readonly #begun = new Map<string, BegunTask>()
  readonly #items = new Map<string, OpenItem>()
  /** What each worker was known to have used. */
  readonly #used = new Map<string, Spent>()

  take({ at, event }: Fact): void {
    if (interventionIn(event) !== null) this.#interventions.push(at)
    this.#takeTask(event, at)
    this.#takeItem(event, at)
    this.#takeUse(event, at)
  }

  #takeTask(event: PlanEvent, at: Instant): void {
    if (event.type === 'task.dispatched') {
      const task = this.#begun.get(event.task)
      if (task === undefined)
        this.#begun.set(event.task, { since: at, hadAnotherAttempt: false, hasFailed: false })
      else {
        // A person had it tried again: it is open once more.
        task.hasFailed = false
        if (!NOT_ANOTHER.includes(event.reason)) task.hadAnotherAttempt = true
      }
    }
    if (event.type === 'task.committed') {
      const { since = at, hadAnotherAttempt = false } = this.#begun.get(event.task) ?? {}
      const leadMs = Math.max(0, at - since)
      this.#completed.push({ at, leadMs, isFirstPass: !hadAnotherAttempt })
      // Work that an edit of the plan invalidates begins anew.
      this.#begun.delete(event.task)
    }
    if (event.type === 'plan.cancelled') for (const id of this.#begun.keys()) this.#fail(id, at)
  }

  #takeItem(event: PlanEvent, at: Instant): void {
    // A person who took over works; nothing waits for them.
    if (event.type === 'inbox.opened' && event.item.subject !== 'takeover')
      this.#items.set(event.item.id, { from: at, task: event.item.task })
    if (event.type === 'inbox.answered' && GIVES_UP.includes(event.choice))
      this.#fail(this.#items.get(event.id)?.task ?? null, at)
    if (event.type === 'inbox.answered' || event.type === 'inbox.withdrawn') this.#close(event.id, at)
    if (event.type === 'plan.cancelled' || event.type === 'release.signed')
      for (const id of this.#items.keys()) this.#close(id, at)
  }

  #takeUse(event: PlanEvent, at: Instant): void {
    if (event.type === 'worker.used') this.#spend(event.worker, event, at)
    if (event.type === 'worker.ended') {
      this.#spend(event.worker, spentAtEnd(event), at)
      this.#used.delete(event.worker)
    }
    if (event.type === 'brain.answered') this.#add(spentOf(event.usage ?? undefined), at)
    if (event.type === 'specialist.answered') this.#add(spentOf(event.usage), at)
  }

  record(): PlanRecord {
    const open = [...this.#items.values()].map(({ from }) => ({ from, to: null }))
    return {
      completed: this.#completed,
      failed: this.#failed,
      waits: [...this.#waits, ...open],
      interventions: this.#interventions,
      spent: this.#spent,
    }
  }

  #fail(id: string | null, at: Instant): void {
    if (id === null) return
    const task = this.#begun.get(id)
    // A task that is rejected and then dropped has failed once.
    if (task === undefined || task.hasFailed) return
    task.hasFailed = true
    this.#failed.push(at)
  }

  #close(id: string, at: Instant): void {
    const item = this.#items.get(id)
    if (item === undefined) return
    this.#items.delete(id)
    this.#waits.push({ from: item.from, to: at })
  }

  /** A worker reports what it used so far: only what is new counts here. */
  #spend(worker: string, reading: Spent, at: Instant): void {
    const before = this.#used.get(worker) ?? NOTHING_SPENT
    const now = latest(before, reading)
    this.#used.set(worker, now)
    this.#add(minus(now, before), at)
  }

  #add(spent: Spent, at: Instant): void {
    if (spent.tokens === 0 && spent.usd === 0) return
    const last = this.#spent.at(-1)
    if (last !== undefined && at - last.at < MERGED_MS) last.spent = plus(last.spent, spent)
    else this.#spent.push({ at, spent })
  }
}

/** Answers that end a task without its work. */
const GIVES_UP: readonly string[] = ['reject', 'drop', 'split']
