/** What a worker's typed message amounts to: a report, a request or a check-in. Each kind has a payload of its own. */
import { z } from 'zod'
import { PRIORITIES, type ReportedTests } from '../../core/event-schemas/requests.ts'
import { ROLES, type Role } from '../../core/event-schemas/schemas.ts'
import { schemaProblem } from './worker-channel.ts'
import { refusal } from '../../lib/refusal.ts'

const line = z.string().max(2000)
const lines = z.array(line).max(200)
const name = z.string().min(1).max(100)
const count = z.int().min(0)

const risks = z.array(z.union([line, z.looseObject({ description: line, severity: name.optional() })]))
const check = z.looseObject({ added: z.unknown(), evidence: z.unknown(), command: z.unknown() }).partial()

/** As the report file: every key may be absent, and unknown ones are ignored. */
const workPayload = z
  .looseObject({
    explanation: z.string(),
    files: z.looseObject({ created: lines, modified: lines, deleted: lines }).partial(),
    tests: check,
    lint: check,
    typecheck: check,
    blockers: lines,
    ambiguities: lines,
    risks,
    review_note: z.looseObject({ summary: z.string(), risks, rollback: z.string() }).partial(),
    criteria: z.array(
      z.looseObject({ criterion: z.union([z.string(), z.number()]), file: line, line: count.optional() }),
    ),
    self_assessment: line,
  })
  .partial()

const finding = z.looseObject({ description: z.string(), location: line.optional() })
const reviewPayload = z
  .looseObject({
    summary: z.string(),
    critical: z.array(finding),
    major: z.array(finding),
    minor: z.array(finding),
  })
  .partial()

const testsPayload = z.strictObject({
  text: line.optional(),
  passed: count.optional(),
  failed: count.optional(),
  failing: z.array(z.string().min(1).max(2000)).max(50).optional(),
  command: line.optional(),
  progress_pct: z.number().min(0).max(100).optional(),
})
const failedTests = testsPayload.refine(({ failing = [], failed = 0 }) => failing.length > 0 || failed > 0, {
  path: ['failing'],
  message: 'name the tests that fail, or give `failed`, how many they are',
})
const passedTests = testsPayload.refine(
  ({ failing = [], failed = 0 }) => failing.length === 0 && failed === 0,
  { path: ['failing'], message: 'tests fail: send tests_failed' },
)

const asking = {
  text: line.refine((text) => text.trim() !== '', 'say what you need to know or what stops you'),
  priority: z.enum(PRIORITIES).optional(),
  id: name.optional(),
}
const blockerPayload = z.strictObject(asking)
const questionPayload = z.strictObject({ ...asking, to: name.optional() })

const PAYLOADS = {
  work_completed: workPayload,
  review_approved: reviewPayload,
  review_changes_requested: reviewPayload,
  tests_passed: passedTests,
  tests_failed: failedTests,
  work_blocked: blockerPayload,
  needs_clarification: questionPayload,
  request_human_input: blockerPayload,
} as const
type MessageType = keyof typeof PAYLOADS

export const pmMessageSchema = z.object({
  agent_role: z.enum(ROLES).optional(),
  message_type: z.enum(Object.keys(PAYLOADS) as [MessageType, ...MessageType[]]),
  component: name.optional(),
  /** By its message type. */
  payload: z.looseObject({}),
})
export type PmMessage = z.infer<typeof pmMessageSchema>

export const roleNamed = (text: string | undefined): Role | null =>
  ROLES.find((role) => role === text) ?? null

type Fields = Readonly<Record<string, unknown>>

export type Meant =
  | { readonly kind: 'report'; readonly data: Fields }
  | { readonly kind: 'checkin'; readonly body: Fields & { readonly tests: ReportedTests } }
  | {
      readonly kind: 'request'
      readonly type: 'blocked' | 'need_clarification'
      readonly text: string
      readonly data: Fields
    }

/** Where a check-in names no percentage: tested work is nearly done, failing tests are in the middle of it. */
const PERCENT = { tests_passed: 85, tests_failed: 70 } as const

/** `role` is the worker's own; null where it is not known. */
export function meaningOf(message: PmMessage, role: Role | null): Meant {
  refuseOtherRole(message.agent_role, role)
  const { message_type: type, component, payload } = message
  const about = component === undefined ? {} : { component }
  switch (type) {
    case 'work_completed':
      return { kind: 'report', data: { ...about, ...checked(type, payload) } }
    case 'review_approved':
      return { kind: 'report', data: { ...about, ...checked(type, payload), verdict: 'approved' } }
    case 'review_changes_requested':
      return { kind: 'report', data: { ...about, ...checked(type, payload), verdict: 'changes_requested' } }
    case 'tests_passed':
    case 'tests_failed': {
      const { text, progress_pct = PERCENT[type], ...results } = checked(type, payload)
      const words = [component, type.replace('_', ' '), text].filter((word) => word !== undefined)
      const outcome = type === 'tests_passed' ? 'passed' : 'failed'
      const tests = { outcome, ...about, ...results } as const
      return {
        kind: 'checkin',
        body: { status: 'in_progress', progress_pct, current_step: words.join(': '), tests },
      }
    }
    case 'work_blocked':
      return { kind: 'request', type: 'blocked', ...asked(component, checked(type, payload)) }
    case 'needs_clarification':
      return { kind: 'request', type: 'need_clarification', ...asked(component, checked(type, payload)) }
    case 'request_human_input': {
      const { text, data } = asked(component, checked(type, payload))
      return { kind: 'request', type: 'need_clarification', text, data: { ...data, to: 'human' } }
    }
  }
}

function checked<T extends MessageType>(type: T, payload: unknown): z.output<(typeof PAYLOADS)[T]> {
  const { data, error } = PAYLOADS[type].safeParse(payload)
  if (error === undefined) return data as z.output<(typeof PAYLOADS)[T]>
  const keys = Object.keys(PAYLOADS[type].shape)
  throw refusal(
    'usage',
    `${type}: ${schemaProblem(error, 'payload', 'payload.')}`,
    `Its keys are ${keys.join(', ')}.`,
  )
}

const asked = (
  component: string | undefined,
  { text, ...data }: z.output<typeof questionPayload>,
): { readonly text: string; readonly data: Fields } => ({
  text: component === undefined ? text : `${component}: ${text}`,
  data,
})

/** Which worker it is follows from its token; one that takes itself for another role has misread its brief. */
function refuseOtherRole(said: Role | undefined, role: Role | null): void {
  if (said === undefined || role === null || said === role) return
  if (said === 'developer' && role === 'fixer') return
  throw refusal(
    'usage',
    `agent_role: you are the ${role} of this task, not its ${said}`,
    `Send agent_role "${role}", or leave it out.`,
  )
}
