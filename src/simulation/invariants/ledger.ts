/**
 * A ledger built from the events alone. It is independent of the rules it checks: nothing here is computed by the
 * core, so that a bug there cannot hide itself.
 */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { PlanSettings } from '../../core/event-schemas/plan-settings.ts'
import type { TaskSpec, Tier } from '../../core/planning/plan.ts'
import { RequestRecords } from './request-records.ts'
import type { KnownLimit } from './provider-rules.ts'

export type Whereabouts = 'queued' | 'busy' | 'with_person' | 'escalated' | 'failed' | 'completed' | 'dropped'

export interface TaskRecord {
  spec: TaskSpec
  tier: Tier
  where: Whereabouts
  attempt: number
  live: string | null
  readonly used: Map<string, number>
  interruptionsInARow: number
  lastEnd: string | null
  /** The tree on which every gate passed or was overridden. */
  provenTree: string | null
  /** How the gates last ended, and on what. */
  gated: {
    readonly tree: string
    readonly isWhole: boolean
    readonly bad: ReadonlyMap<string, string>
  } | null
  /** Overridden gates, as `tree gate` and, for another base, as `change gate`. */
  readonly waived: Set<string>
  /** The worker and its patch; null where unknown. */
  change: string | null
  tree: string | null
  /** What its tree was put on. */
  onto: string | null
  reviewed: boolean
  isUncertain: boolean
  /** Its change has more lines than any small or medium one. */
  isVast: boolean
  approvedByPerson: boolean
  /** A person let it continue, so it may share its area with another task. */
  overridden: boolean
  commits: number
  /** Open points of the plan that no person has decided, by their words. */
  readonly open: Set<string>
}

/** Messages to and alerts about one worker; times are since the start of the simulation. */
export interface WatchRecord {
  startedMs: number | null
  /** When a person last gave it time, or its request was answered. */
  armedMs: number
  /** When a person was last alerted. */
  alertedMs: number | null
  readonly sent: Map<string, number>
  /** The number of its last nudge, and when that reached it. */
  nudge: number | null
  nudgedMs: number | null
  isCondemned: boolean
}

export class Ledger {
  readonly settings: PlanSettings
  readonly tasks = new Map<string, TaskRecord>()
  readonly workers = new Set<string>()
  readonly #watched = new Map<string, WatchRecord>()
  readonly items = new Map<string, InboxItem>()
  readonly openRisksOfCritical = new Set<string>()
  readonly rounds = new Map<string, number>()
  /** What a rejected task could be split into. */
  readonly parts = new Map<string, readonly TaskSpec[]>()
  readonly layerPassed = new Map<string, boolean>()
  readonly events: PlanEvent[] = []
  readonly requests: RequestRecords
  /** The role of each worker, and the last agent of each role. */
  readonly roles = new Map<string, string>()
  readonly agents = new Map<string, string>()
  /** Who could do the work of each role, the first choice first. */
  readonly candidates = new Map<string, readonly string[]>()
  readonly limits = new Map<string, KnownLimit>()
  /** When a worker last failed. */
  failedMs = 0
  /** Failures with the same message since the last success. */
  readonly alike = { reason: '', times: 0, tasks: new Set<string>() }
  /** Open: no worker may be dispatched before. */
  breaker: { readonly notBeforeMs: number } | null = null
  sinceLow = 0
  /** The tree that landed last. */
  landedTree: string | null = null
  paused = false
  cancelled = false
  releasePassed = false
  /** A person allowed the release of a plan that built nothing. */
  mayReleaseNothing = false
  prepared = 0
  baselined = false

  constructor(registered: EventOf<'plan.registered'>) {
    this.settings = registered.settings
    this.requests = new RequestRecords(registered.settings)
    for (const test of registered.integration) this.layerPassed.set(test.afterLayer, false)
    for (const spec of registered.tasks) this.add(spec)
  }

  add(spec: TaskSpec): void {
    this.tasks.set(spec.id, {
      spec,
      tier: spec.tier,
      where: 'queued',
      attempt: 0,
      live: null,
      used: new Map(),
      interruptionsInARow: 0,
      lastEnd: null,
      provenTree: null,
      gated: null,
      waived: new Set(),
      change: null,
      tree: null,
      onto: null,
      reviewed: false,
      isUncertain: false,
      isVast: false,
      approvedByPerson: false,
      overridden: false,
      commits: 0,
      open: new Set((spec.questions ?? []).map(({ words }) => words)),
    })
  }

  task(id: string): TaskRecord {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`an event names unknown task ${id}`)
    return task
  }

  watched(worker: string): WatchRecord {
    const known = this.#watched.get(worker)
    if (known !== undefined) return known
    const record: WatchRecord = {
      startedMs: null,
      armedMs: 0,
      alertedMs: null,
      sent: new Map(),
      nudge: null,
      nudgedMs: null,
      isCondemned: false,
    }
    this.#watched.set(worker, record)
    return record
  }

  isBeside(tier: Tier): boolean {
    return tier !== 'critical' && this.settings.parallelTiers.includes(tier)
  }

  busy(except: TaskRecord): TaskRecord[] {
    return [...this.tasks.values()].filter((task) => task.where === 'busy' && task !== except)
  }

  isReady(task: TaskRecord): boolean {
    return (
      task.where === 'queued' &&
      task.open.size === 0 &&
      task.spec.dependsOn.every((id) => this.tasks.get(id)?.where === 'completed')
    )
  }

  /** Whether some other task in progress has the area, or a part of it, or what contains it. */
  areaHolder(task: TaskRecord): TaskRecord | undefined {
    const holders = [...this.tasks.values()].filter(
      (other) => other !== task && (other.where === 'busy' || other.where === 'with_person'),
    )
    return holders.find((other) => overlap(other.spec.ownership, task.spec.ownership))
  }
}

export function overlap(a: string, b: string): boolean {
  return a === b || a === '.' || b === '.' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}
