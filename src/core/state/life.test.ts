import { describe, expect, test } from 'vitest'
import { low, MINUTE, MISSES_A_CASE, normal } from '../../../test/helpers/plan-builder.ts'
import { aReport } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { EVENT_DEFINITIONS, type PlanEvent } from '../events/plan-events.ts'
import { owed } from '../decide/owed.ts'
import type { Effect } from '../decide/effects.ts'
import { requestEvents } from '../../engine/external-events.ts'
import { fold } from '../events/fold.ts'
import { defaultPlanSettings } from '../settings/plan-settings.ts'
import { mayHappen, mayMove, MOVES, STATUSES, statusOf, STEPS, type Step, type Trigger } from './life.ts'
import type { PlanState } from './state.ts'

const steps = Object.keys(STEPS) as Step[]
const triggers: readonly Trigger[] = [
  ...EVENT_DEFINITIONS.map(({ shape }) => shape.type),
  'dependency.completed',
]

test('a task has the six statuses, and no other', () => {
  expect(STATUSES).toEqual(['pending', 'ready', 'in_progress', 'completed', 'failed', 'escalated'])
  expect(new Set(steps.map(statusOf))).toEqual(new Set(STATUSES))
})

test('everything between ready and an end is in progress', () => {
  expect(steps.filter((step) => statusOf(step) === 'in_progress')).toEqual([
    'launching',
    'working',
    'stopping',
    'taken_over',
    'collecting',
    'gating',
    'reviewing',
    'awaiting_person',
    'committing',
    'deciding',
  ])
})

test('every move has a known trigger', () => {
  for (const { on } of MOVES) expect(triggers).toContain(on)
})

test('a move that is not in the table is rejected', () => {
  const inTable = (on: Trigger, from: Step, to: Step): boolean =>
    MOVES.some((move) => move.on === on && move.from.includes(from) && move.to.includes(to))
  for (const on of triggers) {
    for (const from of steps) {
      for (const to of steps) expect(mayMove(on, from, to), `${on} ${from} ${to}`).toBe(inTable(on, from, to))
      expect(mayHappen(on, from)).toBe(steps.some((to) => inTable(on, from, to)))
    }
  }
})

test('only a person who has existing work built leads out of completed', () => {
  const ways = MOVES.filter(({ from }) => from.includes('completed'))
  expect(ways).toMatchObject([{ on: 'inbox.answered', to: ['pending', 'ready'] }])
})

test('only a proven commit, or work that already existed, completes a task', () => {
  const ways = MOVES.filter(({ to }) => to.includes('completed')).map(({ on }) => on)
  expect(ways).toEqual(['plan.baselined', 'task.committed'])
  const toCommit = MOVES.filter(({ to }) => to.includes('committing')).flatMap(({ from }) => from)
  expect(new Set(toCommit)).toEqual(new Set(['gating', 'reviewing', 'awaiting_person', 'escalated']))
})

test('only a person leads out of escalated and failed, or a question that covers many tasks', () => {
  const waysOut = (step: Step) => MOVES.filter(({ from }) => from.includes(step)).map(({ on }) => on)
  expect(new Set(waysOut('failed'))).toEqual(new Set(['inbox.answered']))
  expect(new Set(waysOut('escalated'))).toEqual(new Set(['inbox.answered', 'inbox.withdrawn']))
})

const WHOLE = { settings: { approval: 'each_task' as const } }
const blocked = { end: { kind: 'blocked' as const, reason: 'which?' } }
const replanned: PlanEvent = {
  type: 'task.replanned',
  v: 1,
  task: '1',
  recommend: 'drop',
  note: 'leave it',
  by: 'rules',
}
const failing = (plan: PlayedPlan): PlayedPlan => {
  const bad = { failed: ['unit' as const] }
  plan.work('1').gates('1', bad).work('1').gates('1', bad).work('1').gates('1', bad)
  return plan
}
const refuseCommit = (plan: PlayedPlan): PlayedPlan =>
  plan.tell({ type: 'task.commit_refused', v: 1, task: '1', attempt: 1, reason: 'both changed a file' })

