/** How interviews end: by an error, by a person, and what is left of them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InterviewWorld, SPEC } from '../../../test/helpers/interview-world.ts'
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
const act = async (action: 'continue_interview' | 'submit_to_architect', sha?: string) => {
  const { spec_sha } = await status()
  return world.interviews.previewAction({ ...repository(), action, spec_sha: sha ?? spec_sha ?? '' })
}
/** Answers each turn with the next call, then waits for the user. */
const script = (...calls: readonly ToolCall[]): void => {
  const left = [...calls]
  world.think = () => left.shift() ?? { tool: 'await_user' }
}

test('what an error ended stays while other interviews come and go, until it is continued', async () => {
  world.think = () => {
    throw new Error('the disk is full')
  }
  await start({ text: 'a search page' })
  await world.pass()
  expect(await world.interviews.upload({ ...repository(), markdown: SPEC })).toMatchObject({
    state: 'PREVIEW',
    session_id: '1.2',
    recoverable: { session_id: '1.1', messages: 1 },
  })
  await world.stop()
  await world.open()
  await world.pass()
  expect(await status()).toMatchObject({ state: 'PREVIEW', session_id: '1.2' })
  await act('submit_to_architect')
  await world.pass()
  script()
  expect(await status()).toMatchObject({
    state: 'WAITING',
    plan: 'search',
    recoverable: { session_id: '1.1' },
  })
  expect(await start()).toMatchObject({ session_id: '1.1', messages: 1, recoverable: null })
  await world.pass()
})

test('what an error ended is still there to continue after an orderly stop', async () => {
  world.think = () => {
    throw new Error('the disk is full')
  }
  await start({ text: 'a search page' })
  await world.pass()
  for (let stops = 0; stops < 2; stops++) {
    await world.stop()
    await world.open()
    await world.pass()
    expect(await status()).toMatchObject({
      state: 'WAITING',
      recoverable: { session_id: '1.1', messages: 1 },
    })
  }
  script()
  expect(await start()).toMatchObject({ session_id: '1.1', messages: 1, recoverable: null })
})

test('what an error ended is dropped only by a call that says so', async () => {
  world.think = () => {
    throw new Error('the disk is full')
  }
  await start({ text: 'a search page' })
  await world.pass()
  expect(await start({ text: 'a shop', resume: false })).toMatchObject({
    session_id: '1.2',
    recoverable: null,
  })
})

test.each(['AWAIT_USER', 'WORKING', 'PREVIEW', 'AWAIT_ARCHITECT', 'SUSPEND'])(
  'an interview in %s can be abandoned: nothing is open then, and another can start',
  async (state) => {
    world.review = () => new Promise(() => undefined)
    if (state === 'WORKING') world.think = () => new Promise(() => undefined)
    if (state === 'SUSPEND')
      world.think = () => {
        throw new ServiceUnavailable('openai', { why: 'timed out' })
      }
    if (state === 'PREVIEW' || state === 'AWAIT_ARCHITECT')
      await world.interviews.upload({ ...repository(), markdown: SPEC })
    else await start({ text: 'a search page' })
    if (state === 'AWAIT_ARCHITECT') await act('submit_to_architect')
    await world.pass()
    expect(await status()).toMatchObject({ state })
    const over = await world.interviews.abandon({ ...repository(), by: 'ada' })
    expect(over).toMatchObject({ state: 'WAITING', session_id: null, recoverable: null })
    expect(world.interviews.list()).toEqual([])
    await expect(world.interviews.abandon(repository())).rejects.toMatchObject({ code: 'conflict' })
    script()
    expect(await start({ text: 'a shop' })).toMatchObject({ session_id: '1.2' })
    await world.pass()
    await world.machine()
  },
)
