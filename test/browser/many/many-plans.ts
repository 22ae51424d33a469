/** Plans of hundreds and of a thousand tasks, as events of the log: one at work, one of workers alone, one to release, one that waits. */
import { createHash } from 'node:crypto'
import { NO_BRANCHES } from '../../../src/core/event-schemas/baseline.ts'
import { NO_EVIDENCE } from '../../../src/core/event-schemas/evidence.ts'
import type { PlanEvent } from '../../../src/core/events/plan-events.ts'
import type { PlanSettings } from '../../../src/core/event-schemas/plan-settings.ts'
import type { TaskSpec } from '../../../src/core/planning/plan.ts'
import { defaultSettings } from '../../../src/core/settings/settings.ts'
import { aRegistration, aTask, HOUR, MINUTE } from '../../helpers/plan-builder.ts'
import { fateOf, NAMES, type FateName } from './fates.ts'

export interface TimedEvent {
  readonly at: number
  readonly event: PlanEvent
}

export interface ManyPlan {
  readonly id: string
  readonly events: readonly TimedEvent[]
}

/** The task whose life it belongs to, also where the event does not name it. */
interface LivedEvent extends TimedEvent {
  readonly task: string
}

/** A task with what becomes of it; without one it stays as it is. */
interface FatedTask {
  readonly spec: TaskSpec
  readonly fate: FateName | null
  /** When it was dispatched. */
  readonly at: number
}

const SUBJECTS = ['cart', 'order', 'search', 'login', 'profile', 'export', 'invoice', 'theme', 'upload']
const VERBS = ['Add', 'Fix', 'Rename', 'Test', 'Document', 'Split', 'Validate', 'Log', 'Secure']

const titleOf = (at: number): string =>
  `${VERBS[at % VERBS.length]} the ${SUBJECTS[(at * 7) % SUBJECTS.length]} of the ${SUBJECTS[(at * 3 + 1) % SUBJECTS.length]} page`

/** Its area is its own, so that none waits for another's. */
const spec = (at: number, fields: Partial<TaskSpec> = {}): TaskSpec =>
  aTask(String(at), {
    title: titleOf(at),
    tier: at % 3 === 0 ? 'low' : 'normal',
    ownership: `src/${at}`,
    files: { create: [], modify: [`src/${at}.ts`], delete: [] },
    acceptanceCriteria: [`the ${SUBJECTS[at % SUBJECTS.length]} page shows the change`, `${at} has a test`],
    testsToAdd: [`test/${at}.test.ts`],
    ...fields,
  })

/** Four tasks in ten have landed, then come those that something goes on with, then those that wait for them. */
export function shopPlan(now: number): ManyPlan {
  const fates = shopFates()
  const tasks = fates.map((fate, at): FatedTask => {
    const id = at + 1
    const dependsOn = id <= 200 ? [] : [String(dependencyOf(id, fate))]
    const begun = begunAt(id, fate, now)
    const criteria =
      fate === 'laboured'
        ? { acceptanceCriteria: Array.from({ length: 40 }, (_, nth) => `case ${nth + 1} of the cart works`) }
        : {}
    return { spec: spec(id, { dependsOn, ...criteria }), fate, at: begun }
  })
  const live = fates.filter((fate) => fate === 'working').length
  return {
    id: 'shop',
    events: planEvents({
      id: 'shop',
      title: 'A large shop',
      tasks,
      settings: { maxParallelAgents: live },
      at: now - 23 * 24 * HOUR,
    }),
  }
}

function shopFates(): readonly (FateName | null)[] {
  return Array.from({ length: 1000 }, (_, at): FateName | null => {
    if (at < 400) return at % 6 === 5 ? 'landedLate' : 'landed'
    if (at === 400) return 'laboured'
    if (at < 404) return 'gating'
    if (at < 700) return ACTIVE[at % ACTIVE.length] ?? null
    return null
  })
}

