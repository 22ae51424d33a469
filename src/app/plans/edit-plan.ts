/** Applies an edited plan: compares it with the running one and redoes only what changed. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { EventOf } from '../../core/events/plan-events.ts'
import { comparePlans, type PlanChanges } from '../../core/planning/compare-plans.ts'
import type { PlanHeader } from '../../core/planning/task-schema.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { readDocument, type PlanDocument } from '../host/plan-place.ts'
import { placedHeader, planFromText, type PlanReading } from './read-plan.ts'
import { iso } from '../../lib/text/format-time.ts'

/** How long to wait for a running commit, and how often to look. */
const LANDING_MS = 10_000
const LOOK_MS = 100

export interface EditedPlan {
  readonly plan: HostedPlan
  readonly changes: PlanChanges
}

interface Edit {
  readonly reading: PlanReading
  readonly by: string
  /** The version of the text that the edit was made from; not compared if it is absent. */
  readonly expectedVersion?: number | undefined
  /** What so many tasks take: asked for a plan that waits to be started. */
  readonly estimate?: ((tasks: number) => Promise<string>) | undefined
}

/** Durable when this resolves. A refusal changes nothing. */
export async function editPlan(
  host: Host,
  known: HostedPlan,
  { reading, by, expectedVersion, estimate }: Edit,
): Promise<EditedPlan> {
  const { stream } = known.home
  if (expectedVersion !== undefined && expectedVersion !== known.state.documentedAt)
    throw await editConflict(host, known, expectedVersion)
  const document = await readDocument(host.parts.log, stream, known.state.documentedAt)
  if (document === null) throw new Error('the text of the plan was not kept')
  const { source } = known.state.plan
  const before = planFromText(source, document.text, document.settings)
  const after = planFromText(source, reading.text, document.settings)
  const changes = comparePlans(before.tasks, after.tasks)
  const event = editEvent({ reading, by, changes, document, plan: known.state.plan })
  const takes = known.state.proposal === null ? undefined : await estimate?.(after.tasks.length)
  await propose(known, { ...event, ...(takes === undefined ? {} : { estimate: takes }) })
  return { plan: await host.reload(known), changes }
}

function editEvent(edit: {
  readonly reading: PlanReading
  readonly by: string
  readonly plan: PlanHeader
  readonly changes: PlanChanges
  readonly document: PlanDocument
}): EventOf<'plan.edited'> {
  const { reading, by, changes, document } = edit
  const { id, source } = edit.plan
  const header = { ...placedHeader(reading), id, source }
  const { changed, reworded, added, removed, affected } = changes
  const named = new Set([...added, ...reworded, ...affected])
  const fields = new Map(changed.map((one) => [one.id, one.fields]))
  const why = (id: string): string => {
    const own = fields.get(id)
    return own === undefined
      ? 'The plan was edited: a dependency of this task is done again. Check that this work still fits and change what does not.'
      : `The plan was edited (${own.map(fieldName).join(', ')}). Bring the existing work in line with the current contract.`
  }
  return {
    type: 'plan.edited',
    v: 1,
    by,
    plan: { ...header, constraints: [...header.constraints] },
    text: reading.text,
    sha256: createHash('sha256').update(reading.text).digest('hex'),
    settings: { ...document.settings },
    environment: { ...reading.plan.environment },
    specs: reading.plan.tasks.filter(({ id }) => named.has(id)),
    removed: [...removed],
    affected: [...affected],
    why: Object.fromEntries(affected.map((id) => [id, why(id)])),
    integration: [...reading.plan.integration],
  }
}

/** `acceptanceCriteria` as `acceptance criteria`. */
const fieldName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

async function propose(known: HostedPlan, event: EventOf<'plan.edited'>): Promise<void> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const done = await known.propose(event)
    if (done.ok) return
    const mayPass = /is being committed|changed meanwhile/.test(done.why)
    if (!mayPass || waited >= LANDING_MS) throw refused(known, done.why)
    await pause(LOOK_MS)
  }
}

/** Another person edited the plan first. */
async function editConflict(host: Host, { home, state, id }: HostedPlan, yours: number): Promise<Refusal> {
  const { documentedAt: version } = state
  const [entry] = await host.parts.log.read(home.stream, version - 1, 1)
  const by = entry?.event.type === 'plan.edited' ? entry.event.by : null
  const theirs = { version, by, at: iso(entry?.at ?? 0) }
  const details: ConflictDetails = { theirs, yours: { version: yours } }
  return new Refusal({
    code: 'conflict',
    message: `plan ${id} was edited${by === null ? '' : ` by ${by}`} since version ${yours} of its text`,
    remedy: `Read it again, and edit version ${version}.`,
    details,
  })
}

function refused(known: HostedPlan, why: string): Refusal {
  return refusal(
    'conflict',
    `plan ${known.id} exists with another text and cannot be edited: ${why}`,
    'Give this plan another id (`plan:` in its front matter), or restore the other text.',
  )
}
