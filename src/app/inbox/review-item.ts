/** An inbox item with everything needed to decide on it: work, verdicts with their evidence, and diff. */
import { reviewSheet, type TaskSheet } from '../../core/delivery/inbox/item-evidence.ts'
import type { WorkDiff, WorkDiffs } from '../../ports/checkouts.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { findItem, singleEntries } from './inbox.ts'
import { unloadedItems } from './answer-item.ts'
import { join } from 'node:path'
import type { Ending } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { gateTitle } from '../../lib/text/counted.ts'
import { formatDuration, iso } from '../../lib/text/format-time.ts'

/** Enough to read at once; a command shows the rest. */
const MOST_BYTES = 1024 * 1024

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
  const look = diffOf(plan, open.item.task)
  const { evidenceFolder } = plan.world
  const gates = sheet.gates.map((verdict) => gateRow(verdict, evidenceFolder))
  const diffs = await host.parts.diffsOf?.(plan.home.repository)
  const diff = (diffs && (await look?.(diffs))) ?? null
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
    diff: diff === null ? null : { text: diff.patch, is_cut: diff.isCut, command: diff.command ?? '' },
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

/** How to look at a task's work against its base; for the whole plan, at all of its work. Null where there is none. */
function diffOf(
  { id, state }: HostedPlan,
  about: string | null,
): ((diffs: WorkDiffs) => Promise<WorkDiff | null>) | null {
  const task = about === null ? undefined : state.tasks.get(about)
  if (task !== undefined) {
    const { draft } = task
    if (draft === null || draft.tree === '') return null
    const { worker, tree } = draft
    return (diffs) => diffs.ofDraft({ plan: id, worker, tree }, MOST_BYTES)
  }
  const { tree } = state.release
  const base = state.baseline?.sha
  return tree === null || base === undefined ? null : (diffs) => diffs.between(base, tree, MOST_BYTES)
}

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

/** `folder` holds the complete outputs; undefined if none are kept. */
export function gateRow({ gate, outcome, summary, evidence }: Verdict, folder: string | undefined) {
  return {
    gate,
    title: gateTitle(gate),
    outcome,
    summary,
    findings: evidence.findings.map(({ weight, text, file, line }) => ({
      blocks: weight === 'blocks',
      text,
      file,
      line,
    })),
    runs: evidence.runs.map((run) => ({
      command: run.command,
      on: run.on,
      must_fail: run.mustFail === true,
      ended: endedText(run.ending),
      counts: run.counts,
      key_lines: run.keyLines,
      output_sha256: run.outputSha256,
      output: folder === undefined || run.storedAt === null ? null : join(folder, run.storedAt),
    })),
  }
}

function endedText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`
    case 'signalled':
      return `ended by ${ending.signal}`
    case 'timed_out':
      return `timed out after ${formatDuration(ending.afterMs)}`
    case 'not_started':
      return `not started: ${ending.reason}`
    case 'aborted':
      return 'interrupted'
  }
}