const BLUE = { acceptanceCriteria: ['it is blue'] }
const EDITED = { end: { kind: 'stopped' as const, cause: 'plan_edited' as const }, report: null }
const CHAIN = [low('1'), low('2', { dependsOn: ['1'] })]
const NORMAL = [normal('1'), normal('2', { dependsOn: ['1'] })]
const stopped = (plan: PlayedPlan, id: string): PlayedPlan => plan.ended(id, EDITED).collected(id)
/** An edit changes the first task of the chain while this one has a worker. */
const edited = (plan: PlayedPlan, id: string): PlayedPlan =>
  stopped(plan.edit(CHAIN, [low('1', BLUE), ...CHAIN.slice(1)]), id)

/** Scenarios that together take every row. */
const LIVES: Readonly<Record<string, () => PlayedPlan>> = {
  'all goes well': () => PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })]).complete('1'),
  'a person decides its open point': () =>
    PlayedPlan.begun([
      low('1', { questions: [{ kind: 'undecided', words: 'Store: TBD', line: 1, choices: [] }] }),
    ]).answer('worker'),
  'another task lands first': () =>
    PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1')
      .overtaken('1')
      .collected('1')
      .gates('1'),
  'what it was proven on fails': () =>
    PlayedPlan.begun([low('1'), low('2'), low('3')])
      .work('1')
      .work('2')
      .gates('2')
      .work('3')
      .gates('1', { failed: ['unit'] })
      .collected('2'),
  'it conflicts with work that may not land': () => {
    const plan = PlayedPlan.begun([low('1'), low('2')])
      .work('1')
      .ended('2')
    return plan.conflicting('2')
  },
  'its review takes long, and others could land': () =>
    PlayedPlan.begun([low('1'), low('2')])
      .work('1', { report: aReport({ selfAssessment: 'uncertain' }) })
      .gates('1')
      .work('2')
      .gates('2')
      .pass(6 * MINUTE),
  'the work is there already': () =>
    new PlayedPlan([low('1'), low('2', { dependsOn: ['1'] })]).baseline('1', '2'),
  'a person wants built what was found to exist': () =>
    new PlayedPlan([low('1'), low('2', { dependsOn: ['1'] })]).baseline('1', '2').answer('build'),
  'it ends before it was seen to start': () =>
    PlayedPlan.begun([low('1')])
      .ended('1')
      .collected('1'),
  'what it fails at is what others fail at': () => {
    const crash = { end: { kind: 'failed' as const, reason: 'no key' } }
    const plan = PlayedPlan.begun([normal('1'), normal('2')])
      .work('1', crash)
      .pass(MINUTE)
      .work('1', crash)
    return plan.pass(MINUTE).work('1', crash).work('2', crash)
  },
  'it is stopped at once': () =>
    PlayedPlan.begun([low('1')])
      .pause('stop workers')
      .ended('1'),
  'it is stopped in its work': () =>
    PlayedPlan.begun([low('1')])
      .started('1')
      .pause('stop workers')
      .ended('1'),
  'its gates fail, and a person lets it pass': () => failing(PlayedPlan.begun([low('1')])).answer('approve'),
  'its gates fail at once, and a person lets it pass': () =>
    PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
      .work('1')
      .gates('1', { failed: ['unit'] })
      .answer('approve'),
  'its gates pass when they are run again': () =>
    PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1', { failed: ['unit'] })
      .work('1')
      .gates('1')
      .gates('1'),
  'its gates cannot be checked': () => {
    const bad = { inconclusive: ['unit' as const] }
    return PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1', bad)
      .gates('1', bad)
      .gates('1', bad)
      .answer('recheck')
  },
  'its gates fail, and a person sends it back': () =>
    PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
      .work('1')
      .gates('1', { failed: ['unit'] })
      .answer('revise', { feedback: 'the other way round' }),
  'its review wants changes, until a person lets it pass': () => {
    const plan = PlayedPlan.begun([normal('1')], { settings: { ...WHOLE.settings, reworks: 0 } })
    return plan.work('1').gates('1').review('1', MISSES_A_CASE).answer('approve')
  },
  'the same, where no person approves each task': () =>
    PlayedPlan.begun([normal('1')], { settings: { reworks: 0 } })
      .work('1')
      .gates('1')
      .review('1', MISSES_A_CASE)
      .answer('approve'),
  'the brain could not read it': () =>
    PlayedPlan.begun([low('1')], { settings: { brainReviews: true } })
      .work('1')
      .gates('1', {}, 'rules')
      .unread('1')
      .review('1'),
  'its reviewers are lost': () => {
    const plan = PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
    for (let lost = 1; lost <= 3; lost++) {
      plan
        .started('1')
        .ended('1', { end: { kind: 'failed', reason: 'exit 1' } })
        .pass(60_000)
    }
    return plan.answer('reject')
  },
  'a person takes it over and hands it back': () => takenOver().answer('gates'),
  'it is cancelled while a person works on it': () => takenOver().cancel(),
  'a person approves it': () =>
    PlayedPlan.begun([low('1')], WHOLE)
      .work('1')
      .gates('1')
      .answer('approve'),
  'a person revises it': () =>
    PlayedPlan.begun([low('1')], WHOLE)
      .work('1')
      .gates('1')
      .answer('revise'),
  'a person rejects it, then wants it after all': () =>
    PlayedPlan.begun([low('1')], WHOLE)
      .work('1')
      .gates('1')
      .answer('reject')
      .tell(replanned)
      .answer('rescope'),
  'it is dropped, with what depends on it': () =>
    PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
      .work('1', blocked)
      .answer('reject')
      .tell(replanned)
      .answer('drop'),
  'the plan is edited while it is worked on': () => edited(PlayedPlan.begun(CHAIN).started('1'), '1'),
  'the plan is edited, and what it needs is done again': () =>
    edited(PlayedPlan.begun(CHAIN).complete('1').started('2'), '2'),
  'it is removed from the plan while it is worked on': () =>
    stopped(
      PlayedPlan.begun([low('1'), low('2')])
        .started('1')
        .edit([low('1'), low('2')], [low('2')]),
      '1',
    ),
  'the plan is edited while it is reviewed': () =>
    PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
      .started('1')
      .edit([normal('1')], [normal('1', BLUE)])
      .ended('1', EDITED),
  'the plan is edited while it is reviewed, and what it needs is done again': () =>
    PlayedPlan.begun(NORMAL)
      .complete('1')
      .work('2')
      .gates('2')
      .started('2')
      .edit(NORMAL, [normal('1', BLUE), ...NORMAL.slice(1)])
      .ended('2', EDITED),
  'it is removed from the plan while it is reviewed': () =>
    PlayedPlan.begun([normal('1'), low('2')])
      .work('1')
      .gates('1')
      .started('1')
      .edit([normal('1'), low('2')], [low('2')])
      .ended('1', EDITED),
  'its commit is refused': () =>
    refuseCommit(
      PlayedPlan.begun([low('1')])
        .work('1')
        .gates('1'),
    ),
}

