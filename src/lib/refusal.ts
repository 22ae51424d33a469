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
  constructor(options: {
    code: RefusalCode
    message: string
    remedy: string
    faults?: readonly Fault[]
    details?: Readonly<Record<string, unknown>> | null
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.code = options.code
    this.remedy = options.remedy
    this.faults = options.faults ?? []
    this.details = options.details ?? null
  }
}

/** For a call that is wrong in itself. */
export const usageRefusal = (message: string, remedy: string, cause?: unknown): Refusal =>
  new Refusal({ code: 'usage', message, remedy, cause })
