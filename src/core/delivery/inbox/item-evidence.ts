/** What an inbox item rests on, a line each: failing gates, findings of reviews, the worker's own words. */
import { NOBODY } from '../../review/nobody.ts'
import { TIERS } from '../../planning/plan.ts'
import { counted, firstFew, gateTitle } from '../../../lib/text/counted.ts'
import { visibleLine } from '../../../lib/text/quoted.ts'
import type { InboxItem, ReviewIssue, Verdict } from '../../event-schemas/schemas.ts'
import { findingsForReview } from '../../gates/verdicts.ts'
import { mainErrorLine } from '../../gates/command-output.ts'
import { risksForPerson } from '../../state/open-risks.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { unmappedCriteria, failedBefore, formatFailedBefore } from '../release/unproven.ts'
import { openTrials } from './checks-question.ts'
import { MAX_REVISIONS } from '../../state/budgets.ts'
import { decisionsIn } from '../../state/decision-log.ts'
import { confirmationOf, criteriaResults } from '../../review/criteria-results.ts'

const MOST_LINES = 12
const LONGEST_LINE = 300
const MOST_FINDINGS = 3
const MOST_ISSUES = 4

/** `claimed` is what its worker reports of itself at the moment; the state does not hold it. */
export function itemEvidence(
  state: PlanState,
  item: InboxItem,
  claimed: readonly string[] = [],
): readonly string[] {
  const lines = [...linesOf(state, item), ...claimed].map((line) => visibleLine(line, LONGEST_LINE))
  return lines.filter((line) => line !== '').slice(0, MOST_LINES)
}

function linesOf(state: PlanState, item: InboxItem): readonly string[] {
  const task = state.tasks.get(item.task ?? '')
  switch (item.subject) {
    case 'task':
    case 'rejection':
    case 'takeover':
      return task === undefined ? [] : [...workLines(task), ...wordsOf(task)]
    case 'worker':
    case 'request':
      return task === undefined ? [] : requestLines(task, item)
    case 'risk':
      return risksForPerson(state).map(
        ({ id, sourceTask, severity, description }) =>
          `${id} of task ${sourceTask} (${severity}): ${description}`,
      )
    case 'release_gate':
      return gateLines(state.release.verdicts ?? [])
    case 'completeness':
      return unmappedCriteria(state).map(
        ({ task: id, criterion, why }) => `task ${id}: ${criterion} (${why})`,
      )
    case 'nothing_built':
      return auditLines(state)
    case 'checks':
      return openTrials(state).map(({ check, command, why }) => `${check} (${command}): ${why}`)
    case 'plan_proposal':
      return taskLines(state)
    case 'sign_off':
      return releaseLines(state)
    case 'paused':
      return [...state.layers].flatMap(([name, { status, results }]) =>
        status === 'failed'
          ? results.flatMap(({ id, outcome }) => (outcome === 'passed' ? [] : [`${name}: ${id} ${outcome}`]))
          : [],
      )
    // The problem says all that is known.
    case 'budget':
    case 'effect':
    case 'provider':
    case 'breaker':
    case 'plan_question':
      return []
  }
}

/** How many tasks of each tier, then one task a line. */
function taskLines(state: PlanState): readonly string[] {
  const tasks = [...state.tasks.values()]
  const tiers = TIERS.map((name) => [name, tasks.filter(({ tier }) => tier === name).length] as const)
  const counts = tiers.flatMap(([name, many]) => (many === 0 ? [] : [`${many} ${name}`]))
  const first = `${counted(tasks.length, 'task')}: ${counts.join(', ')}`
  const lines = tasks.map(({ spec, tier }) => {
    const after = spec.dependsOn.length === 0 ? '' : `, after ${firstFew(spec.dependsOn, 3)}`
    return `${spec.id}: ${spec.title} (${tier}, ${spec.role ?? 'developer'}${after})`
  })
  const most = MOST_LINES - 2
  const rest = lines.length - most
  return [first, ...lines.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])]
}