function takenOver(): PlayedPlan {
  const plan = PlayedPlan.begun([low('1')]).started('1')
  const { worker, task, attempt } = plan.last('task.dispatched')
  const about = { worker, task, attempt, cause: 'taken_over', why: 'ada took it over', by: 'ada' } as const
  plan.tell({ type: 'worker.condemned', v: 1, ...about })
  return plan.ended('1', { end: { kind: 'stopped', cause: 'taken_over' } })
}

/** Every row a plan's tasks took, as `trigger from to`. */
function rowsOf(events: readonly PlanEvent[]): Set<string> {
  const rows = new Set<string>()
  let state: PlanState | null = null
  let before = new Map<string, Step>()
  for (const [index, event] of events.entries()) {
    const item = event.type === 'inbox.answered' ? state?.inbox.get(event.id)?.item : undefined
    const own = 'task' in event ? event.task : item?.task
    state = fold(state, { version: index + 1, at: index, event })
    // An edit replaces the state and takes no rows.
    if (event.type === 'plan.edited') before = stepsOf(state)
    for (const {
      spec: { id },
      step,
    } of state.tasks.values()) {
      const from = before.get(id)
      const isOwn = id === own && !(from === step && !mayMove(event.type, step, step))
      if (from === undefined || (from === step && !isOwn)) continue
      const isFreed = from === 'pending' && step === 'ready' && item?.subject !== 'plan_question'
      const on = isFreed ? 'dependency.completed' : event.type
      rows.add(`${on} ${from} ${step}`)
    }
    before = stepsOf(state)
  }
  return rows
}

