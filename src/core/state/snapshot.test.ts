import { describe, expect, test } from 'vitest'
import { low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { Entry } from '../../ports/event-log.ts'
import { drawFaults, FAULT_NAMES, faultRates, NO_FAULTS, type FaultRates } from '../../simulation/faults.ts'
import { Random } from '../../simulation/random.ts'
import { samplePlan } from '../../simulation/sample-plans.ts'
import { simulate } from '../../simulation/simulation.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import { eventCodec } from '../events/codec.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { fold } from '../events/fold.ts'
import { owed } from '../decide/owed.ts'
import { standing } from '../decide/standing.ts'
import { freeze, thaw } from './snapshot.ts'
import type { PlanState } from './state.ts'

const asJson = (state: PlanState): string => JSON.stringify(freeze(state))
const throughJson = (state: PlanState): PlanState => thaw(JSON.parse(asJson(state)))

/** All of a state, including its derived parts. */
function contentsOf(state: PlanState): unknown {
  const { counts, left, serialHolding, waitingForReview } = state
  return {
    frozen: asJson(state),
    owed: owed(state, state.at, { since: 0, workers: new Map() }),
    standing: standing(state),
    derived: { counts, left, serialHolding, waitingForReview },
    blocked: [...state.blocked].map((task) => task.spec.id),
    active: [...state.active].map((task) => task.spec.id),
    holding: new Set([...state.holding].map((task) => task.spec.id)),
    taken: [...state.tasks.values()].map((task) => state.locks.blocker(task.place) !== null),
    asked: new Set(state.asked),
    ready: [...state.tasks.values()].filter((task) => task.isQueued).map((task) => task.spec.id),
    dependents: [...state.tasks.values()].map((task) =>
      state.dependents.of(task).map((dependent) => dependent.spec.id),
    ),
  }
}

async function eventsOf(seed: number, rates: FaultRates): Promise<readonly Entry<PlanEvent>[]> {
  const registered = samplePlan(new Random(seed, 'plan'), 7)
  const log = new MemoryEventLog<PlanEvent>(eventCodec)
  return (await simulate({ registered, seed, rates, log })).entries
}

/** Continues from a snapshot after every single event. */
function expectSameFromEverywhere(entries: readonly Entry<PlanEvent>[]): void {
  let unfrozen: PlanState | null = null
  let thawed: PlanState | null = null
  for (const entry of entries) {
    unfrozen = fold(unfrozen, entry)
    thawed = fold(thawed === null ? null : throughJson(thawed), entry)
    expect(contentsOf(thawed), `${entry.version} ${entry.event.type}`).toEqual(contentsOf(unfrozen))
  }
}

describe('a state that was frozen and thawed', () => {
  test.each([1, 2, 3])('continues unchanged without faults (seed %i)', async (seed) => {
    expectSameFromEverywhere(await eventsOf(seed, NO_FAULTS))
  })

  test.each([4, 5, 6, 7, 8, 9, 10, 11])('continues unchanged under random faults (seed %i)', async (seed) => {
    expectSameFromEverywhere(await eventsOf(seed, drawFaults(new Random(seed, 'faults'))))
  })

  test('continues unchanged with all faults at once', async () => {
    expectSameFromEverywhere(await eventsOf(12, faultRates(FAULT_NAMES)))
  })

  test('lists blocked tasks in the same order', () => {
    const blocked = { end: { kind: 'blocked' as const, reason: '?' } }
    const plan = PlayedPlan.begun([normal('1', { dependsOn: ['3'] }), normal('2'), normal('3')])
    plan.work('2', blocked).complete('3').work('1', blocked)
    expect([...plan.state.blocked].map(({ spec }) => spec.id)).toEqual(['2', '1'])
    expect(contentsOf(throughJson(plan.state))).toEqual(contentsOf(plan.state))
  })
})

test('a snapshot is plain JSON', () => {
  const { state } = PlayedPlan.begun([low('1')]).complete('1')
  expect(JSON.parse(asJson(state))).toEqual(freeze(state))
})

test('a snapshot does not change when the plan continues', () => {
  const plan = PlayedPlan.begun([low('1')])
  const json = asJson(plan.state)
  const thawed = thaw(JSON.parse(json))
  plan.work('1')
  expect(asJson(thawed)).toBe(json)
})
