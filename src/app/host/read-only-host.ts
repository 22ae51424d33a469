/**
 * All plans from the database, for commands without a daemon. It starts nothing, writes nothing and waits for nothing.
 */
import { join } from 'node:path'
import type { Claim } from '../../core/watch/observed.ts'
import { NO_LOAD } from '../../core/watch/overload.ts'
import { isAlive } from '../../lib/process/processes.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { InterviewRow } from '../../protocol/answers.ts'
import { storedClaims } from '../checkins/worker-channel.ts'
import { readAdoptedToLook, adoptedRow, type AdoptedRow } from '../workers/adopted-workers.ts'
import { DayMetrics } from '../workers/day-metrics.ts'
import { interviewParts } from '../interview/interview-stream.ts'
import { repositoryAt, refuseUnknown, streamNamed, streamParts } from './stream-name.ts'
import type { HostToRead } from './host-to-read.ts'
import { HostedPlan, isOver, SHOWN_MS } from './hosted-plan.ts'
import type { PlanSight } from './plan-place.ts'
import { loadUndamaged, UnloadedPlans, unloadedRefusal } from './unloaded-plans.ts'

export interface ReadOnlyParts extends Omit<HostToRead['parts'], 'machineIn'> {
  /** The state root. */
  readonly root: string
  readonly clock: Clock
  readonly notes: Pick<NoteLog, 'claims' | 'back'>
  /** Read-only access to a plan's workers and work. */
  readonly sightOf: (repository: Repository, plan: string) => PlanSight
}

type Claims = ReadonlyMap<string, Claim>

export class ReadOnlyHost implements HostToRead {
  readonly parts: ReadOnlyParts
  readonly heartbeat: HostToRead['heartbeat']
  readonly adopted: HostToRead['adopted']
  readonly metrics: HostToRead['metrics']
  /** Time of the newest event; null without one. */
  readonly asOf: number | null
  readonly #plans = new Map<StreamId, HostedPlan>()
  readonly unloaded = new UnloadedPlans()
  /** Readers do not check the database. */
  readonly damage = null

  private constructor(parts: ReadOnlyParts, adopted: readonly AdoptedRow[], asOf: number | null) {
    const { log, clock } = parts
    this.parts = parts
    this.asOf = asOf
    this.heartbeat = {
      beat: { lastLoop: asOf, loopsCompleted: 0, load: NO_LOAD, look: { sweepMs: 0, lagMs: 0, backlog: 0 } },
    }
    this.adopted = { rows: () => adopted }
    this.metrics = new DayMetrics({ log, clock })
  }

  static async open(parts: ReadOnlyParts): Promise<ReadOnlyHost> {
    const { log, root, repositories } = parts
    const rows: AdoptedRow[] = []
    for (const { id } of await repositories.list()) {
      const known = readAdoptedToLook(join(root, 'repos', id))
      const alive = known.filter(({ process }) => isAlive(process))
      for (const adopted of alive) {
        const { repository, row } = adoptedRow({ repository: id, adopted })
        rows.push({ repository, row: { ...row, reason: 'adopted; not watched, no daemon is running' } })
      }
    }
    const [last] = await log.tail(Math.max(0, (await log.head()) - 1), 1).catch(() => [])
    const host = new ReadOnlyHost(parts, rows, last?.at ?? null)
    const claims = await storedClaims(parts.notes)
    for (const { stream } of await log.streams({ open: true })) await host.#load(stream, claims.get(stream))
    return host
  }

  plans(): readonly HostedPlan[] {
    return [...this.#plans.values()].sort((a, b) => a.state.registeredAt - b.state.registeredAt)
  }

  async find(id: string, repository?: string): Promise<HostedPlan> {
    const stream = await streamNamed(this.parts.log, id, repository)
    const unloaded = this.unloaded.get(stream)
    if (unloaded !== undefined) throw unloadedRefusal(unloaded)
    const plan = this.#plans.get(stream) ?? (await this.#readOnly(stream, new Map()))
    return plan ?? refuseUnknown(id)
  }

  async listInterviews(): Promise<readonly InterviewRow[]> {
    const { log, repositories } = this.parts
    if (!(await log.streams({ open: true })).some(({ stream }) => interviewParts(stream) !== null)) return []
    const { openRowsIn } = await import('../interview/views.ts')
    return openRowsIn(log, repositories)
  }

  repositoryAt(path: string | undefined): Promise<string | undefined> {
    return repositoryAt(this.parts.repositories, path)
  }

  /** An unreadable plan does not hide the others. */
  async #load(stream: StreamId, claims: Claims = new Map()): Promise<void> {
    try {
      const plan = await this.#readOnly(stream, claims)
      if (plan === null) return
      const isShown = !isOver(plan.state) || this.parts.clock.now() - plan.state.at < SHOWN_MS
      if (isShown) this.#plans.set(stream, plan)
    } catch (error) {
      const repository = await this.parts.repositories.find(streamParts(stream)?.repository ?? '')
      this.unloaded.add({ stream, repository }, error, this.parts.clock.now())
    }
  }

  /** Null for a stream that is not a plan's. */
  async #readOnly(stream: StreamId, claims: Claims): Promise<HostedPlan | null> {
    const place = streamParts(stream)
    if (place === null) return null
    const repository = await this.parts.repositories.find(place.repository)
    if (repository === null) throw new Error('its repository is unknown')
    const state = await loadUndamaged(this.parts.log, stream)
    const sight = this.parts.sightOf(repository, state.plan.id)
    return HostedPlan.readOnly({ stream, repository, sha256: null }, state, { sight, claims })
  }
}
