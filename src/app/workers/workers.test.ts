import { describe, expect, test } from 'vitest'
import { low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { Message } from '../../core/event-schemas/watch.ts'
import { messageStates, type MessageChannel } from './workers.ts'

const ABOUT = { worker: 'w-shop-1-1', task: '1', attempt: 1 }

/** Two instructions: the first delivered in the given way, the second not. */
function instructed(via: 'session' | 'checkin'): PlayedPlan {
  const plan = PlayedPlan.begun([low('1')])
    .started('1')
    .lives('1')
  for (const [id, instruction] of [
    [1, 'revise'],
    [2, undefined],
  ] as const) {
    const message: Message = { id, kind: 'instruction', text: `text ${id}`, about: `i ${id}`, by: 'ada' }
    plan.tell({
      type: 'worker.told',
      v: 1,
      ...ABOUT,
      message: instruction === undefined ? message : { ...message, instruction },
      why: 'by ada',
    })
  }
  return plan.tell({ type: 'worker.heard', v: 1, ...ABOUT, messages: [1], via })
}

const states = (plan: PlayedPlan, channel: MessageChannel) =>
  messageStates(
    plan.events.map((event, at) => ({ version: at + 1, at, event })),
    { worker: ABOUT.worker, channel },
  ).map(({ message, delivered, readAt, why }) => [message.id, delivered?.via ?? null, readAt !== null, why])

describe('a message', () => {
  test('into a session is read once the agent has answered', () => {
    const plan = instructed('session')
    expect(states(plan, 'session')).toEqual([
      [1, 'session', false, null],
      [2, null, false, "queued, to be delivered when the agent's turn ends"],
    ])
    plan.tell({ type: 'message.read', v: 1, ...ABOUT, messages: [1] })
    expect(states(plan, 'session')[0]).toEqual([1, 'session', true, null])
  })

  test('that the worker took itself is read', () => {
    expect(states(instructed('checkin'), 'checkin')).toEqual([
      [1, 'checkin', true, null],
      [2, null, false, 'queued, to be delivered with its next check-in'],
    ])
  })

  test('is never delivered to a worker that ended first', () => {
    const plan = instructed('session').pass(MINUTE).ended('1')
    expect(states(plan, null)[1]).toEqual([2, null, false, 'the worker ended first'])
  })
})
