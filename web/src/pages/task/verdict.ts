/** A task's state in one line, and its gates in a few words. */
import { gateTitle, counted } from '../../../../src/lib/text/counted.ts'
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import type { Tone } from '../../ui/badge.tsx'

export interface VerdictLine {
  readonly tone: Tone
  readonly text: string
}

type Gate = TaskAnswer['gates'][number]
type Judged = Pick<
  TaskAnswer,
  'status' | 'stage' | 'gates' | 'criteria' | 'reviews' | 'record' | 'attempt' | 'blocked_by'
>

export function verdictLine(task: Judged): VerdictLine {
  switch (task.status) {
    case 'pending':
      return {
        tone: 'muted',
        text: `Waits for ${listed(
          task.blocked_by.map(({ title }) => `“${title}”`),
          'another task',
        )}.`,
      }
    case 'ready':
      return { tone: 'muted', text: 'Ready to start; no worker has taken it yet.' }
    case 'completed':
      return completed(task)
    case 'failed':
      return { tone: 'bad', text: `Given up. ${gateWords(task.gates)}` }
    case 'escalated':
      return { tone: 'warn', text: `Stopped: it needs your decision. ${gateWords(task.gates)}` }
    case 'in_progress':
      return inProgress(task)
  }
}

function completed(task: Judged): VerdictLine {
  const { commit_sha: sha } = task.record
  const proof = proofWords(task)
  if (sha === null) return { tone: 'ok', text: `Done: the work existed already. ${proof}`.trim() }
  const isWhole = task.gates.every(({ outcome }) => outcome === 'passed' || outcome === 'not_applicable')
  return { tone: isWhole ? 'ok' : 'unknown', text: `Committed as ${sha.slice(0, 10)}. ${proof}`.trim() }
}

/** Criteria first: that gates passed does not say that what was asked for is there. */
const proofWords = ({ criteria, gates }: Judged): string =>
  [criteriaWords(criteria).replace(/confirmed$/, 'criteria confirmed.'), gateWords(gates)]
    .filter((text) => text !== '')
    .join(' ')

function inProgress(task: Judged): VerdictLine {
  const gates = gateWords(task.gates)
  switch (task.stage) {
    case 'launching':
      return { tone: 'run', text: `Attempt ${task.attempt} is starting.` }
    case 'working':
      return {
        tone: 'run',
        text: task.attempt > 1 ? `A worker is on attempt ${task.attempt}.` : 'A worker is on it.',
      }
    case 'stopping':
      return { tone: 'warn', text: 'Its worker is being stopped.' }
    case 'taken_over':
      return { tone: 'warn', text: 'A person works in its place.' }
    case 'collecting':
      return { tone: 'run', text: 'The work is being collected.' }
    case 'gating':
      return { tone: 'run', text: `The gates check attempt ${task.attempt}.` }
    case 'reviewing':
      return { tone: 'run', text: `In review. ${gates}`.trim() }
    case 'awaiting_person':
      return { tone: 'warn', text: `Waits for your approval. ${proofWords(task)}`.trim() }
    case 'committing':
      return { tone: 'ok', text: `Approved; it is being committed. ${gates}`.trim() }
    case 'deciding':
      return {
        tone: 'run',
        text: `Attempt ${task.attempt} did not pass; the next step is being decided. ${gates}`.trim(),
      }
    default:
      return { tone: 'run', text: gates === '' ? 'In progress.' : gates }
  }
}

/** "5 gates passed, 1 failed (unit), 1 could not be checked (e2e)." */
export function gateWords(gates: readonly Pick<Gate, 'gate' | 'outcome'>[]): string {
  const named = (outcome: Gate['outcome']): readonly string[] =>
    gates.filter((one) => one.outcome === outcome).map(({ gate }) => gateTitle(gate))
  const [passed, failed, unknown] = [named('passed'), named('failed'), named('inconclusive')]
  const parts = [
    ...(failed.length === 0 ? [] : [`${counted(failed.length, 'gate')} failed (${failed.join(', ')})`]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} could not be checked (${unknown.join(', ')})`]),
    ...(passed.length === 0 ? [] : [`${counted(passed.length, 'gate')} passed`]),
  ]
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

/** Which attempt the gates ran on: while a task is reworked, an earlier one. */
export function gatedWords({
  gates,
  gated_attempt,
  attempt,
}: Pick<TaskAnswer, 'gates' | 'gated_attempt' | 'attempt'>): string {
  if (gates.length === 0) return 'not run yet'
  if (gated_attempt === null) return 'observed'
  const observed = `observed on attempt ${gated_attempt}`
  return gated_attempt === attempt ? observed : `${observed}, not yet on ${attempt}`
}

export function criteriaWords(criteria: TaskAnswer['criteria']): string {
  if (criteria.length === 0) return ''
  const proven = criteria.filter(({ word }) => word === 'PASS').length
  return `${proven} of ${criteria.length} confirmed`
}

const listed = (words: readonly string[], none: string): string =>
  words.length === 0
    ? none
    : words.length > 2
      ? `${words.slice(0, 2).join(', ')} and ${words.length - 2} more`
      : words.join(' and ')
