/** The repository is read once before any work: tasks that exist count as done, and briefs get the findings. */
import { z } from 'zod'
import { baselineLines, branchLine, failingLine, formatStartFacts, unreadBranches } from './baseline-lines.ts'
import { completeTask, decided, taskIn } from '../../fold/moves.ts'
import { formatBranch } from '../../planning/brief/render-brief.ts'
import { plainLine, quotedList } from '../../../lib/text/quoted.ts'
import type { Instant, PlanState } from '../../state/state.ts'
import {
  auditSchema,
  branchesSchema,
  startSchema,
  type Audit,
  type CheckChoice,
  type NoticedBranch,
  type StartFacts,
} from '../../event-schemas/baseline.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { text } from '../../event-schemas/schemas.ts'
import { cut, fact, aboutPlan } from '../rendering.ts'

const shape = eventShape('plan.baselined', 2, () => ({
  sha: text,
  contextBlock: text,
  /** Tests that failed before any work, by name. */
  failing: z.array(text),
  /** Facts about the start commit. */
  start: startSchema.nullable(),
  /** How much of each task exists already, with the evidence. */
  audits: z.array(auditSchema),
  branches: branchesSchema,
}))

/** A lint, type or build command that Bosun found by itself and that is red: only new findings count, without a question. */
function takenAsFound(state: PlanState, start: StartFacts | null, at: Instant): readonly CheckChoice[] {
  return (start?.trials ?? []).flatMap(({ check, command, why, state: found, detected }) => {
    const isChosen = state.checkChoices.some((one) => one.check === check && one.command === command)
    const isOurs = detected === true && found === 'red' && check !== 'setup' && check !== 'test'
    return isOurs && !isChosen
      ? [{ check, command, why, state: found, choice: 'as_is', by: 'Bosun', at }]
      : []
  })
}

export const planBaselined: EventDefinition<typeof shape> = {
  shape,
  rejectionReason(state, { audits, branches }) {
    if (state.baseline !== null) return 'the plan already has a baseline'
    const ids = audits.map(({ task }) => task)
    const named = branches.noticed.flatMap(({ tasks }) => tasks.map(({ task }) => task))
    const unknown = [...ids, ...named].find((id) => !state.tasks.has(id))
    if (unknown !== undefined) return `no task ${unknown}`
    return new Set(ids).size === ids.length ? null : 'a task is listed twice'
  },
  apply(state, { sha, contextBlock, failing, start, branches, audits }, at) {
    state.baseline = { sha, contextBlock, failing, start, branches }
    state.currentSha = sha
    state.checkChoices = [...state.checkChoices, ...takenAsFound(state, start, at)]
    for (const audit of audits) applyAudit(state, audit, at)
    for (const branch of branches.noticed) noteBranch(state, branch, at)
  },
  render(event) {
    const { sha, failing, start, audits, branches } = event
    const found = formatStartFacts(start)
    const text = `baseline taken at ${sha.slice(0, 12)}${found === '' ? '' : `: ${found}`}`
    const taken = fact('baseline_taken', {
      sha,
      files: start?.files ?? null,
      tests: start?.tests.outcome ?? null,
      failing: failing.length,
      existing: idsOf(audits, 'EXISTS'),
      partial: idsOf(audits, 'PARTIAL'),
      branches: branches.noticed.map(({ name }) => plainLine(name)),
      more_branches: branches.more,
    })
    const there = audits.flatMap((audit) =>
      audit.status === 'MISSING'
        ? []
        : [
            {
              ...fact(AUDITED[audit.status], { evidence: cut(audit.evidence) }, auditText(audit)),
              task: audit.task,
            },
          ],
    )
    const unread =
      branches.trouble === null
        ? []
        : [fact('branches_unread', { why: cut(branches.trouble) }, unreadBranches(branches.trouble))]
    return {
      ...aboutPlan(text, taken, ...there, ...branches.noticed.map(branchFact), ...unread),
      details: [...failingLine(failing), ...baselineLines(event)],
    }
  },
}

function applyAudit(state: PlanState, audit: Audit, at: Instant): void {
  const task = taskIn(state, audit.task)
  // An earlier baseline completed it already.
  if (task.step === 'completed') return
  task.audit = audit
  if (audit.status === 'MISSING') return
  decided(task, at, auditText(audit))
  if (audit.status === 'EXISTS') completeTask(state, task, { on: 'plan.baselined', at })
}

function noteBranch(state: PlanState, branch: NoticedBranch, at: Instant): void {
  for (const { task, files, more } of branch.tasks) {
    const touched = quotedList(files, more)
    decided(taskIn(state, task), at, `${formatBranch(branch)} and touches ${touched}; it was left alone`)
  }
}

const auditText = ({ status, evidence }: Audit): string =>
  `${status === 'EXISTS' ? 'exists' : 'partly exists'}: ${evidence}`

const AUDITED = { EXISTS: 'task_exists', PARTIAL: 'task_partly_there' } as const

const idsOf = (audits: readonly Audit[], status: Audit['status']): readonly string[] =>
  audits.filter((one) => one.status === status).map(({ task }) => task)

function branchFact(branch: NoticedBranch) {
  const { name, sha, ahead, subject, tasks } = branch
  const touches = tasks.slice(0, 20).map(({ task, files, more }) => {
    return { task_id: task, files: files.map((path) => plainLine(path)), more }
  })
  const data = { branch: plainLine(name), sha, ahead, subject: plainLine(subject), touches }
  return fact('branch_noticed', data, branchLine(branch))
}
