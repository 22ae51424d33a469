/** Registers a plan. The same plan again is attached to; a changed one is an edit. */
import { createHash } from 'node:crypto'
import { mayClash, workerNameClash, type NamedTasks } from '../../core/planning/plan-problems.ts'
import type { PlanChanges } from '../../core/planning/compare-plans.ts'
import { opened } from '../../core/delivery/inbox/inbox-items.ts'
import { proposalQuestion } from '../../core/delivery/inbox/release-items.ts'
import type { Origin } from '../../core/event-schemas/origin.ts'
import { createState } from '../../core/events/plan/registered.ts'
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import { registration } from '../../core/state/register.ts'
import { agentVariables, possibleAgents, withoutValues } from '../../core/settings/agent-variables.ts'
import { brainVariables } from '../../core/settings/brain-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import type { CallerVariables } from '../interview/interview-parts.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { forgetPlanEnvironment, keepPlanEnvironment } from '../host/plan-environment.ts'
import { DamagedPlan } from '../host/unloaded-plans.ts'
import { streamOf, streamParts } from '../host/stream-name.ts'
import { isBrainHere } from '../host/plan-place.ts'
import { editPlan } from './edit-plan.ts'
import { placedHeader, type PlanReading } from './read-plan.ts'

export interface PlanRegistration {
  readonly reading: PlanReading
  readonly settings: Settings
  /** Root of the repository the plan is for; null outside of any. */
  readonly repository: string | null
  /** The caller. */
  readonly by?: string | undefined
  /** How the call came. */
  readonly origin?: Origin | undefined
  /** Of an edit: the version of the text that it was made from. */
  readonly expectedVersion?: number | undefined
  /** Asks before the first worker starts. */
  readonly proposal?: { readonly estimate: string } | undefined
  /** What so many tasks take, for an edit of a plan that waits. */
  readonly estimate?: ((tasks: number) => Promise<string>) | undefined
  /** Of the caller's environment, what agents may have; without it they get that of the daemon. */
  readonly environment?: CallerVariables | undefined
}

export interface RegisteredPlan {
  readonly plan: HostedPlan
  readonly how: 'registered' | 'attached' | 'edited'
  /** What an edited plan changes. */
  readonly changes?: PlanChanges | undefined
  /** Notices about the repository, shown once when the plan begins. */
  readonly notices: readonly string[]
}

/** Durable when this resolves. */
export async function registerPlan(host: Host, request: PlanRegistration): Promise<RegisteredPlan> {
  refuseProblems(request.reading)
  if (request.repository === null) {
    throw refusal(
      'usage',
      'not inside a git repository',
      'Change to the repository of the plan, or create one: git init',
    )
  }
  const repository = await host.parts.repositories.register(request.repository, host.parts.clock.now())
  return host.registrations.run(() => attachOrBegin(host, repository, request))
}

async function attachOrEdit(
  host: Host,
  known: HostedPlan,
  request: PlanRegistration,
): Promise<RegisteredPlan> {
  const { reading, by = 'the user', expectedVersion, estimate, origin } = request
  keepEnvironment(host, known.home.stream, request)
  if (known.home.sha256 === digestOf(reading)) {
    await retryFailedEffects(known, by, origin)
    return { plan: known, how: 'attached', notices: [] }
  }
  return {
    ...(await editPlan(host, known, { reading, by, expectedVersion, estimate })),
    how: 'edited',
    notices: [],
  }
}

/**
 * A person who runs a plan again has usually removed what was in its way. Without this, the caller would be asked about
 * it once more until the next retry, which is up to ten minutes away.
 */
async function retryFailedEffects(plan: HostedPlan, by: string, origin?: Origin): Promise<void> {
  const failed = [...plan.state.inbox.values()].filter(({ item }) => item.subject === 'effect')
  const retry = { choice: 'retry', feedback: 'the plan was run again', by, proof: 'token', origin } as const
  // One that was answered or has succeeded meanwhile needs nothing.
  for (const { item } of failed) await plan.answer({ id: item.id, ...retry })
}