const ACTIVE: readonly (FateName | null)[] = [
  'working',
  null,
  'waiting',
  'working',
  'escalated',
  'waiting',
  'working',
  null,
  'waiting',
  'working',
  'waiting',
]

/** What has landed took three weeks, what waits was begun yesterday, and workers run since a while. */
const begunAt = (id: number, fate: FateName | null, now: number): number =>
  fate === 'working' || fate === 'gating'
    ? now - (15 + (id % 12)) * MINUTE
    : id <= 400
      ? now - 22 * 24 * HOUR + id * 75 * MINUTE
      : now - 26 * HOUR + id * MINUTE

/** What has begun depends on what has landed; what has not may depend on anything before it. */
const dependencyOf = (id: number, fate: FateName | null): number =>
  id <= 400 ? id - 200 : fate === null && id > 700 ? id - (id % 40) - 1 : 1 + ((id * 37) % 150)

/** A thousand workers at once. */
export function fleetPlan(now: number): ManyPlan {
  const tasks = Array.from({ length: 1000 }, (_, at): FatedTask => ({
    spec: spec(at + 1, { tier: 'low' }),
    fate: 'working',
    at: now - (1 + (at % 28)) * MINUTE,
  }))
  const settings = { maxParallelAgents: 1000, parallelTiers: ['low' as const] }
  return {
    id: 'fleet',
    events: planEvents({ id: 'fleet', title: 'A thousand workers', tasks, settings, at: now - HOUR }),
  }
}

/** The first two are mapped by the worker; of the others no place is known. */
const LEDGER_CRITERIA = [
  'the page shows it',
  'it has a test',
  'it is fast enough',
  'it is in the manual',
  'it is translated',
]

/** Everything has landed, over a month, and it waits for its signature. */
export function releasedPlan(now: number): ManyPlan {
  const tasks = Array.from({ length: 250 }, (_, at): FatedTask => ({
    spec: spec(at + 1, {
      acceptanceCriteria: LEDGER_CRITERIA,
      breakingChange: at % 50 === 7,
      requirements: [`R-${String(1 + (at % 120)).padStart(3, '0')}`],
    }),
    fate: at % 6 === 5 ? 'landedLate' : 'landed',
    at: now - 29 * 24 * HOUR + at * 2.6 * HOUR,
  }))
  const made = { id: 'ledger', title: 'The ledger', tasks, settings: {}, at: now - 30 * 24 * HOUR }
  const gate = (name: 'unit' | 'lint', summary: string) =>
    ({ gate: name, outcome: 'passed', summary, evidence: NO_EVIDENCE }) as const
  const verdicts = [gate('unit', '2,148 tests passed'), gate('lint', 'no warnings')]
  const released: readonly PlanEvent[] = [
    { type: 'release.gated', v: 2, round: 1, tree: 'tip', verdicts },
    { type: 'release.prepared', v: 1, sha: '5eed'.padEnd(40, '0'), manifest: 'docs/releases/ledger.yaml' },
  ]
  return {
    id: 'ledger',
    events: [...planEvents(made), ...released.map((event) => ({ at: now - HOUR, event }))],
  }
}

/** What waits for a person, until there are a thousand with the shop's. */
export function waitingPlan(now: number, count: number): ManyPlan {
  const tasks = Array.from({ length: count }, (_, at): FatedTask => ({
    spec: spec(at + 1),
    fate: at % 9 === 4 ? 'escalated' : 'waiting',
    at: now - 3 * 24 * HOUR + at * 3 * MINUTE,
  }))
  return {
    id: 'intake',
    events: planEvents({ id: 'intake', title: 'What waits', tasks, settings: {}, at: now - 3.1 * 24 * HOUR }),
  }
}

interface Made {
  readonly id: string
  readonly title: string
  readonly tasks: readonly FatedTask[]
  readonly settings: Partial<PlanSettings>
  readonly at: number
}

