/** An inbox item with everything needed to decide on it: work, evidence and diff. */
import { reviewSheet, type TaskSheet } from '../../core/delivery/inbox/review-sheet.ts'
import type { PlanState } from '../../core/state/state.ts'
import type { Patch } from '../../ports/checkouts.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import { gateRow } from './gate-row.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { PatchAsked } from '../host/plan-place.ts'
import { findItem, singleEntries } from './inbox.ts'
import { unloadedItems } from './unloaded-items.ts'

export async function reviewItem(host: HostToRead, name: string, repository?: string) {
  const unloaded = unloadedItems(host).find(({ id }) => id === name)
  if (unloaded !== undefined) return aboutNoWork(unloaded)
  const { plan, id } = findItem(host, name, { repository })
  const { state } = plan
  const open = state.inbox.get(id)
  const entry = entryOf(host, plan, id)
  if (open === undefined || entry === undefined) throw new Error(`${id} was closed in the meantime`)
  // Read before the diff is made, since the state moves on meanwhile.
  const sheet = reviewSheet(state, open.item)
  const asked = patchAsked(state, open.item.task)
  const { evidenceFolder, patchOf } = plan.world
  const gates = sheet.gates.map((verdict) => gateRow(verdict, evidenceFolder))
  const patch = asked === null ? undefined : await patchOf?.(asked)
  return {
    item: entry,
    reason_needed: entry.reason_needed,
    feedback_needed: entry.feedback_needed,
    task: sheet.task === null ? null : taskRow(sheet.task),
    gates,
    overrides: sheet.overrides.map(({ what, by, at, reason }) => ({ what, by, at: iso(at), reason })),
    risks: sheet.risks.map((risk) => ({
      id: risk.id,
      task: risk.sourceTask,
      severity: risk.severity,
      status: risk.status,
      description: risk.description,
      accepted_by: risk.acceptedBy,
      reason: risk.reason,
    })),
    blocks: sheet.blocks,
    diff: patch === undefined ? null : diffRow(patch),
  }
}

/** An unloaded plan has nothing else to show. */
const aboutNoWork = (item: InboxEntry) => ({
  item,
  reason_needed: [],
  feedback_needed: [],
  task: null,
  gates: [],
  overrides: [],
  risks: [],
  blocks: [],
  diff: null,
})

function entryOf(host: HostToRead, plan: HostedPlan, id: string): InboxEntry | undefined {
  return singleEntries(host, plan).find((entry) => entry.id === id || entry.id.endsWith(`:${id}`))
}

/** A task's work against its base; for the whole plan, all of its work. */
function patchAsked(state: PlanState, about: string | null): PatchAsked | null {
  const task = about === null ? undefined : state.tasks.get(about)
  if (task !== undefined) {
    const { draft } = task
    return draft === null || draft.tree === '' ? null : { tree: draft.tree, of: { worker: draft.worker } }
  }
  const { tree } = state.release
  return tree === null || state.baseline === null ? null : { tree, of: { commit: state.baseline.sha } }
}

const iso = (at: number): string => new Date(at).toISOString()
const diffRow = ({ text, isCut, command }: Patch) => ({ text, is_cut: isCut, command })

function taskRow({ claim, review, criteria, decisions, ...task }: TaskSheet) {
  return {
    ...task,
    claim:
      claim === null
        ? null
        : {
            explanation: claim.explanation,
            self_assessment: claim.selfAssessment,
            blockers: claim.blockers,
          },
    criteria: criteria.map(({ criterion, word, place, by, why }) => ({ criterion, word, place, by, why })),
    review:
      review === null
        ? null
        : {
            ...review,
            issues: review.issues.map(({ howToFix, ...issue }) => ({ ...issue, how_to_fix: howToFix })),
          },
    decisions: decisions.map(({ at, text }) => ({ at: iso(at), text })),
  }
}