/** Gates, overrides and the review of a task's work. */
function workLines(task: TaskState): readonly string[] {
  const verdicts = task.verdicts ?? []
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed').map(({ gate }) => gateTitle(gate))
  return [
    ...gateLines(verdicts),
    ...findingsForReview(verdicts)
      .slice(0, MOST_FINDINGS)
      .map(({ text, file, line }) => `for review: ${placeOf(file, line)}${text}`),
    ...(passed.length === 0 ? [] : [`passed: ${firstFew(passed, 12)}`]),
    ...task.overrides.map(({ what, by, reason }) => `${gateTitle(what)} was overridden by ${by}: ${reason}`),
    ...reviewLines(task),
  ]
}

/** Those that did not pass, with the findings that block or the line that says why; what several gates found is listed once. */
function gateLines(verdicts: readonly Verdict[]): readonly string[] {
  const bad = verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  const alike = Map.groupBy(bad, (verdict) => `${verdict.outcome} ${whyOf(verdict)}`)
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const gates = group.map(({ gate }) => gateTitle(gate)).join(', ')
    const what = `${gates} ${first.outcome === 'failed' ? 'failed' : 'could not be checked'}${whyOf(first)}`
    return [...new Set([what, ...group.flatMap(findingLines)])]
  })
}

const whyOf = ({ gate, summary }: Verdict): string =>
  summary === '' || summary.startsWith(`${gate} `) ? '' : `: ${summary}`

/** What its summary does not say already. */
function findingLines({ summary, evidence }: Verdict): readonly string[] {
  const blocking = evidence.findings.filter(({ weight }) => weight === 'blocks').slice(0, MOST_FINDINGS)
  if (blocking.length > 0) {
    return blocking
      .filter(({ text }) => !summary.includes(text.replace(/^fails: /, '')))
      .map(({ text, file, line }) => `${placeOf(file, line)}${text}`)
  }
  const key = mainErrorLine(evidence.runs.at(-1)?.keyLines ?? [])
  return key === '' || summary.includes(key) ? [] : [key]
}

