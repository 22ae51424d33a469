/** What a worker's typed message amounts to: a report, a request or a check-in. */
import { Refusal } from '../lib/refusal.ts'

export const MESSAGE_TYPES = [
  'work_completed',
  'review_approved',
  'review_changes_requested',
  'tests_passed',
  'tests_failed',
  'work_blocked',
  'needs_clarification',
  'request_human_input',
] as const

export interface PmMessage {
  readonly message_type: (typeof MESSAGE_TYPES)[number]
  readonly component?: string | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

export type Meant =
  | { readonly kind: 'report'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'checkin'; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'request'
      readonly type: 'blocked' | 'need_clarification'
      readonly text: string
      readonly data: Readonly<Record<string, unknown>>
    }

/** Where a check-in names no percentage: tested work is nearly done, failing tests are in the middle of it. */
const PERCENT = { tests_passed: 85, tests_failed: 70 } as const

export function meaningOf(message: PmMessage): Meant {
  const { message_type: type, component, payload } = message
  const about = component === undefined ? {} : { component }
  switch (type) {
    case 'work_completed': {
      const explanation = textIn(payload)
      return {
        kind: 'report',
        data: { ...about, ...(explanation === null ? {} : { explanation }), ...payload },
      }
    }
    case 'review_approved':
      return { kind: 'report', data: { ...about, ...payload, verdict: 'approved' } }
    case 'review_changes_requested':
      return { kind: 'report', data: { ...about, ...payload, verdict: 'changes_requested' } }
    case 'tests_passed':
    case 'tests_failed':
      return { kind: 'checkin', body: testCheckin(type, message) }
    case 'work_blocked':
      return { kind: 'request', type: 'blocked', ...asked(message) }
    case 'needs_clarification':
      return { kind: 'request', type: 'need_clarification', ...asked(message) }
    case 'request_human_input': {
      const { text, data } = asked(message)
      return { kind: 'request', type: 'need_clarification', text, data: { ...data, to: 'human' } }
    }
  }
}

function testCheckin(
  type: keyof typeof PERCENT,
  { component, payload }: PmMessage,
): Readonly<Record<string, unknown>> {
  const { progress_pct: percent, metrics } = payload
  const words = [component, type.replace('_', ' '), textIn(payload)]
  return {
    status: 'in_progress',
    progress_pct: percent ?? PERCENT[type],
    current_step: words.filter((word) => word !== undefined && word !== null).join(': '),
    ...(metrics === undefined ? {} : { metrics }),
  }
}

const REQUEST_KEYS = ['to', 'priority', 'id'] as const

function asked({
  message_type,
  component,
  payload,
}: PmMessage): Pick<Meant & { kind: 'request' }, 'text' | 'data'> {
  const text = textIn(payload)
  if (text === null) {
    throw new Refusal({
      code: 'usage',
      message: `${message_type} needs payload.text`,
      remedy: 'Say there what you need to know or what stops you.',
    })
  }
  const keys = REQUEST_KEYS.filter((key) => payload[key] !== undefined)
  return {
    text: component === undefined ? text : `${component}: ${text}`,
    data: Object.fromEntries(keys.map((key) => [key, payload[key]])),
  }
}

/** Models choose these names as readily as `text`. */
const TEXT_KEYS = [
  'text',
  'message',
  'question',
  'reason',
  'blocker',
  'description',
  'summary',
  'explanation',
]

function textIn(payload: PmMessage['payload']): string | null {
  for (const key of TEXT_KEYS) {
    const value = payload[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}
