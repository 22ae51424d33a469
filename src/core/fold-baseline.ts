/** What the first look at the repository changes: what exists counts as done, and what was seen is kept for the briefs. */
import type { Audit, NoticedBranch } from './events/baseline.ts'
import type { EventOf } from './events/plan-events.ts'
import { completeTask, decided, taskIn } from './fold-moves.ts'
import { branchWords } from './planning/branch-words.ts'
import { quotedList } from './planning/quoted.ts'
import type { Instant, PlanState } from './state.ts'

export function foldBaselined(state: PlanState, event: EventOf<'plan.baselined'>, at: Instant): void {
  const { sha, contextBlock, failing, start, branches } = event
  state.baseline = { sha, contextBlock, failing, start, branches }
  state.currentSha = sha
  for (const audit of event.audits) audited(state, audit, at)
  for (const branch of branches.noticed) noticed(state, branch, at)
}

function audited(state: PlanState, audit: Audit, at: Instant): void {
  const task = taskIn(state, audit.task)
  // Found by an earlier look, before a person had it taken again.
  if (task.step === 'completed') return
  task.audit = audit
  if (audit.status === 'MISSING') return
  decided(task, at, `${audit.status === 'EXISTS' ? 'exists' : 'partly there'}: ${audit.evidence}`)
  if (audit.status === 'EXISTS') completeTask(state, task, { at, trigger: 'plan.baselined' })
}

function noticed(state: PlanState, branch: NoticedBranch, at: Instant): void {
  for (const { task, files, more } of branch.tasks) {
    const touched = quotedList(files, more)
    decided(taskIn(state, task), at, `${branchWords(branch)} and touches ${touched}; it was left alone`)
  }
}
