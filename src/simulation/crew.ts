/** Draws what simulated workers, gates and people do. Every draw depends on the seed and a name, not on the order. */
import type { CommitTask, RunGates, RunIntegration, RunReleaseGate } from '../core/decide/effects.ts'
import type { InboxItem, Report, ReviewIssue, Verdict } from '../core/event-schemas/schemas.ts'
import { REQUEST_KINDS } from '../core/event-schemas/requests.ts'
import type { Job, ReviewReport } from '../ports/agent.ts'
import type { Asked } from '../engine/external-events.ts'
import { drawRequest } from './draw-request.ts'
import type { Fault, FaultRates } from './faults.ts'
import { healthyDoings } from './healthy-doings.ts'
import type { QuestionName } from '../core/thinking/question-names.ts'
import { Random } from './random.ts'
import type { GateScript } from './scripted-gates.ts'
import type { ScriptedAnswer } from './scripted-person.ts'
import type { WorkerScript } from './scripted-agent.ts'
import type { Halt } from './worker-life.ts'
import { drawOutages, duringOutages, type Outage } from './outages.ts'

const MINUTE = 60_000
const SIGN_EVERY_MS = 4 * MINUTE
/** The chance that a message wakes a stalled worker, for each message. */
const WAKES = 0.4

/** What happens to a worker, first match wins; all others are honest. */
const FATES = [
  'unavailable',
  'crashing',
  'zombie',
  'stalling',
  'halting',
  'stuck',
  'lingering',
  'endless',
  'interrupted',
  'blocked',
  'idle',
  'lying',
] as const satisfies readonly Fault[]

export interface CrewParts {
  readonly rates: FaultRates
  readonly now: () => number
  /** In addition to the drawn ones. */
  readonly outages: readonly Outage[]
}

/** All workers use the same agent. */
const AGENT = 'crew'

export class Crew {
  readonly #seed: number
  readonly #rates: FaultRates
  readonly #now: () => number
  readonly #outages: readonly Outage[]

  constructor(seed: number, { rates, now, outages }: CrewParts) {
    this.#seed = seed
    this.#rates = rates
    this.#now = now
    this.#outages = [...drawOutages(rates, this.#random('spells'), now()), ...outages]
  }

  #random(name: string): Random {
    return new Random(this.#seed, name)
  }

