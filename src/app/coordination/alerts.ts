/** Alerts: a file for every open inbox item about a worker, which may be answered there. */
import { alertAnswerSchema, alertSchema, type Alert } from '../../core/watch/checkins/coordination-files.ts'
import type { OpenItem } from '../../core/state/state.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { schemaProblem } from '../checkins/schema-problem.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import type { DroppedFile, DropFolder } from './drop-folder.ts'
import { plansIn } from './worker-at.ts'

interface OpenAlert {
  readonly plan: HostedPlan
  readonly open: OpenItem
  readonly alert: Alert
}

const ANSWER = /\.answer\.json$/

export class Alerts {
  readonly #host: Host
  readonly #repository: string
  readonly #folder: DropFolder

  constructor(host: Host, repository: string, folder: DropFolder) {
    this.#host = host
    this.#repository = repository
    this.#folder = folder
  }

  async sweep(): Promise<void> {
    const files = await this.#folder.readSome(this.#host.parts.clock.now())
    const alerts = new Map(files.filter(({ name }) => !ANSWER.test(name)).map((file) => [file.name, file]))
    for (const file of files) if (ANSWER.test(file.name)) await this.#receiveAnswerFile(file)
    for (const file of alerts.values()) await this.#receiveAnswerIn(file)
    // Again, since an answer may have closed some.
    const open = this.#open()
    const isCurrent = (file: DroppedFile | undefined): boolean =>
      file !== undefined && open.get(file.name)?.alert.item === itemIn(file)
    for (const file of alerts.values()) if (!isCurrent(file)) this.#resolve(file)
    for (const [name, { alert }] of open) if (!isCurrent(alerts.get(name))) this.#folder.write(name, alert)
  }

  /** By the names of their files. */
  #open(): ReadonlyMap<string, OpenAlert> {
    const found = new Map<string, OpenAlert>()
    for (const plan of plansIn(this.#host, this.#repository)) {
      if (plan.state.cancelled !== null) continue
      for (const open of plan.state.inbox.values()) {
        const alert = alertOf(plan, open)
        if (alert !== null) found.set(`alert-${alert.worker_id}-${issueOf(open)}.json`, { plan, open, alert })
      }
    }
    return found
  }

  async #receiveAnswerFile({ name, value }: DroppedFile): Promise<void> {
    const about = name.replace(ANSWER, '.json')
    const alert = this.#open().get(about)
    if (alert === undefined) return this.#folder.setAside(name, `no open item ${about}`)
    await this.#receive(about, alert, value)
    this.#folder.remove(name)
  }

  async #receiveAnswerIn({ name, value }: DroppedFile): Promise<void> {
    const alert = this.#open().get(name)
    if (alert === undefined || typeof value !== 'object' || value === null || !('answer' in value)) return
    if (alert.alert.item === itemIn({ value })) await this.#receive(name, alert, value.answer)
  }

  /** Writes a rejected answer into the alert, with the reason. */
  async #receive(name: string, { plan, open, alert }: OpenAlert, value: unknown): Promise<void> {
    const { data: answer, error } = alertAnswerSchema.safeParse(value)
    if (answer === undefined) {
      const why = schemaProblem(error, 'the answer')
      return this.#refuse(name, alert, { choice: '', by: '', why })
    }
    const choice = terminalLine(answer.choice.toWellFormed())
    const by = `${terminalLine(answer.by.toWellFormed())} (by file)`
    const feedback = terminalLine(answer.feedback.toWellFormed())
    const done = await plan.answer({ id: open.item.id, choice, feedback, by, proof: 'file' })
    if (done.ok) return
    const { why, remedy } = done.refusal
    this.#refuse(name, alert, { choice, by, why, remedy })
  }

  #refuse(name: string, alert: Alert, refused: Omit<NonNullable<Alert['refused']>, 'at'>): void {
    this.#folder.write(name, { ...alert, refused: { ...refused, at: this.#now() } })
  }

  /** The file may have been changed by others, so only its subject is read from it. */
  #resolve({ name, value }: DroppedFile): void {
    const { data: alert } = alertSchema.safeParse(value)
    const plan = plansIn(this.#host, this.#repository).find(({ id }) => id === alert?.plan_id)
    if (alert === undefined || !name.startsWith('alert-'))
      return this.#folder.setAside(name, 'it is not an alert of Bosun, and no open item has its name')
    const { answer: _answer, ...rest } = alert
    const decision = plan?.state.humanDecisions.findLast(({ item }) => item === alert.item)
    const resolution =
      decision === undefined
        ? { outcome: 'withdrawn', at: this.#now() }
        : {
            outcome: 'answered',
            choice: decision.choice,
            by: decision.by,
            at: new Date(decision.at).toISOString(),
          }
    // The same may be wrong with the same worker again.
    const another = name.replace(/\.json$/, `-${alert.item.toLowerCase().replace(/[^a-z0-9-]/g, '')}.json`)
    this.#folder.finish(name, { ...rest, resolution }, another)
  }

  #now(): string {
    return new Date(this.#host.parts.clock.now()).toISOString()
  }
}

/** The issue for the file name; an item without one has its id there. */
function issueOf({ item }: OpenItem): string {
  const issue = (item.issue ?? item.id.toLowerCase()).replaceAll('_', '-')
  // A worker may ask for the same several times.
  const number = item.subject === 'request' ? (/-r\d+$/.exec(item.about ?? '')?.[0] ?? '') : ''
  return `${issue}${number}`
}

/** Which inbox item a file says that it is about. */
function itemIn({ value }: Pick<DroppedFile, 'value'>): unknown {
  return typeof value === 'object' && value !== null && 'item' in value ? value.item : null
}

/** Null for what is not about a worker. */
function alertOf(plan: HostedPlan, { item, since }: OpenItem): Alert | null {
  const { subject, about, task, kind, problem, impact, options, recommended } = item
  if (about === null || task === null || (subject !== 'worker' && subject !== 'request')) return null
  return {
    worker_id: subject === 'worker' ? about : about.replace(/-r\d+$/, ''),
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
    created_at: new Date(since).toISOString(),
  }
}
