/**
 * What can become of a task, each played once by the rules: a plan of a thousand tasks is these events again and again, under
 * other names and at other times. Playing every task would take minutes.
 */
import type { PlanEvent } from '../../../src/core/events/plan-events.ts'
import type { Finding } from '../../../src/core/event-schemas/evidence.ts'
import type { PlanSettings } from '../../../src/core/event-schemas/plan-settings.ts'
import type { Verdict } from '../../../src/core/event-schemas/schemas.ts'
import type { Tier } from '../../../src/core/planning/plan.ts'
import { aTask, MINUTE, MISSES_A_CASE, START } from '../../helpers/plan-builder.ts'
import { PlayedPlan } from '../../helpers/played-plan.ts'

/** What stands for the names in the events of a fate. */
export const NAMES = {
  task: 'q7q',
  plan: 'shop',
  title: 'zz-title-zz',
  criteria: ['zz-first-zz', 'zz-second-zz'],
} as const

export interface Fate {
  /** In order, each with its time since the task was dispatched. */
  readonly events: readonly { readonly afterMs: number; readonly event: PlanEvent }[]
  readonly tookMs: number
}

interface FateScript {
  readonly tier: Tier
  readonly play: (played: PlayedPlan) => void
  readonly settings?: Partial<PlanSettings>
}

const ID = NAMES.task

/** A worker does its work within a quarter of an hour, and the gates run on what it left. */
function workAndProve(played: PlayedPlan, outcome: 'passed' | 'failed'): void {
  played.started(ID)
  played.now += 14 * MINUTE
  played.ended(ID).collected(ID)
  played.now += 2 * MINUTE
  played.gates(ID, outcome === 'failed' ? { failed: ['unit'] } : {})
  // What had failed is looked at first, then everything.
  if (played.step(ID) === 'gating') played.gates(ID)
}

/** Once its gates have failed, another worker is sent when its time has come. */
function fail(played: PlayedPlan): void {
  workAndProve(played, 'failed')
  if (played.step(ID) === 'deciding') played.pass(10 * MINUTE)
}

function review(played: PlayedPlan): void {
  if (played.task(ID).live?.role !== 'reviewer') return
  played.now += 4 * MINUTE
  played.review(ID)
}

function approveAndLand(played: PlayedPlan): void {
  review(played)
  played.now += 22 * MINUTE
  if (played.step(ID) === 'awaiting_person') played.answer('approve')
  played.now += MINUTE
  played.commit(ID)
}

const SCRIPTS = {
  working: { tier: 'low', play: (played) => void played.started(ID) },
  gating: {
    tier: 'low',
    play: (played) => {
      played.started(ID)
      played.now += 14 * MINUTE
      played.ended(ID).collected(ID)
    },
  },
  waiting: {
    tier: 'normal',
    play: (played) => {
      workAndProve(played, 'passed')
      review(played)
    },
  },
  escalated: {
    tier: 'low',
    play: (played) => {
      while (played.step(ID) !== 'escalated') fail(played)
    },
  },
  landed: {
    tier: 'normal',
    play: (played) => {
      workAndProve(played, 'passed')
      approveAndLand(played)
    },
  },
  landedLate: {
    tier: 'low',
    play: (played) => {
      fail(played)
      workAndProve(played, 'passed')
      approveAndLand(played)
    },
  },
  /** It failed a dozen times, and its reviewers had much to say in between. */
  laboured: {
    tier: 'normal',
    settings: { fixAttempts: 6, reworks: 6 },
    play: (played) => {
      for (let round = 0; round < 5; round++) {
        fail(played)
        workAndProve(played, 'passed')
        played.now += 4 * MINUTE
        played.review(ID, MISSES_A_CASE)
        if (played.step(ID) === 'deciding') played.pass(10 * MINUTE)
      }
      while (played.step(ID) !== 'escalated') fail(played)
    },
  },
} as const satisfies Readonly<Record<string, FateScript>>

export type FateName = keyof typeof SCRIPTS

const played = new Map<FateName, Fate>()

/** The events of this fate with {@link NAMES} in them. */
export function fateOf(name: FateName): Fate {
  const known = played.get(name) ?? play(SCRIPTS[name])
  played.set(name, known)
  return known
}

function play({ tier, play: script, settings }: FateScript): Fate {
  const spec = aTask(ID, { title: NAMES.title, tier, acceptanceCriteria: [...NAMES.criteria] })
  // The other one keeps the plan from its release.
  const plan = PlayedPlan.begun([spec, aTask('other', { dependsOn: [ID] })], {
    settings: { approval: 'each_task', ...settings },
  })
  script(plan)
  const events = plan.facts
    .filter(({ event }) => event.type !== 'plan.registered' && isOfTask(event))
    .map(({ at, event }) => ({ afterMs: at - START, event: withEvidence(event) }))
  return { events, tookMs: plan.now - START }
}

/** An answer names its item alone, and there are items of this task only. */
const isOfTask = (event: PlanEvent): boolean =>
  event.type === 'inbox.answered' || JSON.stringify(event).includes(ID)

/** What gates rest on, which a played plan leaves out. */
function withEvidence(event: PlanEvent): PlanEvent {
  if (event.type !== 'task.gated') return event
  return { ...event, verdicts: event.verdicts.map((verdict) => withRun(verdict, event.tree)) }
}

const KEY_LINES = [
  '✖ the total of an empty cart (1.2 ms)',
  'expected 0, got NaN',
  'at test/cart.test.ts:41:12',
]

function withRun(verdict: Verdict, tree: string): Verdict {
  if (verdict.gate !== 'unit') return verdict
  const isBad = verdict.outcome === 'failed'
  const counts = { run: 148, passed: isBad ? 146 : 148, failed: isBad ? 2 : 0, skipped: 0 }
  const run = {
    command: 'npm test',
    tree,
    on: 'tree',
    ending: { kind: 'exited', code: isBad ? 1 : 0 },
    durationMs: 12_400,
    counts,
    keyLines: isBad ? KEY_LINES : [],
    outputSha256: 'c0ffee'.padEnd(64, '0'),
    storedAt: null,
    commandSha256: 'facade'.padEnd(64, '0'),
  } as const
  const findings: Finding[] = isBad ? Array.from({ length: 60 }, (_, at) => finding(at)) : []
  return {
    ...verdict,
    summary: isBad ? 'tests fail on 2 of 148' : '148 tests passed',
    evidence: { ...verdict.evidence, runs: [{ ...run, keyLines: [...run.keyLines] }], findings },
  }
}

const finding = (at: number): Finding => ({
  weight: at < 2 ? 'blocks' : 'note',
  text: at < 2 ? 'the total of an empty cart is not a number' : 'this branch is not covered by a test',
  file: `src/${ID}.ts`,
  line: 10 + 3 * at,
})