/** Also when a plan is attached to: that is how its agents get another key or PATH. Returns how to undo it. */
function keepEnvironment(host: Host, stream: string, request: PlanRegistration): () => void {
  const { settings, environment } = request
  if (environment === undefined) return () => undefined
  const agents = agentVariables(possibleAgents(settings), environment.variables)
  const brain = brainVariables(settings, environment.variables)
  keepPlanEnvironment(host.parts.root, stream, { path: environment.path, agents, brain })
  return () => forgetPlanEnvironment(host.parts.root, stream)
}

const digestOf = ({ text }: PlanReading): string => createHash('sha256').update(text).digest('hex')

async function attachOrBegin(
  host: Host,
  repository: Repository,
  request: PlanRegistration,
): Promise<RegisteredPlan> {
  const { reading, settings } = request
  const { plan, text } = reading
  const stream = streamOf(repository.id, plan.header.id)
  const known = await host.plan(stream)
  if (known !== null) return attachOrEdit(host, known, request)
  await refuseSharedNames(host, repository, { plan: plan.header.id, tasks: plan.tasks.map(({ id }) => id) })
  const hasBrain = await isJudged(host, request)
  const registered = registration({ ...plan, header: placedHeader(reading) }, settings, {
    repo: repository.id,
    hasBrain,
    proposal: request.proposal ?? null,
  })
  const environment = { ...plan.environment }
  const document = { text, sha256: digestOf(reading), settings: withoutValues(settings), environment }
  const place = host.place(repository, { ...registered, baseline: null }, document)
  const forget = keepEnvironment(host, stream, request)
  // First, so that nothing is written without a usable agent.
  const world = await host.parts.worldFor(place).catch((error: unknown) => {
    forget()
    throw error
  })
  const notices = (await world.notices?.()) ?? []
  const documented = { type: 'plan.documented', v: 1, ...document } as const
  const { log, clock } = host.parts
  const at = clock.now()
  const events = [registered, documented, ...firstQuestion(registered, at)]
  const written = await log.append({ stream, expectedVersion: 0, at, events })
  if (!written.ok) throw new Error(`${stream} was written by another process`)
  return { plan: await host.load(stream, place, world), how: 'registered', notices }
}

/** With the plan itself: who registers it finds the question in it. */
function firstQuestion(registered: EventOf<'plan.registered'>, at: number): readonly PlanEvent[] {
  const { proposal } = registered
  return proposal === undefined ? [] : [opened(proposalQuestion(createState(registered, at), proposal))]
}

/** Whether a brain judges what comes of the plan. It stays so: a plan keeps the settings of its registration. */
function isJudged(host: Host, { environment, ...plan }: PlanRegistration): Promise<boolean> {
  const path = environment === undefined ? {} : { PATH: environment.path }
  return isBrainHere(host.parts, { ...plan, variables: { ...environment?.variables, ...path } })
}

/** Ended plans count too: the folders of their workers still exist. */
async function refuseSharedNames(host: Host, repository: Repository, mine: NamedTasks): Promise<void> {
  const closed = await host.parts.log.streams({ open: false })
  const open = host.plans().map(({ home }) => home.stream)
  for (const stream of new Set([...open, ...closed.map((info) => info.stream)])) {
    const place = streamParts(stream)
    if (place?.repository !== repository.id || !mayClash(mine.plan, place.plan)) continue
    // An unreadable plan has no known tasks.
    const other = await host.plan(stream).catch((error: unknown) => {
      if (error instanceof DamagedPlan) return null
      throw error
    })
    const theirs = { plan: place.plan, tasks: [...(other?.state.tasks.keys() ?? [])] }
    const clash = workerNameClash(mine, theirs)
    if (clash === null) continue
    throw refusal(
      'conflict',
      `task ${clash.mine} of plan ${mine.plan} and task ${clash.theirs} of plan ${theirs.plan} in ${repository.path} would both have a worker ${clash.worker}`,
      'Give this plan another id (`plan:` in its front matter).',
    )
  }
}

function refuseProblems({ plan }: PlanReading): void {
  const faults = plan.problems.filter((problem) => problem.severity === 'error')
  const [first] = faults
  if (first === undefined) return
  throw new Refusal({ code: 'failed', message: first.message, remedy: first.remedy, faults })
}