const stepsOf = (state: PlanState): Map<string, Step> =>
  new Map([...state.tasks.values()].map(({ spec, step }) => [spec.id, step]))

describe('the table and the fold agree', () => {
  const taken = new Set(Object.values(LIVES).flatMap((live) => [...rowsOf(live().events)]))
  const rows = MOVES.flatMap(({ on, from, to }) => from.flatMap((a) => to.map((b) => `${on} ${a} ${b}`)))

  test.each([...new Set(rows)])('%s is a move that happens', (row) => {
    expect(taken).toContain(row)
  })

  test('no move happens that is not in the table', () => {
    expect([...taken].filter((row) => !rows.includes(row))).toEqual([])
  })
})

const WORKER = { worker: 'w-shop-1-1', task: '1', attempt: 1 } as const

/** Scenarios in which a worker or the brain is owed something besides the moves above. */
const SERVED: Readonly<Record<string, () => PlayedPlan>> = {
  'a person gives its worker more time': () =>
    PlayedPlan.begun([low('1')])
      .started('1')
      .tell({ type: 'time.granted', v: 1, ...WORKER, minutes: 5, by: 'ada' }),
  'its worker is paused': () =>
    PlayedPlan.begun([low('1')])
      .started('1')
      .tell({ type: 'worker.paused', v: 1, ...WORKER, by: 'ada', why: 'lunch' }),
  'its worker asks for help': () => {
    const plan = PlayedPlan.begun([low('1')], { settings: defaultPlanSettings() }).started('1')
    const asked = { kind: 'need_help', text: 'which table?', priority: 'normal' } as const
    const events = requestEvents(plan.state, WORKER.worker, asked)
    if (typeof events === 'string') throw new Error(events)
    for (const event of events) plan.tell(event)
    return plan
  },
  'its reviewer is stopped': () => {
    const plan = PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
    return plan.started('1').pause('stop workers')
  },
  'the brain judges its failure': () =>
    PlayedPlan.begun([low('1')], { settings: { brainAssesses: true } })
      .work('1')
      .gates('1', { failed: ['unit'] }),
  'the brain reads it': () =>
    PlayedPlan.begun([low('1')], { settings: { brainReviews: true } })
      .work('1')
      .gates('1'),
}

/** Every effect that was owed to a task, as `step effect`, after each event of a plan. */
function owedIn({ facts }: PlayedPlan): Set<string> {
  const found = new Set<string>()
  let state: PlanState | null = null
  for (const fact of facts) {
    state = fold(state, fact)
    for (const effect of owed(state, fact.at, { since: facts[0]?.at ?? 0, workers: new Map() }).effects) {
      const step = state.tasks.get(taskOf(effect) ?? '')?.step
      if (step !== undefined) found.add(`${step} ${effect.kind}`)
    }
  }
  return found
}

const taskOf = (effect: Effect): string | undefined =>
  'spec' in effect ? effect.spec.id : 'task' in effect ? effect.task : undefined

test('each step owes the effects that the table names, and no others', () => {
  const seen = [...Object.values(LIVES), ...Object.values(SERVED)].flatMap((live) => [...owedIn(live())])
  const named = steps.flatMap((step) => STEPS[step].owes.map((kind) => `${step} ${kind}`))
  expect([...new Set(seen)].toSorted()).toEqual(named.toSorted())
})
