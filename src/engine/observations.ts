/**
 * What this PM has seen and heard of workers since it began to look. Not in the log: after a restart what was
 * seen begins anew, while what they said of themselves is told again by whoever kept it.
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

/** A worker that says so goes on as before. */
const ORDINARY: ReadonlySet<ClaimedStatus> = new Set(['starting', 'in_progress'])
/** Titles are the agent's own words, and may be long. */
const MOST_TITLE = 200
/** Pauses of this PM that are kept one by one. */
const MOST_PAUSES = 50

export class Observations {
  readonly #workers = new Map<string, Signs>()
  /** The last tool call of each that was counted; what was heard before does not count again. */
  readonly #counted = new Map<string, number>()
  /** Life that shows after so long is news. */
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
   * Time passed that nobody saw, or wall time moved: everybody's clock begins now. What is known stays known, and
   * moves along with the clock.
   */
  rearm(now: Instant, byMs = 0): void {
    this.#since = now
    if (byMs === 0) return
    const moved = (at: Instant): Instant => Math.min(at + byMs, now)
    this.#pauses = this.#pauses.map(({ endedAt, forMs }) => ({ endedAt: moved(endedAt), forMs }))
    for (const [worker, signs] of this.#workers) this.#workers.set(worker, movedSigns(signs, moved))
  }

  /** This PM did not run for so long, until then: everybody's clock begins there. */
  paused(endedAt: Instant, forMs: number): void {
    this.#since = Math.max(this.#since, endedAt)
    const pauses = [...this.#pauses, { endedAt, forMs }]
    const [oldest, ...rest] = pauses
    // The oldest goes into the next: that counts for a few workers more, and never for fewer.
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

  /** Takes in what an agent tells. True where somebody should look at once. */
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
        this.#speaks(worker, at)
        this.toolStarted(worker, { id: event.id, name: `${event.tool} ${event.title}`.trim(), at })
        return this.#count(event) || wasSilent
      case 'tool_ended':
        this.#speaks(worker, at)
        this.toolEnded(worker, event.id)
        return wasSilent
      case 'session':
      case 'text':
      case 'permission_asked':
      case 'usage':
      case 'turn_ended':
        this.#speaks(worker, at)
        return wasSilent
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

  /** It said something of itself, and proved to be it. True where somebody should look at once. */
  claim(worker: string, said: ClaimUpdate): boolean {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    this.#workers.set(worker, { ...signs, claim: nextClaim(signs.claim, said) })
    return !ORDINARY.has(said.status) && signs.claim?.status !== said.status
  }

  /** It said this before this PM began to listen; what it said since counts more. */
  recall(worker: string, claim: Claim, now: Instant): void {
    // The clock may have gone back since it was said.
    const past = movedClaim(claim, (at) => Math.min(at, now))
    this.#change(worker, (signs) => ({ claim: signs.claim ?? past }))
  }

  /** Somebody spoke in its name. */
  contact(worker: string, at: Instant): void {
    this.#change(worker, ({ contactAt }) => ({ contactAt: Math.max(contactAt ?? 0, at) }))
  }

  #isSilent(worker: string, at: Instant): boolean {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    return at - (newest([lastSeen(signs), lastContact(signs)]) ?? -Infinity) >= this.#silenceMs
  }

  #speaks(worker: string, at: Instant): void {
    this.#change(worker, ({ seen }) => ({ seen: { ...seen, session: at } }))
  }

  #change(worker: string, to: (signs: Signs) => Partial<Signs>): void {
    const signs = this.#workers.get(worker) ?? NO_SIGNS
    this.#workers.set(worker, { ...signs, ...to(signs) })
  }

  #count(event: {
    readonly worker: string
    readonly tool: string
    readonly title: string
    readonly seq: number
  }): boolean {
    const { worker, tool, title, seq } = event
    if (seq <= (this.#counted.get(worker) ?? -1)) return false
    this.#counted.set(worker, seq)
    const call = `${tool} ${title.slice(0, MOST_TITLE)}`.trim()
    let isLooping = false
    this.#change(worker, ({ repeated }) => {
      const times = repeated?.call === call ? repeated.times + 1 : 1
      isLooping = times >= LOOPING_CALLS
      return { repeated: { call, times } }
    })
    return isLooping
  }
}

/** What a worker does takes no time while it is paused. A total that is known already changes nothing. */
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
