/** The kinds of failure a caller can tell apart; the command line gives each its exit code. */
export type RefusalCode =
  | 'failed'
  | 'usage'
  | 'not_found'
  | 'conflict'
  | 'needs_person'
  | 'gate_failed'
  | 'no_daemon'
  | 'budget'
  | 'no_agent'

/** One thing that is wrong, and where. */
export interface Fault {
  readonly file: string
  readonly line: number
  readonly key?: string | undefined
  readonly message: string
  readonly remedy: string
}

/** An error that a person can fix, with a remedy. Shown without a stack trace. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly remedy: string
  /** Every single thing that is wrong, when there may be several. */
  readonly faults: readonly Fault[]
  /** Of a conflict: both sides of it, as JSON. */
  readonly details: Readonly<Record<string, unknown>> | null
  constructor(
    it: Pick<Refusal, 'code' | 'message' | 'remedy'> & Partial<Pick<Refusal, 'faults' | 'details' | 'cause'>>,
  ) {
    super(it.message, { cause: it.cause })
    this.code = it.code
    this.remedy = it.remedy
    this.faults = it.faults ?? []
    this.details = it.details ?? null
  }
}

export const refusal = (code: RefusalCode, message: string, remedy: string, cause?: unknown): Refusal =>
  new Refusal({ code, message, remedy, cause })

/** For a call that is wrong in itself. */
export const usageRefusal = (message: string, remedy: string, cause?: unknown): Refusal =>
  refusal('usage', message, remedy, cause)
