/** What the model behind the server does, request by request. */
import { fillSchema } from './fill-schema.ts'
import { isSideRequest, userText, type ModelRequest } from './request.ts'

export type Script = (request: ModelRequest) => Step

/** What the model wants done. The server finds the tool for it among those that the agent offers. */
export type Intention =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string }
  /** A tool by its own name, which agents lengthen (`mcp__bosun__checkin` for `checkin`). */
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

export interface Usage {
  /** Neither read from a cache nor written to it. */
  readonly input: number
  readonly cached: number
  /** With the reasoning. */
  readonly output: number
  readonly reasoning: number
}

export interface ReplyStep {
  readonly kind: 'reply'
  readonly text: string
  readonly thought: string
  readonly does: readonly Intention[]
  readonly usage: Usage
  /** Nothing is sent before this time has passed. */
  readonly firstTokenMs: number
  /** Nothing is sent before this has settled. */
  readonly after: Promise<unknown> | null
  /** What becomes of the reply once half of it was sent. */
  readonly ending: 'complete' | 'cut' | 'hang' | 'error'
}

export interface FailStep {
  readonly kind: 'fail'
  readonly why: 'signed_out' | 'limited' | 'overloaded' | 'broken'
  /** When to come back, in the fields that the provider has for it. */
  readonly resetMs: number | null
  /** Of `limited`: requests per minute, or what a subscription includes until the reset. */
  readonly limit: 'rate' | 'usage'
}

export type Step = ReplyStep | FailStep | { readonly kind: 'hang' }

export const DEFAULT_USAGE: Usage = { input: 120, cached: 40, output: 30, reasoning: 0 }

type ReplyOptions = Partial<Omit<ReplyStep, 'kind' | 'usage'>> & { readonly usage?: Partial<Usage> }

export const reply = (options: ReplyOptions): ReplyStep => ({
  kind: 'reply',
  text: '',
  thought: '',
  does: [],
  firstTokenMs: 0,
  after: null,
  ending: 'complete',
  ...options,
  usage: { ...DEFAULT_USAGE, ...options.usage },
})

export const say = (text: string, options: ReplyOptions = {}): ReplyStep => reply({ ...options, text })

/** One step with these tool calls. */
export const act = (...does: readonly Intention[]): ReplyStep => reply({ does })

export const write = (path: string, text: string): Intention => ({ kind: 'write', path, text })
export const edit = (path: string, from: string, to: string): Intention => ({ kind: 'edit', path, from, to })
export const read = (path: string): Intention => ({ kind: 'read', path })
export const run = (command: string): Intention => ({ kind: 'run', command })
export const call = (tool: string, input: Readonly<Record<string, unknown>> = {}): Intention => ({
  kind: 'call',
  tool,
  input,
})

const HOUR_MS = 3_600_000

export const signedOut = (): FailStep => ({ kind: 'fail', why: 'signed_out', resetMs: null, limit: 'rate' })
export const overloaded = (): FailStep => ({ kind: 'fail', why: 'overloaded', resetMs: null, limit: 'rate' })
export const broken = (): FailStep => ({ kind: 'fail', why: 'broken', resetMs: null, limit: 'rate' })
/** A limit that lasts for an hour or more is one of a subscription, unless said otherwise. */
export const limited = (
  resetMs: number,
  limit: FailStep['limit'] = resetMs >= HOUR_MS ? 'usage' : 'rate',
): FailStep => ({ kind: 'fail', why: 'limited', resetMs, limit })

/** The request is read and never answered. */
export const hang = (): Step => ({ kind: 'hang' })

export const always =
  (step: Step): Script =>
  () =>
    step

/** What a request gets that no rule is about, or whose rules are all played. */
export const UNSCRIPTED: Step = say('There is nothing more to do.')

export interface Rule {
  /** About which requests it is: a pattern in what the user said. All, when absent. */
  readonly about?: RegExp | ((request: ModelRequest) => boolean)
  readonly steps: readonly (Step | ((request: ModelRequest) => Step))[]
  /** Begins anew after its last step, instead of leaving the requests to the next rule. */
  readonly repeats?: boolean
}

/**
 * Each request takes the next step of the first rule that is about it and has one left. Side requests take none: they
 * get a short answer of the form they demand.
 */
export function play(rules: readonly Rule[], answerSide: Script = sideAnswer): Script {
  const played = rules.map((rule) => ({ rule, next: 0 }))
  return (request) => {
    if (isSideRequest(request)) return answerSide(request)
    const found = played.find(({ rule, next }) => next < rule.steps.length && isAbout(rule, request))
    const step = found?.rule.steps[found.next]
    if (found === undefined || step === undefined) return UNSCRIPTED
    found.next += 1
    if (found.rule.repeats === true && found.next === found.rule.steps.length) found.next = 0
    return typeof step === 'function' ? step(request) : step
  }
}

function isAbout({ about }: Rule, request: ModelRequest): boolean {
  if (about === undefined) return true
  return typeof about === 'function' ? about(request) : about.test(userText(request))
}

const sideAnswer: Script = ({ answerSchema }) =>
  say(answerSchema === null ? 'A scripted task' : JSON.stringify(fillSchema(answerSchema)))