const placeOf = (file: string | null, line: number | null): string =>
  file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `

function reviewLines({ review }: TaskState): readonly string[] {
  if (review === null) return []
  const { by, summary } = review
  const verdict = review.verdict === 'approved' ? 'approved' : 'requested changes'
  const issue = ({ severity, location, description }: ReviewIssue): string =>
    `${severity}${location === '' ? '' : `, ${location}`}: ${description}`
  return [
    `${by === NOBODY ? 'nobody has read it' : `${by} ${verdict}`}${summary === '' ? '' : `: ${summary}`}`,
    ...review.issues.slice(0, MOST_ISSUES).map(issue),
  ]
}

/** The worker's own, which prove nothing. */
function wordsOf({ draft, lastWords, cause }: TaskState): readonly string[] {
  const report = draft?.report ?? null
  const asked = cause?.kind === 'unclear' ? cause.questions : []
  const claims = [report?.explanation ?? '', ...(report?.blockers ?? []), ...asked]
  const words = claims.filter((text) => text.trim() !== '')
  const last = lastWords === null || words.length > 0 ? [] : [lastWords]
  return [...new Set([...words, ...last])].map((text) => `the worker writes: ${text}`)
}

/** What it asked for in its own words, and what it asked before. */
function requestLines(task: TaskState, item: InboxItem): readonly string[] {
  const requests = task.live?.watch.requests ?? []
  const own = requests.filter(({ id }) => id === item.about)
  const earlier = requests.filter(({ id }) => id !== item.about).slice(-MOST_FINDINGS)
  return [
    ...own.map(({ kind, text }) => (kind === 'permission' ? `asked: ${text}` : `the worker writes: ${text}`)),
    ...earlier.map(
      ({ kind, text, answer }) =>
        `earlier, ${answer?.outcome ?? 'open'}: ${kind.replaceAll('_', ' ')}: ${text}`,
    ),
  ]
}

function auditLines(state: PlanState): readonly string[] {
  const lines: string[] = []
  for (const { step, spec, audit } of state.tasks.values()) {
    if (step === 'completed') lines.push(`task ${spec.id}: ${audit?.evidence ?? 'completed'}`)
    if (lines.length === MOST_LINES) break
  }
  return lines
}

function releaseLines(state: PlanState): readonly string[] {
  const { release, counts } = state
  const accepted = [...state.risks.values()].filter(({ status }) => status === 'accepted')
  return [
    formatFailedBefore(failedBefore(state)) ?? '',
    `${counts.completed} of ${state.tasks.size} tasks are completed`,
    ...gateLines(release.verdicts ?? []),
    ...release.overrides.map(
      ({ what, by, reason }) => `${gateTitle(what)} was overridden by ${by}: ${reason}`,
    ),
    ...accepted.map(
      ({ id, description, acceptedBy }) => `${acceptedBy ?? 'a person'} accepted ${id}: ${description}`,
    ),
  ]
}

/** What a person sees before deciding: the task, the work, and the evidence behind each claim. */
const SHOWN_DECISIONS = 12

export function reviewSheet(state: PlanState, item: InboxItem) {
  const task = item.task === null ? undefined : state.tasks.get(item.task)
  if (task !== undefined) {
    return {
      task: taskSheet(task),
      /** Of the task, or of the release gate. */
      gates: task.verdicts ?? [],
      overrides: task.overrides,
      risks: [...state.risks.values()].filter(({ sourceTask }) => sourceTask === task.spec.id),
      /** Tasks that cannot start before this is decided. */
      blocks: tasksBehind(state, task),
    }
  }
  const { release } = state
  const overrides = [...state.tasks.values()].flatMap((one) => one.overrides)
  return {
    /** The item is about the whole plan. */
    task: null,
    gates: release.verdicts ?? [],
    overrides: [...overrides, ...release.overrides],
    risks: [...state.risks.values()],
    blocks: [],
  }
}

export type TaskSheet = ReturnType<typeof taskSheet>

function taskSheet(task: TaskState) {
  const { spec, draft, review } = task
  return {
    id: spec.id,
    title: spec.title,
    tier: task.tier,
    attempt: task.attempt,
    revisions: { used: task.counters.revisions, most: MAX_REVISIONS },
    worker: draft?.worker ?? null,
    files: draft?.changed ?? [],
    /** The worker's report; not evidence. */
    claim: draft?.report ?? null,
    criteria: criteriaResults({
      spec,
      verdicts: task.verdicts ?? [],
      confirmation: confirmationOf(task, task.attempt),
    }),
    review:
      review === null
        ? null
        : { by: review.by, verdict: review.verdict, summary: review.summary, issues: review.issues },
    /** The latest decisions about it, in order. */
    decisions: decisionsIn(task.decisions).slice(-SHOWN_DECISIONS),
  }
}

/** Named at most; a plan may have very many. */
const MOST_NAMED = 100

/** Items that keep every worker of the plan from starting. */
const STOPS_ALL: ReadonlySet<InboxItem['subject']> = new Set([
  'budget',
  'breaker',
  'checks',
  'effect',
  'provider',
])

/** The first of them, in the order found. */
export function blockedTasks(state: PlanState, item: InboxItem): readonly string[] {
  const task = state.tasks.get(item.task ?? '')
  // An agent waits for a permission, although the plan goes on.
  if (item.kind === 'permission') return task === undefined ? [] : [task.spec.id]
  if (!item.blocking) return []
  if (task !== undefined) return [task.spec.id, ...tasksBehind(state, task, MOST_NAMED - 1)]
  return STOPS_ALL.has(item.subject) ? unstarted(state) : []
}

/** The task's direct and indirect dependents, in the order found. */
function tasksBehind(state: PlanState, task: TaskState, most = Infinity): readonly string[] {
  const seen = new Set<TaskState>([task])
  for (const one of seen) {
    for (const dependent of state.dependents.of(one)) {
      if (seen.size > most) break
      if (!dependent.dropped) seen.add(dependent)
    }
    if (seen.size > most) break
  }
  seen.delete(task)
  return [...seen].map(({ spec }) => spec.id)
}

function unstarted(state: PlanState): readonly string[] {
  const found: string[] = []
  for (const { step, dropped, spec } of state.tasks.values()) {
    if (dropped || (step !== 'ready' && step !== 'pending')) continue
    found.push(spec.id)
    if (found.length === MOST_NAMED) break
  }
  return found
}
