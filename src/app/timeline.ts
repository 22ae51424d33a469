/** What happened, a line for everything a person would tell another. */
import { spentWords } from '../core/spending.ts'
import { baselineLines, startWords } from '../core/delivery/baseline-lines.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'

export interface Happening {
  readonly event: string
  readonly task: string | null
  readonly text: string
  /** More of it, a line each. */
  readonly details?: readonly string[]
}

/** Null for what only the machinery cares about. */
export function happening(event: PlanEvent): Happening | null {
  const about = (task: string | null, text: string): Happening => ({ event: event.type, task, text })
  switch (event.type) {
    case 'plan.baselined': {
      const words = startWords(event.start)
      const text = `baseline taken at ${event.sha.slice(0, 12)}${words === '' ? '' : `: ${words}`}`
      return { ...about(null, text), details: baselineLines(event) }
    }
    case 'plan.paused':
      return about(null, `paused by ${event.by}: ${event.reason}`)
    case 'plan.resumed':
      return about(null, `resumed by ${event.by}`)
    case 'plan.cancelled':
      return about(null, `cancelled by ${event.by}: ${event.reason}`)
    case 'plan.extended':
      return about(null, `added ${event.tasks.map((task) => task.id).join(', ')} because of ${event.because}`)
    case 'task.replanned':
      return about(event.task, `back to planning: ${event.recommend} is proposed`)
    case 'task.tier_raised':
      return about(event.task, `raised to ${event.tier}: ${event.reasons.join('; ')}`)
    case 'task.dispatched':
      return about(event.task, `${event.worker} sent (${event.why})`)
    case 'task.gated':
      return about(event.task, gateLine(event.verdicts))
    case 'task.reviewed':
      return about(event.task, `review ${event.round} by ${event.by}: ${event.verdict.replaceAll('_', ' ')}`)
    case 'task.committed':
      return about(event.task, `committed${event.tag === null ? '' : `, tagged ${event.tag}`}`)
    case 'task.commit_refused':
      return about(event.task, `could not land: ${event.reason}`)
    case 'task.proof_outdated':
      return about(event.task, `proving again: ${event.why}`)
    case 'review.dispatched':
      return about(event.task, `${event.worker} sent to review`)
    case 'plan.edited':
      return about(null, `${event.by} edited the plan: ${event.affected.length} tasks are done again`)
    case 'worker.used':
      return about(event.task, `${event.worker} has used ${spentWords(event)}`)
    case 'worker.condemned':
      return about(event.task, `stopping ${event.worker}: ${event.why}`)
    case 'worker.judged':
      return about(event.task, `${event.worker} is ${event.health.replace('_', ' ')}: ${event.why}`)
    case 'worker.told':
      return about(event.task, `${event.worker} is told: ${event.message.text}`)
    case 'worker.extended':
      return about(
        event.task,
        `${event.worker} has ${Math.round(event.extraMs / 60_000)} min more: ${event.why}`,
      )
    case 'request.received': {
      const { id, kind, text, by } = event.request
      const asks = by === event.worker ? 'asks' : `is helped by ${by}`
      return about(event.task, `${event.worker} ${asks} (${id}): ${kind.replaceAll('_', ' ')}: ${text}`)
    }
    case 'request.answered':
      return about(
        event.task,
        `${event.id} ${event.answer.outcome} by ${event.answer.by}: ${event.answer.text}`,
      )
    case 'checkin.missed':
      return about(event.task, `${event.worker} has not checked in: ${event.why}`)
    case 'watch.would':
      return about(event.task, `would ${event.what} ${event.worker}: ${event.why}`)
    case 'worker.ended':
      return about(event.task, `${event.worker} ended: ${endLine(event.end)}`)
    case 'provider.limited':
      return about(null, limitLine(event))
    case 'provider.freed':
      return about(null, `${event.agent} works again: ${event.why}`)
    case 'word.ignored':
      return about(null, `ignored ${event.about} of ${event.from}: ${event.why}`)
    case 'inbox.opened':
      return about(event.item.task, `${event.item.id} asks: ${event.item.problem}`)
    case 'inbox.withdrawn':
      return about(null, `${event.id} withdrawn: ${event.why}`)
    case 'inbox.answered':
      return about(null, `${event.by} answered ${event.id}: ${event.choice}`)
    case 'risk.settled':
      return about(null, `${event.risk} ${event.status} by ${event.by}`)
    case 'integration.ran': {
      const bad = event.results.filter((result) => result.outcome !== 'passed').map((result) => result.id)
      return about(
        null,
        `integration of ${event.layer}: ${bad.length === 0 ? 'passed' : `${bad.join(', ')} failed`}`,
      )
    }
    case 'integration.diagnosed':
      return about(null, event.diagnoses.map(({ test, words }) => `${test}: ${words}`).join('; '))
    case 'release.gated':
      return about(null, `release gate: ${gateLine(event.verdicts)}`)
    case 'release.prepared':
      return about(null, `released: ${event.manifest}`)
    case 'release.signed':
      return about(null, `signed off by ${event.by}`)
    case 'effect.failed':
      return about(null, `${event.effect} did not work: ${event.reason}`)
    case 'clock.jumped':
      return about(null, `the clock jumped by ${Math.round(event.byMs / 60_000)} min`)
    case 'pm.started':
      return about(null, 'the PM is at work')
    case 'plan.registered':
    case 'plan.documented':
    case 'worker.started':
    case 'worker.heard':
    case 'work.collected':
    case 'inbox.presented':
      return null
    case 'progress.reported': {
      const [head = '', ...lines] = event.text.split('\n')
      return { ...about(null, head), details: lines }
    }
  }
}

function limitLine(event: Extract<PlanEvent, { type: 'provider.limited' }>): string {
  const { agent, until, why, probe } = event
  if (until !== null) return `${agent} is limited until ${new Date(until).toISOString()}: ${why}`
  return probe === undefined ? `${agent} does not work: ${why}` : `${probe} finds out whether ${agent} works`
}

type Verdicts = Extract<PlanEvent, { type: 'task.gated' }>['verdicts']

function gateLine(verdicts: Verdicts): string {
  const bad = verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  if (bad.length > 0)
    return bad.map(({ gate, outcome, summary }) => `${gate} ${outcome} (${summary})`).join(', ')
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').length
  const rest = verdicts.length - passed
  const told = `${passed} ${passed === 1 ? 'gate' : 'gates'} passed`
  return rest === 0 ? told : `${told}, ${rest} not applicable`
}

function endLine(end: Extract<PlanEvent, { type: 'worker.ended' }>['end']): string {
  switch (end.kind) {
    case 'done':
      return 'it says it is done'
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return `${end.kind}, ${end.reason}`
    case 'stopped':
      return `stopped, ${end.cause.replaceAll('_', ' ')}`
    case 'limited':
      return "its provider's limit"
  }
}
