/**
 * What this PM has observed of workers since it started. Not in the log: after a restart observations start over, and
 * claims are restored from the check-in log.
 */
import { LOOPING_CALLS } from '../core/watch/watch-worker.ts'
import {
  lastContact,
  lastSeen,
  MOST_TOOLS,
  newest,
  nextClaim,
  NO_SIGNS,
  type Claim,
  type ClaimedStatus,
  type Observed,
  type Pause,
  type ClaimUpdate,
  type Signs,
} from '../core/watch/observed.ts'
import type { Instant } from '../core/state/state.ts'
import type { AgentEvent } from '../ports/agent.ts'

/** Statuses that need no attention. */
const ORDINARY: ReadonlySet<ClaimedStatus> = new Set(['starting', 'in_progress'])
/** Titles come from the agent and may be long. */
const MOST_TITLE = 200
/** Pauses of this PM that are kept one by one. */
const MOST_PAUSES = 50

export class Observations {
  readonly #workers = new Map<string, Signs>()
  /** The last counted tool call of each worker; repeated ones do not count again. */
  readonly #counted = new Map<string, number>()
  /** A sign of life after so long a silence triggers a turn. */
  readonly #silenceMs: number
  #since: Instant
  #pauses: readonly Pause[] = []
  #isOverloaded = false

  constructor(since: Instant, silenceMs: number) {
    this.#since = since
    this.#silenceMs = silenceMs
  }

  get now(): Observed {
    const isOverloaded = this.#isOverloaded
    return { since: this.#since, workers: this.#workers, isOverloaded, pauses: this.#pauses }
  }

  /**
   * After unobserved time or a clock jump, silence counts from now for every worker. Known observations stay, and move
   * along with the clock.
   */
  rearm(now: Instant, byMs = 0): void {
    this.#since = now
    if (byMs === 0) return
    const moved = (at: Instant): Instant => Math.min(at + byMs, now)
    this.#pauses = this.#pauses.map(({ endedAt, forMs }) => ({ endedAt: moved(endedAt), forMs }))
    for (const [worker, signs] of this.#workers) this.#workers.set(worker, movedSigns(signs, moved))
  }

  /** This PM did not run for so long, until then: silence counts from there for every worker. */
  paused(endedAt: Instant, forMs: number): void {
    this.#since = Math.max(this.#since, endedAt)
    const pauses = [...this.#pauses, { endedAt, forMs }]
    const [oldest, ...rest] = pauses
    // The oldest is merged into the next: it then counts for a few more workers, never for fewer.
    if (oldest !== undefined && rest[0] !== undefined && pauses.length > MOST_PAUSES)
      rest[0] = { ...rest[0], forMs: rest[0].forMs + oldest.forMs }
    this.#pauses = pauses.length > MOST_PAUSES ? rest : pauses
  }

  forget(worker: string): void {
    this.#workers.delete(worker)
    this.#counted.delete(worker)
  }

  setOverloaded(isOverloaded: boolean): void {
    this.#isOverloaded = isOverloaded
  }

  /** Records an agent event. True where it needs an immediate turn. */
  note(event: Exclude<AgentEvent, { kind: 'ended' }>, at: Instant): boolean {
    const { worker } = event
    const wasSilent = this.#isSilent(worker, at)
    switch (event.kind) {
      case 'sign':
        this.#change(worker, ({ seen }) => ({
          seen: { ...seen, ...Object.fromEntries((event.of ?? ['output']).map((kind) => [kind, at])) },
        }))
        return wasSilent
      case 'lived':
        this.#change(worker, () => ({ hasLived: true }))
        return false
      case 'reported':
        this.#change(worker, ({ reportedAt }) => ({ reportedAt: reportedAt ?? at }))
        return true
      case 'halted':
        this.#change(worker, () => ({ isHalted: event.isHalted }))
        return true
      case 'paused':
        this.#change(worker, (signs) => afterPause(signs, event.totalMs, at))
        return true
      case 'tool_started':
        this.#noteOutput(worker, at)
        this.toolStarted(worker, { id: event.id, name: `${event.tool} ${event.title}`.trim(), at })
        return wasSilent
      case 'tool_ended': {
        this.#noteOutput(worker, at)
        const isLooping = this.#count(event)
        this.toolEnded(worker, event.id)
        return isLooping || wasSilent
      }
      case 'session':
      case 'text':
      case 'permission_asked':
      case 'permission_answered':
      case 'read':
      case 'usage':
      case 'turn_ended':
        this.#noteOutput(worker, at)
        return wasSilent
      case 'delivered':
      case 'error':
        // Of the supervisor, not of the agent.
        return false
    }
  }