  #strikes(fault: Fault, name: string): boolean {
    const rate = this.#rates.get(fault)
    return rate !== undefined && this.#random(`${fault} ${name}`).chance(rate)
  }

  worker(job: Job): WorkerScript {
    const honest = job.role === 'reviewer' ? this.#reviewer(job) : this.#developer(job)
    const fate = FATES.find((fault) => this.#strikes(fault, job.worker))
    const fated = fate === undefined ? honest : this.#fated(honest, fate, job.worker)
    const script = duringOutages(fated, this.#outages, this.#now())
    const echoes = this.#echoes(script, job.worker)
    return { ...script, agent: AGENT, echoes, ...this.#lateCheckins(job.worker) }
  }

  /** The observable activity of a healthy worker with one of these habits. */
  #habits(worker: string, workMs: number): Partial<WorkerScript> {
    const strikes = (fault: Fault): boolean => this.#strikes(fault, worker)
    const [isSilent, isBuilding, isUnseen] = [strikes('silent'), strikes('building'), strikes('unseen')]
    if (!isSilent && !isBuilding && !isUnseen) return {}
    const habits = { silent: isSilent ? 0.3 : 0, building: isBuilding ? 0.2 : 0, isUnseen }
    const doings = healthyDoings(this.#random(`doings ${worker}`), workMs, habits)
    return { signEveryMs: null, doings }
  }

  /** The requests of a healthy worker. */
  asks(job: Job): readonly { readonly afterMs: number; readonly asked: Asked }[] {
    const isSound = FATES.every((fault) => !this.#strikes(fault, job.worker))
    if (!isSound || !this.#strikes('asking', job.worker)) return []
    const random = this.#random(`asks ${job.worker}`)
    const favourite = random.pick(REQUEST_KINDS)
    return Array.from({ length: random.between(1, 9) }, () => ({
      afterMs: random.between(1, Math.max(2, Math.round(job.timeLimitMs * 0.1))),
      asked: drawRequest(random, favourite),
    }))
  }

  #developer(job: Job): WorkerScript {
    const random = this.#random(`work ${job.worker}`)
    // A worker with requests is slow.
    const isSlow = this.#strikes('slow', job.worker) || this.#strikes('asking', job.worker)
    const share = isSlow ? 0.85 + random.next() * 0.2 : 0.1 + random.next() * 0.5
    const planned = [...job.spec.files.create, ...job.spec.files.modify, ...job.spec.testsToAdd]
    const changed = planned.length > 0 ? planned : [`src/${job.spec.id}.ts`]
    const isSound = !this.#isUnsound(job)
    const workMs = Math.round(job.timeLimitMs * share)
    return {
      startMs: random.between(200, 3000),
      workMs,
      signEveryMs: SIGN_EVERY_MS,
      ...this.#habits(job.worker, workMs),
      listens: this.#random(`listens ${job.worker}`).chance(0.5),
      end: { kind: 'done' },
      report: this.#report(job),
      review: null,
      writes: {
        changed: this.#strikes('sensitive', job.worker)
          ? [...changed, 'db/migrations/002_more.sql']
          : changed,
        isSound,
      },
      echoes: [],
    }
  }

  #isUnsound(job: Job): boolean {
    if (this.#strikes('gate_forever', job.spec.id)) return true
    return job.attempt === 1 && this.#strikes('gate_once', job.spec.id)
  }

  #report(job: Job): Report {
    const revised = job.context.feedback === null ? '' : ` [revised] ${job.context.feedback}`
    const risk = { description: `what ${job.spec.id} does under load`, severity: job.tier }
    return {
      explanation: `did ${job.spec.title}${revised}`,
      criteria: [],
      selfAssessment: this.#strikes('uncertain', job.worker) ? 'uncertain' : 'confident',
      blockers: [],
      risks: this.#strikes('risky', job.worker) ? [risk] : [],
      reviewNote: { summary: job.spec.title, risks: [], rollback: 'revert the commit' },
    }
  }

  #reviewer(job: Job): WorkerScript {
    const random = this.#random(`review ${job.worker}`)
    return {
      startMs: random.between(200, 3000),
      workMs: Math.min(random.between(3, 15) * MINUTE, Math.round(job.timeLimitMs * 0.9)),
      signEveryMs: SIGN_EVERY_MS,
      end: { kind: 'done' },
      report: null,
      review: this.#reviewReport(job),
      writes: { changed: [], isSound: true },
      echoes: [],
    }
  }

  #reviewReport(job: Job): ReviewReport | null {
    const random = this.#random(`verdict ${job.worker}`)
    if (!this.#strikes('reviews', job.worker))
      return { verdict: 'approved', summary: 'as planned', issues: [] }
    if (random.chance(0.3)) return null
    const issue: ReviewIssue = {
      severity: 'major',
      description: 'it misses a case',
      location: 'src/index.ts:1',
      howToFix: 'handle it',
    }
    return { verdict: 'changes_requested', summary: 'not yet', issues: [issue] }
  }

  #fated(honest: WorkerScript, fate: (typeof FATES)[number], worker: string): WorkerScript {
    const random = this.#random(`fate ${worker}`)
    const early = honest.workMs === null ? MINUTE : Math.round(honest.workMs * random.next())
    const ends = (end: WorkerScript['end']): WorkerScript => ({
      ...honest,
      workMs: early,
      end,
      report: null,
      review: null,
    })
    switch (fate) {
      case 'unavailable':
        return { ...honest, unavailable: 'no such agent' }
      case 'crashing':
        return ends({ kind: 'failed', reason: 'exit code 1' })
      case 'interrupted':
        return ends({ kind: 'interrupted', reason: 'its supervisor died' })
      case 'blocked':
        return ends({ kind: 'blocked', reason: 'the requirement can be read in two ways' })
      case 'zombie':
        return { ...honest, ...this.#halts(worker, { afterMs: 0, how: 'silent', forMs: null }) }
      case 'stalling':
        return { ...honest, ...this.#halts(worker, { afterMs: early, how: 'silent', forMs: null }) }
      case 'stuck':
        return { ...honest, ...this.#halts(worker, { afterMs: early, how: 'stuck', forMs: null }) }
      case 'halting': {
        const forMs = random.chance(0.5) ? random.between(1, 20) * MINUTE : null
        return { ...honest, halts: [{ afterMs: early, how: 'stopped', forMs, wakes: () => false }] }
      }
      case 'lingering':
        return { ...honest, lingers: random.pick(['reported', 'completed', 'failed'] as const) }
      case 'endless':
        return { ...honest, workMs: null }
      case 'idle':
        return { ...honest, writes: { changed: [], isSound: false } }
      case 'lying':
        return { ...honest, writes: { ...honest.writes, isSound: false } }
    }
  }

  #halts(worker: string, halt: Omit<Halt, 'wakes'>): Pick<WorkerScript, 'halts'> {
    const wakes = (nth: number): boolean => this.#random(`wakes ${worker} ${nth}`).chance(WAKES)
    return { halts: [{ ...halt, wakes }] }
  }

  /** Long after its end it checks in again, as if it still worked. */
  #lateCheckins(worker: string): Pick<WorkerScript, 'lateCheckins'> {
    if (!this.#strikes('late', worker)) return {}
    const random = this.#random(`late words ${worker}`)
    const status = random.pick(['in_progress', 'blocked', 'completed', 'failed'] as const)
    return { lateCheckins: [{ afterMs: random.between(1, 60) * MINUTE, status }] }
  }

  #echoes(script: WorkerScript, worker: string): WorkerScript['echoes'] {
    const random = this.#random(`echo ${worker}`)
    const twice = this.#strikes('repeating', worker)
      ? [{ afterMs: random.between(1, 5000), end: script.end }]
      : []
    const end = { kind: 'done' } as const
    const late = this.#strikes('late', worker) ? [{ afterMs: random.between(20, 600) * MINUTE, end }] : []
    return [...twice, ...late]
  }

  /** Only sound work passes, regardless of the worker's report. */
  gates(isSound: (tree: string) => boolean): GateScript {
    const flaky = (what: string): boolean => this.#strikes('flaky_gates', what)
    const outcome = (gate: string, request: RunGates): Verdict['outcome'] => {
      if (gate === 'tests_to_run' && !isSound(request.tree)) return 'failed'
      return gate === 'unit' && flaky(request.key) ? 'inconclusive' : 'passed'
    }
    const releaseOutcome = (gate: string, request: RunReleaseGate): Verdict['outcome'] => {
      if (gate === 'lint' && this.#strikes('release', request.key)) return 'failed'
      return gate === 'unit' && flaky(request.key) ? 'inconclusive' : 'passed'
    }
    const runMs = (what: string): number => {
      const seconds = this.#random(`gate ${what}`).between(10, 180)
      return seconds * (this.#strikes('slow_gates', what) ? 60_000 : 1000)
    }
    return { runMs, outcome, releaseOutcome }
  }

  integration(test: string, request: RunIntegration): 'passed' | 'failed' {
    return this.#strikes('integration', `${test} ${request.round}`) ? 'failed' : 'passed'
  }

  conflict(request: CommitTask): string | null {
    return this.#strikes('conflicts', request.key) ? 'both changed src/index.ts' : null
  }

  overtaken(request: CommitTask): 'elsewhere' | 'nearby' | null {
    if (!this.#strikes('overtaken', request.key)) return null
    return this.#random(`how ${request.key}`).chance(0.5) ? 'elsewhere' : 'nearby'
  }

  exists(task: string): boolean {
    return this.#strikes('existing', task)
  }

  /** How many lines a worker changes: where reviews matter, some change far more than was planned. */
  lines(worker: string): number {
    const isVast = this.#rates.has('reviews') && this.#random(`lines ${worker}`).chance(0.15)
    return isVast ? 2000 : 20
  }

  /** The duration of a small step of Bosun's own. */
  delay(what: string): number {
    return this.#random(`delay ${what} ${this.#now()}`).between(5, 500)
  }

  /** What the brain proposes after a failed attempt, and what it finds in low work; nobody judges anything else. */
  thought(question: QuestionName, input: unknown): unknown {
    if (question === 'review_artifact') return this.#quickReview(input)
    if (question !== 'handle_failure') return undefined
    const random = this.#random(`thought ${JSON.stringify(input)}`)
    const move = random.weighted([
      ['retry', 4],
      ['reduce_scope', 2],
      ['escalate', 1],
    ])
    return { move, note: `it should ${move}`, advice: random.chance(0.5) ? 'look at the tests' : null }
  }

  #quickReview(input: unknown): unknown {
    const random = this.#random(`quick review ${JSON.stringify(input)} ${this.#now()}`)
    if (!this.#rates.has('reviews') || random.chance(0.8))
      return { verdict: 'approve', summary: 'it is what was asked for', issues: [] }
    const issue = {
      severity: 'major',
      description: 'it misses a case',
      location: 'a.ts:1',
      how_to_fix: 'add it',
    }
    return { verdict: 'revision', summary: 'it misses a case', issues: [issue] }
  }

  /** Whether a port throws this time. */
  throws(what: string): boolean {
    return this.#strikes('port_error', `${what} ${this.#now()}`)
  }

  /** Without the `people` fault no person answers, and items stay open. */
  person({ id, kind, options }: InboxItem): ScriptedAnswer | null {
    const random = this.#random(`person ${kind} ${id}`)
    if (!this.#rates.has('people') || random.chance(0.15)) return null
    const afterMs = random.between(1, 240) * MINUTE
    const choice = random.chance(0.05) ? 'pause' : random.pick(options).key
    const text = `please ${choice}`
    // Some omit the feedback or their name; most add it when their answer is refused.
    const feedback = random.chance(0.7) ? text : ''
    const by = random.chance(0.7) ? 'captain' : null
    const instead = random.chance(0.9) ? { instead: { feedback: text, by: 'captain' } } : {}
    return { choice, feedback, by, afterMs, times: random.chance(0.1) ? 2 : 1, ...instead }
  }
}
