/** What a line of activity is about, and how it looks. Its sentence comes with it. */
import type { Tone } from '../../ui/badge.tsx'

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
  repository_changed: 'failure',
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

const TONES: Readonly<Record<ActivityKind, Tone>> = {
  completion: 'ok',
  failure: 'bad',
  decision: 'run',
  intervention: 'warn',
  checkin: 'muted',
  machinery: 'muted',
}

/** By its kind, but for what asks or stops, and for good news on the way. */
export function toneOf(event: string): Tone {
  if (event.endsWith('_inconclusive')) return 'unknown'
  if (/_(opened|paused|revoked)$|^(risk_settled|request_received|issue_reported|missed_checkin)$/.test(event))
    return 'warn'
  if (/^(gate_passed|worker_completed|checkin_resumed)$/.test(event)) return 'ok'
  return event === 'plan_cancelled' ? 'bad' : TONES[kindOf(event)]
}