  /** A tool call has begun: a lease on silence, until it ends or runs out. */
  toolStarted(
    worker: string,
    { id, name, at }: { readonly id: string; readonly name: string; readonly at: Instant },
  ): void {
    this.#change(worker, ({ tools }) => {
      if (tools.has(id) || tools.size >= MOST_TOOLS) return {}
      return { tools: new Map(tools).set(id, { name: name.slice(0, MOST_TITLE), since: at }) }
    })
  }

  toolEnded(worker: string, id: string): void {
    this.#change(worker, ({ tools }) => {
      if (!tools.has(id)) return {}
      const left = new Map(tools)
      left.delete(id)
      return { tools: left }
    })
  }

  /** Records an authenticated check-in. True where it needs an immediate turn. */
  claim(worker: string, update: ClaimUpdate): boolean {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    this.#workers.set(worker, { ...signs, claim: nextClaim(signs.claim, update) })
    return !ORDINARY.has(update.status) && signs.claim?.status !== update.status
  }

  /** Restores a claim from before this PM started; newer ones win. */
  recall(worker: string, claim: Claim, now: Instant): void {
    // The clock may have gone back since then.
    const past = movedClaim(claim, (at) => Math.min(at, now))
    this.#change(worker, (signs) => ({ claim: signs.claim ?? past }))
  }

  /** An unauthenticated check-in arrived in its name. */
  contact(worker: string, at: Instant): void {
    this.#change(worker, ({ contactAt }) => ({ contactAt: Math.max(contactAt ?? 0, at) }))
  }

  #isSilent(worker: string, at: Instant): boolean {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    return at - (newest([lastSeen(signs), lastContact(signs)]) ?? -Infinity) >= this.#silenceMs
  }

  #noteOutput(worker: string, at: Instant): void {
    this.#change(worker, ({ seen }) => ({ seen: { ...seen, session: at } }))
  }

  #change(worker: string, to: (signs: Signs) => Partial<Signs>): void {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    this.#workers.set(worker, { ...signs, ...to(signs) })
  }

  /** Calls with the same arguments, one after the other. The same title alone is no repetition. */
  #count({ worker, id, call, seq }: Extract<AgentEvent, { kind: 'tool_ended' }>): boolean {
    if (seq <= (this.#counted.get(worker) ?? -1)) return false
    this.#counted.set(worker, seq)
    let isLooping = false
    this.#change(worker, ({ repeated, tools }) => {
      if (call === undefined) return { repeated: null }
      const times = repeated?.key === call ? repeated.times + 1 : 1
      isLooping = times >= LOOPING_CALLS
      return { repeated: { key: call, call: tools.get(id)?.name ?? 'a tool', times } }
    })
    return isLooping
  }
}

/** Nothing ages while a worker is paused. A known total changes nothing. */
function afterPause(signs: Signs, totalMs: number, now: Instant): Partial<Signs> {
  const byMs = totalMs - signs.pausedMs
  if (byMs <= 0) return {}
  const { tools, claim } = signs
  const moved = (at: Instant): Instant => Math.min(at + byMs, now)
  return {
    pausedMs: totalMs,
    resumedAt: now,
    tools: new Map([...tools].map(([id, call]) => [id, { ...call, since: moved(call.since) }])),
    claim:
      claim === null
        ? null
        : {
            ...claim,
            percentSince: Math.max(claim.percentSince, Math.min(claim.percentSince + byMs, claim.at)),
          },
  }
}

function movedSigns(signs: Signs, moved: (at: Instant) => Instant): Signs {
  const { seen, tools, reportedAt, claim, contactAt, resumedAt } = signs
  return {
    ...signs,
    seen: Object.fromEntries(Object.entries(seen).map(([kind, at]) => [kind, moved(at)])),
    tools: new Map([...tools].map(([id, call]) => [id, { ...call, since: moved(call.since) }])),
    reportedAt: reportedAt === null ? null : moved(reportedAt),
    claim: claim === null ? null : movedClaim(claim, moved),
    contactAt: contactAt === null ? null : moved(contactAt),
    resumedAt: resumedAt === null ? null : moved(resumedAt),
  }
}

const movedClaim = (claim: Claim, moved: (at: Instant) => Instant): Claim => ({
  ...claim,
  at: moved(claim.at),
  statusSince: moved(claim.statusSince),
  percentSince: moved(claim.percentSince),
})