function planEvents({ id, title, tasks, settings, at }: Made): readonly TimedEvent[] {
  const registered = aRegistration(
    tasks.map((task) => task.spec),
    { settings: { approval: 'each_task', ...settings } },
  )
  const begin: readonly PlanEvent[] = [
    { ...registered, plan: { ...registered.plan, id, title, design: null, source: `${id}.md` } },
    {
      type: 'plan.documented',
      v: 1,
      text: `# ${title}\n`,
      sha256: 'd'.repeat(64),
      settings: { ...defaultSettings() },
      environment: {},
    },
    {
      type: 'plan.baselined',
      v: 2,
      sha: 'b45e'.padEnd(40, '0'),
      contextBlock: 'a shop in TypeScript',
      failing: [],
      start: null,
      audits: [],
      branches: NO_BRANCHES,
    },
  ]
  const lives = tasks.flatMap((task) => lifeOf(id, task)).toSorted((a, b) => a.at - b.at)
  return [...begin.map((event) => ({ at, event })), ...numbered(lives)]
}

const AGENTS = [
  ['claude', 'claude-opus-5'],
  ['claude', 'claude-sonnet-5-5'],
  ['codex', 'gpt-6-codex'],
  ['codex', 'gpt-6-codex-mini'],
  ['gemini', 'gemini-4-pro'],
  ['goose', 'qwen-4-coder'],
  ['opencode', 'glm-6'],
] as const

/** The events of its fate in its own name. */
function lifeOf(
  plan: string,
  { spec: { id, title, acceptanceCriteria: criteria }, fate, at }: FatedTask,
): readonly LivedEvent[] {
  if (fate === null) return []
  const [agent, model] = AGENTS[Number(id) % AGENTS.length] ?? AGENTS[0]
  return fateOf(fate).events.map(({ afterMs, event }) => {
    const text = JSON.stringify(event)
      .replaceAll(NAMES.task, id)
      .replaceAll(NAMES.title, title)
      .replaceAll(NAMES.criteria[0], criteria[0] ?? '')
      .replaceAll(NAMES.criteria[1], criteria[1] ?? '')
      .replaceAll(' and its dependents (other) are blocked', ' stays open; nothing else depends on it')
      .replaceAll('unit failed', 'tests fail on 2 of 148')
      .replaceAll(`w-${NAMES.plan}-`, `w-${plan}-`)
      .replaceAll(`feat/${NAMES.plan}/`, `feat/${plan}/`)
    const named = JSON.parse(text) as PlanEvent
    return { at: at + afterMs, event: withAgent(named, { agent, model }), task: id }
  })
}

function withAgent(
  event: PlanEvent,
  { agent, model }: { readonly agent: string; readonly model: string },
): PlanEvent {
  if (event.type === 'worker.started') return { ...event, agent, model, protocol: 'acp' }
  if (event.type === 'worker.ended') {
    const tokensIn = 40_000 + 1000 * (Number(event.task) % 90)
    const usd = agent === 'goose' ? null : 0.62
    return { ...event, agent, usage: { tokensIn, tokensOut: 9000, tokensCached: 12_000, usd, model } }
  }
  if (event.type === 'task.committed') return { ...event, sha: shaOf(`${event.branch} ${event.task}`) }
  return event
}

const shaOf = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Items are numbered in the order in which they were opened. */
function numbered(lives: readonly LivedEvent[]): readonly TimedEvent[] {
  const ids = new Map<string, string>()
  let opened = 0
  return lives.flatMap(({ at, event, task }): TimedEvent[] => {
    if (event.type === 'inbox.opened') {
      const id = `${event.item.id.charAt(0)}-${++opened}`
      ids.set(`${task} ${event.item.id}`, id)
      return [{ at, event: { ...event, item: { ...event.item, id } } }]
    }
    if (event.type === 'inbox.answered')
      return [{ at, event: { ...event, id: ids.get(`${task} ${event.id}`) ?? event.id } }]
    return [{ at, event }]
  })
}
