/** Services that are down while an interview needs them, on a virtual clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InterviewWorld, needsChanges, SPEC, submit } from '../../../test/helpers/interview-world.ts'
import type { ToolCall } from '../../core/interview/turn.ts'
import { ServiceUnavailable } from '../../ports/brain.ts'

let world: InterviewWorld
beforeEach(async () => {
  world = await new InterviewWorld().open()
})
afterEach(() => world.dispose())

const repository = () => ({ repository: world.project })
const start = (more = {}) => world.interviews.start({ ...repository(), ...more })
const status = () => world.interviews.status(repository())
const chat = async (message: string) => {
  const { session_id } = await status()
  return world.interviews.chat({ ...repository(), session_id: session_id ?? '', message })
}
const submitToArchitect = async () => {
  const { spec_sha } = await status()
  const action = 'submit_to_architect' as const
  return world.interviews.previewAction({ ...repository(), action, spec_sha: spec_sha ?? '' })
}
/** Answers each turn with the next call, then waits for the user. */
const script = (...calls: readonly ToolCall[]): void => {
  const left = [...calls]
  world.think = () => left.shift() ?? { tool: 'await_user' }
}

describe('an outage', () => {
  const outage = (retryAt: number | null = null) => {
    world.think = () => {
      throw new ServiceUnavailable('openai', { why: 'timed out', retryAt })
    }
  }

  test('suspends the interview until every service is healthy again', async () => {
    outage()
    world.services = () => [
      { service: 'openai', ok: true, why: null },
      { service: 'forge', ok: false, why: '503' },
    ]
    await start({ text: 'a search page' })
    await world.pass(1000)
    expect(await status()).toMatchObject({ state: 'SUSPEND', suspended_from: 'WORKING', messages: 1 })
    await world.pass(60_000)
    expect(world.checks).toBe(2)
    await chat('and a filter')
    world.services = () => [{ service: 'openai', ok: true, why: null }]
    script(submit)
    await world.pass(30_000)
    expect(await status()).toMatchObject({ state: 'PREVIEW', suspended_from: null, messages: 2 })
  })

  test('names its service once', async () => {
    outage()
    await start({ text: 'a search page' })
    await world.pass(1000)
    expect(await status()).toMatchObject({ state: 'SUSPEND', why: 'openai is unavailable: timed out' })
  })

  test('of 15 minutes is an error that keeps everything', async () => {
    outage()
    world.services = () => new Promise(() => undefined)
    await start({ text: 'a search page' })
    await world.pass(14 * 60_000)
    expect(await status()).toMatchObject({ state: 'SUSPEND' })
    await world.pass(2 * 60_000)
    expect(await status()).toMatchObject({ state: 'WAITING', recoverable: { state: 'WORKING', messages: 1 } })
  })

  test('of the architect’s model returns to the architect', async () => {
    world.review = () => {
      throw new ServiceUnavailable('openai', { why: 'timed out' })
    }
    await world.interviews.upload({ ...repository(), markdown: SPEC })
    world.services = () => [{ service: 'openai', ok: false, why: 'down' }]
    await submitToArchitect()
    await world.pass()
    expect(await status()).toMatchObject({ state: 'SUSPEND', suspended_from: 'AWAIT_ARCHITECT' })
    Object.assign(world, { review: () => needsChanges('no'), services: () => [] })
    await world.pass(30_000)
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
  })

  test('with a known end parks the work and does not suspend it', async () => {
    outage(world.clock.now() + 600_000)
    await start({ text: 'a search page' })
    await world.pass()
    expect(await status()).toMatchObject({ state: 'WORKING', why: expect.stringContaining('openai') })
    script(submit)
    await world.pass(590_000)
    expect(await status()).toMatchObject({ state: 'WORKING' })
    await world.pass(11_000)
    expect(await status()).toMatchObject({ state: 'PREVIEW', parked_until: null })
  })

  test('at the time of a stop becomes an error, and the next start continues', async () => {
    outage()
    world.services = () => [{ service: 'openai', ok: false, why: 'down' }]
    await start({ text: 'a search page' })
    await world.pass()
    await world.stop()
    expect(await world.machine()).toMatchObject({ state: 'ERROR' })
    script(submit)
    await world.open()
    await world.pass()
    expect(await status()).toMatchObject({ state: 'PREVIEW', session_id: '1.1', messages: 1 })
  })
})
