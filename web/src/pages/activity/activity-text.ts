/** What a line of activity is about, and its sentence. */
import type { ActivityLine } from '../../../../src/protocol/answers.ts'
import type { Tone } from '../../ui/badge.tsx'
import { gateTitle } from '../../../../src/lib/text/gate-title.ts'

export const ACTIVITY_KINDS = [
  'completion',
  'failure',
  'decision',
  'intervention',
  'checkin',
  'machinery',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

const KINDS: Readonly<Record<string, ActivityKind>> = {
  task_committed: 'completion',
  task_exists: 'completion',
  worker_completed: 'machinery',
  release_ready: 'completion',
  release_signed: 'completion',
  review_approved: 'completion',
  spec_approved: 'completion',
  integration_passed: 'completion',
  plan_registered: 'decision',
  plan_edited: 'decision',
  plan_paused: 'decision',
  plan_resumed: 'decision',
  plan_cancelled: 'decision',
  risk_settled: 'decision',
  permission_revoked: 'decision',
  spec_review_requested: 'decision',
  gate_failed: 'failure',
  gate_inconclusive: 'failure',
  integration_failed: 'failure',
  integration_inconclusive: 'failure',
  review_changes_requested: 'failure',
  worker_failed: 'failure',
  commit_refused: 'failure',
  effect_failed: 'failure',
  task_failed: 'failure',
  worker_stalled: 'failure',
  zombie_detected: 'failure',
  pm_overloaded: 'failure',
  worker_blocked: 'failure',
  worker_gave_up: 'failure',
  worker_interrupted: 'failure',
  worker_limited: 'failure',
  interview_failed: 'failure',
  worker_nudged: 'intervention',
  restart_tried: 'intervention',
  missing_checkin: 'intervention',
  timeout_warning: 'intervention',
  timeout_exceeded: 'intervention',
  time_extension_granted: 'intervention',
  resources_allocated: 'intervention',
  worker_killed: 'intervention',
  worker_restarted: 'intervention',
  worker_paused: 'intervention',
  worker_resumed: 'intervention',
  kill_near_miss: 'intervention',
  instruction_sent: 'intervention',
  time_granted: 'intervention',
  worker_taken_over: 'intervention',
  worker_looping: 'intervention',
  checkin_received: 'checkin',
  pm_started: 'machinery',
}

export function kindOf(event: string): ActivityKind {
  const known = KINDS[event]
  if (known !== undefined) return known
  return /^(escalation|approval|permission|question|release)_(opened|answered|withdrawn)$/.test(event)
    ? 'decision'
    : 'machinery'
}

/** Outcomes: what a person wants to know of without asking. */
export const isOutcome = (kind: ActivityKind): boolean => kind !== 'machinery' && kind !== 'checkin'

export interface ActivitySentence {
  /** The page's own words. */
  readonly text: string
  /** What a worker, a model, a person or a repository wrote; null where there is nothing of it. */
  readonly quote: string | null
  readonly tone: Tone
}

type Data = ActivityLine['data']
const textIn = (data: Data, key: string): string => (typeof data[key] === 'string' ? data[key] : '')
const numberIn = (data: Data, key: string): number | null =>
  typeof data[key] === 'number' ? data[key] : null

const sentence = (tone: Tone, text: string, quote = ''): ActivitySentence => ({
  tone,
  text,
  quote: quote === '' ? null : quote,
})

const ITEM_WORDS: Readonly<Record<string, string>> = {
  escalation: 'escalation',
  approval: 'approval',
  permission: 'permission',
  question: 'question',
  release: 'sign-off',
}

export function sentenceOf({ event, data }: ActivityLine): ActivitySentence {
  const why = textIn(data, 'why')
  const by = textIn(data, 'by')
  const item = /^(escalation|approval|permission|question|release)_(opened|answered|withdrawn)$/.exec(event)
  if (item !== null) return itemSentence(item[1] ?? '', item[2] ?? '', data)
  const gate = /^gate_(passed|failed|inconclusive|not_applicable)$/.exec(event)
  if (gate !== null) return gateSentence(gate[1] ?? '', data)
  switch (event) {
    case 'task_committed':
      return sentence('ok', `Committed ${textIn(data, 'sha').slice(0, 10)}`.trim())
    case 'task_exists':
      return sentence('ok', 'The work existed already', textIn(data, 'evidence'))
    case 'task_dispatched':
      return sentence('run', `Attempt ${numberIn(data, 'attempt') ?? 1} dispatched`, why)
    case 'worker_registered':
      return sentence('muted', 'Worker registered', textIn(data, 'agent'))
    case 'worker_completed':
      return sentence('ok', 'The worker reported that it is done')
    case 'worker_failed':
      return sentence('bad', 'The worker failed', textIn(data, 'reason'))
    case 'worker_killed':
      return textIn(data, 'cause') === 'killed'
        ? sentence('bad', 'A person killed the worker', '')
        : sentence('bad', 'Bosun ended the worker', textIn(data, 'cause'))
    case 'worker_restarted':
      return sentence('warn', 'A new worker takes its place', why)
    case 'worker_nudged':
      return sentence('warn', 'Queued a nudge for the worker', why)
    case 'restart_tried':
      return sentence('warn', 'Started the turn of the silent worker again', why)
    case 'instruction_sent':
      return sentence('warn', `Queued an instruction by ${by} for the worker`, textIn(data, 'text'))
    case 'contract_changed':
      return sentence('warn', `${by} changed the contract`, '')
    case 'time_granted':
      return sentence('warn', `${by} gave it ${numberIn(data, 'minutes') ?? 0} more minutes`)
    case 'message_delivered':
      return sentence('run', `Delivered ${messagesIn(data)} ${VIA[textIn(data, 'via')] ?? ''}`.trim())
    case 'message_read':
      return sentence('run', `The agent answered the prompt with ${messagesIn(data)}`)
    case 'missing_checkin':
      return sentence('warn', 'Reminded the worker to check in', why)
    case 'missed_checkin':
      return sentence('warn', 'A check-in is late', why)
    case 'issue_reported':
      return sentence('warn', 'The worker reported an issue', why)
    case 'checkin_resumed':
      return sentence('ok', 'The worker is back', why)
    case 'timeout_near':
    case 'timeout_warning':
      return sentence('warn', 'Warned the worker about its time', textIn(data, 'text') || why)
    case 'timeout_exceeded':
      return sentence('bad', 'The time limit is exceeded', why)
    case 'time_extension_granted':
      return sentence(
        'warn',
        `Gave it ${Math.round((numberIn(data, 'extra_ms') ?? 0) / 60_000)} more minutes`,
        why,
      )
    case 'worker_stalled':
      return sentence('bad', 'The worker is stalled', why)
    case 'zombie_detected':
      return sentence('bad', 'The worker never gave a sign of life', why)
    case 'kill_near_miss':
      return sentence('warn', 'Not ended: the worker had just finished')
    case 'worker_paused':
      return sentence('warn', `Paused by ${by}`, why)
    case 'worker_resumed':
      return sentence('run', `Resumed by ${by}`)
    case 'review_dispatched':
      return sentence('run', `Review round ${numberIn(data, 'round') ?? 1} dispatched`)
    case 'review_approved':
      return sentence('ok', `Review approved by ${by}`, textIn(data, 'summary'))
    case 'review_changes_requested':
      return sentence('bad', `Review by ${by} requests changes`, textIn(data, 'summary'))
    case 'commit_refused':
      return sentence('bad', 'Could not be committed', textIn(data, 'reason'))
    case 'effect_failed':
      return sentence('bad', `Failed, and is retried: ${textIn(data, 'effect')}`, textIn(data, 'reason'))
    case 'proof_outdated':
      return sentence('run', 'Being proven again', why)
    case 'tier_raised':
      return sentence('warn', `Raised to ${textIn(data, 'tier')}`, listIn(data, 'reasons'))
    case 'plan_registered':
      return sentence(
        'run',
        `Plan registered with ${numberIn(data, 'tasks') ?? 0} tasks`,
        textIn(data, 'title'),
      )
    case 'plan_edited':
      return sentence('run', `Plan edited by ${by}`)
    case 'plan_paused':
      return sentence('warn', `Paused by ${by}`, textIn(data, 'reason'))
    case 'plan_resumed':
      return sentence('run', `Resumed by ${by}`)
    case 'plan_cancelled':
      return sentence('bad', `Cancelled by ${by}`, textIn(data, 'reason'))
    case 'release_ready':
      return sentence('ok', 'Released on its branch', textIn(data, 'manifest'))
    case 'release_signed':
      return sentence('ok', `Signed off by ${by}`)
    case 'permission_revoked':
      return sentence('warn', `Permission ${textIn(data, 'id')} revoked by ${by}`, 'the next one is asked')
    case 'risk_settled':
      return sentence('warn', `Risk ${textIn(data, 'status')} by ${by}`, textIn(data, 'reason'))
    case 'progress_report':
      return sentence('muted', 'Progress report', why)
    case 'pm_started':
      return sentence('muted', 'Started')
    case 'pm_restarted':
      return sentence('warn', 'Bosun restarted and went on')
    case 'pm_stopped':
      return sentence('muted', 'Bosun stopped; workers go on')
    case 'request_received':
      return sentence('warn', `The worker asks: ${plainEvent(textIn(data, 'type'))}`, textIn(data, 'text'))
    case 'request_answered':
      return sentence('run', `Its request was answered by ${by}`, textIn(data, 'text'))
    case 'baseline_taken':
      return sentence('muted', `Looked at the repository first: ${numberIn(data, 'files') ?? 0} files`)
    default:
      return sentence(
        'muted',
        capital(plainEvent(event)),
        why || textIn(data, 'text') || textIn(data, 'reason'),
      )
  }
}

function itemSentence(kind: string, what: string, data: Data): ActivitySentence {
  const name = ITEM_WORDS[kind] ?? kind
  const id = textIn(data, 'id')
  if (what === 'opened') {
    const asked = kind === 'escalation' ? 'Asked you to decide' : `Asked for your ${name}`
    return sentence('warn', `${asked} (${id})`, textIn(data, 'problem'))
  }
  if (what === 'withdrawn')
    return sentence('muted', `${capital(name)} ${id} no longer needed`, textIn(data, 'why'))
  const choice = textIn(data, 'choice').replaceAll('_', ' ')
  return sentence('run', `${textIn(data, 'by')} answered ${id}: ${choice}`, textIn(data, 'feedback'))
}

function gateSentence(outcome: string, data: Data): ActivitySentence {
  const name = capital(gateTitle(textIn(data, 'gate')))
  const summary = textIn(data, 'summary')
  const of = data['release'] === true ? ' for the release' : ''
  if (outcome === 'passed') return sentence('ok', `${name} passed${of}`, summary)
  if (outcome === 'failed') return sentence('bad', `${name} failed${of}`, summary)
  if (outcome === 'inconclusive') return sentence('unknown', `${name}: could not check${of}`, summary)
  return sentence('muted', `${name} does not apply${of}`, summary)
}

/** How a message reached the worker. */
const VIA: Readonly<Record<string, string>> = {
  session: 'into its session',
  checkin: 'with its check-in',
  instructions: 'when it asked for messages',
}

function messagesIn(data: Data): string {
  const ids = data['messages']
  const numbers = Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
  return `${numbers.length === 1 ? 'message' : 'messages'} ${numbers.join(', ')}`
}

const listIn = (data: Data, key: string): string => {
  const value = data[key]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('; ') : ''
}
const plainEvent = (event: string): string => event.replaceAll('_', ' ')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
