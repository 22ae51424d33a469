/** Alerts: a file for every open inbox item about a worker, which may be answered there. */
import { alertAnswerSchema, alertSchema, type Alert } from '../../core/watch/checkins/coordination-files.ts'
import type { OpenItem } from '../../core/state/state.ts'
import { isRecord } from '../../lib/text/json.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { schemaProblem } from '../checkins/worker-channel.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { DroppedFile, DropPlace } from './drop-folder.ts'
import { plansIn } from '../workers/live-workers.ts'
import { iso } from '../../lib/text/format-time.ts'

interface OpenAlert {
  /** Of its file. */
  readonly name: string
  readonly plan: HostedPlan
  readonly alert: Alert
}

const ANSWER = /\.answer\.json$/

/** Takes the answers that were put there, and brings the alerts up to date. */
export async function sweepAlerts(place: DropPlace): Promise<void> {
  const { host, folder } = place
  const files = await folder.readSome(host.parts.clock.now())
  const alerts = new Map(files.filter(({ name }) => !ANSWER.test(name)).map((file) => [file.name, file]))
  for (const { name, value } of files) {
    const about = name.replace(ANSWER, '.json')
    const open = openAlerts(place).get(about)
    if (about === name) {
      const answer = isRecord(value) ? value['answer'] : undefined
      if (answer !== undefined && open !== undefined && open.alert.item === itemIn(value))
        await receive(place, open, answer)
    } else if (open === undefined) folder.setAside(name, `no open item ${about}`)
    else {
      await receive(place, open, value)
      folder.remove(name)
    }
  }
  // Again, since an answer may have closed some.
  const open = openAlerts(place)
  const isCurrent = (file: DroppedFile | undefined): boolean =>
    file !== undefined && open.get(file.name)?.alert.item === itemIn(file.value)
  for (const file of alerts.values()) if (!isCurrent(file)) resolve(place, file)
  for (const [name, { alert }] of open) if (!isCurrent(alerts.get(name))) folder.write(name, alert)
}

/** By the names of their files. */
function openAlerts({ host, repository }: DropPlace): ReadonlyMap<string, OpenAlert> {
  const all = plansIn(host, repository).flatMap((plan) =>
    plan.state.cancelled === null
      ? [...plan.state.inbox.values()].flatMap((open) => alertOf(plan, open) ?? [])
      : [],
  )
  return new Map(all.map((one) => [one.name, one]))
}

/** Writes a rejected answer into the alert, with the reason. */
async function receive(
  { host, folder }: DropPlace,
  { name, plan, alert }: OpenAlert,
  value: unknown,
): Promise<void> {
  const refuse = (refused: Omit<NonNullable<Alert['refused']>, 'at'>): void =>
    folder.write(name, { ...alert, refused: { ...refused, at: iso(host.parts.clock.now()) } })
  const { data: answer, error } = alertAnswerSchema.safeParse(value)
  if (answer === undefined) return refuse({ choice: '', by: '', why: schemaProblem(error, 'the answer') })
  const choice = terminalLine(answer.choice.toWellFormed())
  const by = `${terminalLine(answer.by.toWellFormed())} (by file)`
  const feedback = terminalLine(answer.feedback.toWellFormed())
  const done = await plan.answer({
    id: alert.item,
    choice,
    feedback,
    by,
    proof: 'file',
    origin: { via: 'file' },
  })
  if (!done.ok) refuse({ choice, by, why: done.refusal.why, remedy: done.refusal.remedy })
}

/** The file may have been changed by others, so only its subject is read from it. */
function resolve({ host, repository, folder }: DropPlace, { name, value }: DroppedFile): void {
  const { data: alert } = alertSchema.safeParse(value)
  const plan = plansIn(host, repository).find(({ id }) => id === alert?.plan_id)
  if (alert === undefined || !name.startsWith('alert-'))
    return folder.setAside(name, 'it is not an alert of Bosun, and no open item has its name')
  const { answer: _answer, ...rest } = alert
  const decision = plan?.state.humanDecisions.findLast(({ item }) => item === alert.item)
  const resolution =
    decision === undefined
      ? { outcome: 'withdrawn', at: iso(host.parts.clock.now()) }
      : { outcome: 'answered', choice: decision.choice, by: decision.by, at: iso(decision.at) }
  // The same may be wrong with the same worker again.
  const another = name.replace(/\.json$/, `-${alert.item.toLowerCase().replace(/[^a-z0-9-]/g, '')}.json`)
  folder.finish(name, { ...rest, resolution }, another)
}

/** The issue for the file name; an item without one has its id there. */
function issueOf({ item }: OpenItem): string {
  const issue = (item.issue ?? item.id.toLowerCase()).replaceAll('_', '-')
  // A worker may ask for the same several times.
  const number = item.subject === 'request' ? (/-r\d+$/.exec(item.about ?? '')?.[0] ?? '') : ''
  return `${issue}${number}`
}

/** Which inbox item a file says that it is about. */
const itemIn = (value: unknown): unknown => (isRecord(value) ? value['item'] : null)

/** Null for what is not about a worker. */
function alertOf(plan: HostedPlan, open: OpenItem): OpenAlert | null {
  const { item, since } = open
  const { subject, about, task, kind, problem, impact, options, recommended } = item
  if (about === null || task === null || (subject !== 'worker' && subject !== 'request')) return null
  const worker = subject === 'worker' ? about : about.replace(/-r\d+$/, '')
  const alert: Alert = {
    worker_id: worker,
    plan_id: plan.id,
    task_id: task,
    item: item.id,
    about: subject,
    ...(item.issue === undefined ? {} : { issue: item.issue }),
    kind,
    problem,
    impact,
    options,
    recommended,
    created_at: iso(since),
  }
  return { name: `alert-${worker}-${issueOf(open)}.json`, plan, alert }
}
