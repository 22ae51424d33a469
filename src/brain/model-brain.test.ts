import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aThinkCall, describeBrain } from '../../test/conformance/brain.conformance.ts'
import { aTask } from '../../test/helpers/plan-builder.ts'
import { HANG, scriptedModel, type ModelStep } from '../../test/helpers/scripted-model.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { replan } from '../core/thinking/questions/replan.ts'
import { ServiceUnavailable, ModelError, type Model, type ThinkCall } from '../ports/brain.ts'
import { BudgetLedger } from './budget-ledger.ts'
import { ModelBrain } from './model-brain.ts'

const DROP = '{"recommend":"drop","note":"nothing is left"}'
const input = { spec: aTask('1'), feedback: 'only the header' }
const prices = { 'acme-small': { input: 3, output: 15 }, 'acme-large': { input: 30, output: 150 } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-brain-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function brainWith(steps: readonly ModelStep[], budgetUsd: number | null = null) {
  const { clock, during } = virtualWorld()
  const model = scriptedModel(...steps)
  const ledger = new BudgetLedger({ budgetUsd, clock, file: join(folder, 'usage.jsonl') })
  const brain = new ModelBrain({ model, clock, timeoutMs: 60_000, ledger, prices })
  const ask = (call: Partial<ThinkCall> = {}, about = input) =>
    during(brain.think(replan, about, aThinkCall(call)))
  return { ask, brain, model, clock }
}

describeBrain('the brain of a model', () => {
  const { brain } = brainWith([DROP])
  return brain
})

describe('a question to a model', () => {
  test('is one request, and its answer names the model, its tokens and its cost', async () => {
    const { ask, model } = brainWith([DROP])
    const thought = await ask()
    expect(thought).toEqual({
      answer: { recommend: 'drop', note: 'nothing is left' },
      by: 'acme/acme-small',
      usage: { tokensIn: 1000, tokensOut: 100, tokensCached: 0, usd: 0.0045, requests: 1 },
      fallback: null,
      cached: false,
    })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.text).toContain('| only the header')
  })

  test('goes to the large model where the call asks for it', async () => {
    const { ask } = brainWith([DROP])
    expect((await ask({ size: 'large' })).by).toBe('acme/acme-large')
  })

  test.each([
    ['prose', 'I would drop it.', 'The answer was not a JSON value.'],
    ['nothing', '', 'The answer was empty.'],
    ['another schema', '{"recommend":"burn","note":"x"}', 'It does not fit the schema: recommend'],
    ['what the question refuses', '{"recommend":"split","note":"x"}', 'this task cannot be split'],
    [
      'another language',
      JSON.stringify({ recommend: 'drop', note: 'Эта задача больше не нужна, её можно просто удалить' }),
      'Cyrillic',
    ],
  ])('that gets %s back is asked once more, with what was wrong', async (_, wrong, mistake) => {
    const { ask, model } = brainWith([wrong, DROP])
    const thought = await ask()
    expect([thought.answer.recommend, thought.usage?.requests]).toEqual(['drop', 2])
    expect(model.requests[1]?.text).toContain(mistake)
  })

  test('is judged by nobody after two replies that are no answer, and says why', async () => {
    const { ask, model } = brainWith(['no idea'])
    const thought = await ask()
    expect(thought).toMatchObject({ answer: { recommend: 'rescope' }, by: 'nobody', usage: { requests: 2 } })
    expect(thought.fallback).toBe('acme gave no valid answer twice (The answer was not a JSON value.)')
    expect(model.requests).toHaveLength(2)
  })

  test('is asked again on another occasion, although an identical one was answered', async () => {
    const { ask, model } = brainWith([DROP])
    await ask({ occasion: 'review 1' })
    expect(await ask({ occasion: 'review 1' })).toMatchObject({ cached: true })
    expect(await ask({ occasion: 'review 2' })).toMatchObject({ cached: false })
    expect(model.requests).toHaveLength(2)
  })

  test('names its subject: the interview, the plan or the request', async () => {
    const { ask, model } = brainWith([DROP])
    await ask({ about: { interview: 'i', repository: '/r' } })
    await ask({ about: { plan: 'p', task: '1' } })
    await ask({ about: { request: 'r' } })
    await ask({ about: { interview: 'j', request: 'r' } })
    await ask({ about: { repository: '/r' } })
    const named = model.requests.map(({ subject }) => subject)
    expect(named).toEqual(['interview i', 'plan p', 'request r', 'request r', null])
  })

  test('is read from a code fence, too', async () => {
    const { ask } = brainWith(['Here it is:\n```json\n' + DROP + '\n```\n'])
    expect((await ask()).answer.recommend).toBe('drop')
  })
})

