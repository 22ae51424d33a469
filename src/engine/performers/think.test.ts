import { describe, expect, test } from 'vitest'
import { aTask } from '../../../test/helpers/plan-builder.ts'
import type { AssessFailure } from '../../core/decide/effects.ts'
import type { Brain, ThinkCall } from '../../ports/brain.ts'
import { ScriptedBrain, type ScriptedAnswers } from '../../simulation/scripted-rest.ts'
import { perform } from './perform.ts'
import type { World } from './performer.ts'

const USAGE = { tokensIn: 10, tokensOut: 2, tokensCached: 0, usd: null, requests: 1 }
const plan = { id: 'shop', design: null }
const { signal } = new AbortController()

const failing: AssessFailure = {
  kind: 'assess_failure',
  key: 'assess 1 1',
  spec: aTask('1'),
  attempt: 1,
  cause: { kind: 'gates_failed', gates: ['unit'] },
  failed: [],
  attemptsLeft: 2,
  spentUsd: 0.5,
}

// Only this one of the ports is used.
const worldWith = (brain: Brain) => ({ brain }) as unknown as World

const scripted = (answers: ScriptedAnswers): Brain => new ScriptedBrain(answers, USAGE)

describe('a failed attempt', () => {
  test('that should do less asks how, and the answer becomes the advice', async () => {
    const answers: ScriptedAnswers = (question) =>
      question === 'reduce_scope'
        ? { focus: ['the header'], leave_out: ['the styles'] }
        : { move: 'reduce_scope', note: 'too much', advice: 'ignored' }
    const world = worldWith(scripted(answers))
    const events = await perform(failing, { world, plan, signal })
    expect(events.map(({ type }) => type)).toEqual([
      'brain.answered',
      'brain.answered',
      'task.failure_assessed',
    ])
    expect(events.at(-1)).toMatchObject({
      proposal: 'reduce_scope',
      advice: expect.stringContaining('Leave out: the styles.') as unknown,
    })
  })

  test('of a larger task goes to the large model, with what the plan has spent', async () => {
    const calls: ThinkCall[] = []
    const rules = new ScriptedBrain()
    const world = worldWith({
      think: (question, input, call) => {
        calls.push(call)
        return rules.think(question, input, call)
      },
    })
    await perform({ ...failing, spec: aTask('1', { tier: 'critical' }) }, { world, plan, signal })
    expect(calls).toMatchObject([
      { size: 'large', spentUsd: 0.5, outage: 'unjudged', about: { plan: 'shop' } },
    ])
  })
})
