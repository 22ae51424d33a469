/** Which sign and which word stand for a stage, a health and an outcome. */
import type { Tone } from './badge.tsx'

export interface StageSign {
  readonly label: string
  readonly tone: Tone
  readonly shape: 'circle' | 'check' | 'cross' | 'triangle'
  /** How much of the circle is full, 0 to 1. */
  readonly fill: number
  readonly isDotted: boolean
}

const circle = (label: string, tone: Tone, fill: number, isDotted = false): StageSign => ({
  label,
  tone,
  shape: 'circle',
  fill,
  isDotted,
})

/** Stages as the core names them, in the words of a colleague. */
const STAGES: Readonly<Record<string, StageSign>> = {
  pending: circle('Waiting', 'muted', 0, true),
  ready: circle('Ready', 'muted', 0),
  in_progress: circle('Working', 'run', 0.25),
  working: circle('Working', 'run', 0.25),
  completed: { label: 'Done', tone: 'ok', shape: 'check', fill: 1, isDotted: false },
  failed: { label: 'Failed', tone: 'bad', shape: 'cross', fill: 1, isDotted: false },
  escalated: { label: 'Needs a decision', tone: 'warn', shape: 'triangle', fill: 1, isDotted: false },
}

/** `stage` refines a status that is `in_progress`; an unknown stage shows as its own words. */
export function stageSign(status: string, stage: string): StageSign {
  if (status !== 'in_progress') return STAGES[status] ?? circle(words(stage), 'muted', 0)
  const exact = WITHIN[stage]
  if (exact !== undefined) return exact
  return circle(words(stage), 'run', 0.25)
}

const WITHIN: Readonly<Record<string, StageSign>> = {
  launching: circle('Starting', 'run', 0.1),
  working: circle('Working', 'run', 0.25),
  stopping: circle('Stopping', 'run', 0.25),
  taken_over: circle('Taken over by a person', 'warn', 0.5),
  collecting: circle('Collecting work', 'run', 0.4),
  gating: circle('Checks running', 'run', 0.5),
  reviewing: circle('In review', 'run', 0.75),
  awaiting_person: circle('Waits for you', 'warn', 1),
  committing: circle('Landing', 'ok', 0.75),
  deciding: circle('Deciding the next step', 'run', 0.4),
}

const words = (name: string): string => {
  const plain = name.replaceAll('_', ' ').toLowerCase()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

export interface HealthSign {
  readonly label: string
  readonly tone: Tone
  readonly icon: 'pulse' | 'clock' | 'pause' | 'hourglass' | 'ghost' | 'check' | 'cross' | 'question'
}

const HEALTH: Readonly<Record<string, HealthSign>> = {
  STARTING: { label: 'Starting', tone: 'run', icon: 'pulse' },
  HEALTHY: { label: 'Healthy', tone: 'run', icon: 'pulse' },
  LATE: { label: 'Late', tone: 'warn', icon: 'clock' },
  STALLED: { label: 'Stalled', tone: 'bad', icon: 'pause' },
  TIMEOUT_WARNING: { label: 'Time warning', tone: 'warn', icon: 'hourglass' },
  ZOMBIE: { label: 'No sign of life', tone: 'bad', icon: 'ghost' },
  COMPLETED: { label: 'Finished', tone: 'ok', icon: 'check' },
  FAILED: { label: 'Failed', tone: 'bad', icon: 'cross' },
}

export const healthSign = (health: string): HealthSign =>
  HEALTH[health.toUpperCase()] ?? { label: words(health), tone: 'unknown', icon: 'question' }

/** The worst first. */
const WORST = ['ZOMBIE', 'STALLED', 'FAILED', 'TIMEOUT_WARNING', 'LATE', 'STARTING', 'HEALTHY', 'COMPLETED']
export const healthRank = (health: string): number => {
  const at = WORST.indexOf(health.toUpperCase())
  return at === -1 ? WORST.length : at
}
/** Whether a person should look at it. */
export const isStalled = (health: string): boolean => ['STALLED', 'ZOMBIE'].includes(health.toUpperCase())

/** Nothing but its work is to be reported of it. */
export const isHealthy = (health: string): boolean => health.toUpperCase() === 'HEALTHY'

export interface GateSign {
  readonly label: string
  readonly tone: Tone
  readonly icon: 'check' | 'cross' | 'question' | 'dash'
}

const GATES: Readonly<Record<string, GateSign>> = {
  passed: { label: 'Passed', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'bad', icon: 'cross' },
  inconclusive: { label: 'Could not check', tone: 'unknown', icon: 'question' },
  not_applicable: { label: 'Does not apply', tone: 'muted', icon: 'dash' },
}

/** What is not known is never green. */
export const gateSign = (outcome: string): GateSign =>
  GATES[outcome] ?? { label: 'Could not check', tone: 'unknown', icon: 'question' }