describe('a service that fails', () => {
  const unavailable = new ModelError('acme is unavailable (529)', { kind: 'unavailable' })

  test('is asked again after a while', async () => {
    const { ask, model } = brainWith([unavailable, unavailable, DROP])
    expect((await ask()).by).toBe('acme/acme-small')
    expect(model.requests).toHaveLength(3)
  })

  test('is given up after three requests: nobody judges', async () => {
    const { ask } = brainWith([unavailable])
    expect(await ask()).toMatchObject({
      by: 'nobody',
      usage: { requests: 3, tokensIn: 0 },
      fallback: 'acme is unavailable (529)',
    })
  })

  test('is given up after three requests: the call rejects where it asks for that', async () => {
    const { ask } = brainWith([unavailable])
    const error = await ask({ outage: 'throw' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceUnavailable)
    expect(error).toMatchObject({ service: 'acme', retryAt: null, message: 'acme is unavailable (529)' })
  })

  test('is not asked again before a reset that is far away', async () => {
    const { clock } = virtualWorld()
    const until = clock.now() + 3_600_000
    const limited = new ModelError('acme limits requests (429)', { kind: 'limited', until })
    const { ask, model } = brainWith([limited])
    await expect(ask({ outage: 'throw' })).rejects.toMatchObject({ retryAt: until })
    await expect(ask({ outage: 'throw' })).rejects.toMatchObject({ retryAt: until })
    expect(await ask()).toMatchObject({ by: 'nobody', usage: { requests: 0 } })
    expect(model.requests).toHaveLength(1)
  })

  test('that names a near reset is asked again then', async () => {
    const { clock } = virtualWorld()
    const limited = new ModelError('acme limits requests (429)', {
      kind: 'limited',
      until: clock.now() + 2000,
    })
    const { ask, model } = brainWith([limited, DROP])
    expect((await ask()).by).toBe('acme/acme-small')
    expect(model.requests).toHaveLength(2)
  })

  test('that hangs is given up at the timeout', async () => {
    const { ask } = brainWith([HANG])
    expect((await ask()).fallback).toBe('acme did not answer within 60 s')
  })

  test.each(['unauthorized', 'refused'] as const)(
    'that answers %s is not asked again, and nobody judges in any case',
    async (kind) => {
      const { ask, model } = brainWith([new ModelError('acme refused the key (401)', { kind })])
      expect(await ask({ outage: 'throw' })).toMatchObject({
        by: 'nobody',
        fallback: 'acme refused the key (401)',
      })
      expect(model.requests).toHaveLength(1)
    },
  )

  test('stops being asked when the call is aborted', async () => {
    const { brain } = brainWith([HANG])
    const gone = new AbortController()
    const asked = brain.think(replan, input, aThinkCall({ signal: gone.signal }))
    gone.abort(new Error('no longer owed'))
    await expect(asked).rejects.toThrow('no longer owed')
  })
})

describe('an identical question', () => {
  test('of the same plan is not paid for twice', async () => {
    const { ask, model } = brainWith([DROP])
    await ask()
    expect(await ask()).toMatchObject({ by: 'acme/acme-small', usage: null, cached: true })
    expect(model.requests).toHaveLength(1)
  })

  test('of another plan, or without one, is asked again', async () => {
    const { ask, model } = brainWith([DROP])
    await ask()
    await ask({ about: { plan: 'other' } })
    await ask({ about: { repository: 'shop' } })
    await ask({ about: { repository: 'shop' } })
    expect(model.requests).toHaveLength(4)
  })

  test('is asked again where nobody judged before', async () => {
    const { ask, model } = brainWith(['no idea', 'no idea', DROP])
    await ask()
    expect((await ask()).by).toBe('acme/acme-small')
    expect(model.requests).toHaveLength(3)
  })
})

describe('a budget', () => {
  const other = { ...input, feedback: 'only the footer' }

  test('stops the questions of a plan that has used it up', async () => {
    const { ask, model } = brainWith([DROP], 0.004)
    await ask()
    expect(await ask({}, other)).toMatchObject({ by: 'nobody', usage: null })
    expect((await ask({}, other)).fallback).toBe('brain.budget_usd is used up ($0.0045 of $0.004)')
    expect(model.requests).toHaveLength(1)
    expect((await ask({ about: { plan: 'other' } })).by).toBe('acme/acme-small')
  })

  test('counts by the price of the model that was asked where another name answers', async () => {
    const { clock, during } = virtualWorld()
    const scripted = scriptedModel(DROP)
    const dated: Model = {
      ...scripted,
      ask: async (...call) => ({ ...(await scripted.ask(...call)), model: 'acme-small-20261101' }),
    }
    const ledger = new BudgetLedger({ budgetUsd: 0.004, clock, file: join(folder, 'usage.jsonl') })
    const brain = new ModelBrain({ model: dated, clock, timeoutMs: 60_000, ledger, prices })
    expect(await during(brain.think(replan, input, aThinkCall({})))).toMatchObject({
      by: 'acme/acme-small-20261101',
      usage: { usd: 0.0045 },
    })
    expect((await during(brain.think(replan, other, aThinkCall({})))).by).toBe('nobody')
  })

  test('counts what the log says was spent before a restart', async () => {
    const { ask, model } = brainWith([DROP], 1)
    expect((await ask({ spentUsd: 1.2 })).by).toBe('nobody')
    expect(model.requests).toHaveLength(0)
  })

  test('of calls about neither a plan nor an interview survives in a file, for a day', async () => {
    const about = { repository: 'shop' }
    await brainWith([DROP], 0.004).ask({ about })
    expect(JSON.parse(readFileSync(join(folder, 'usage.jsonl'), 'utf8'))).toMatchObject({
      repository: 'shop',
      usd: 0.0045,
    })
    expect((await brainWith([DROP], 0.004).ask({ about })).by).toBe('nobody')
    expect((await brainWith([DROP], 0.004).ask({ about: { repository: 'other' } })).by).not.toBe('nobody')
  })
})
