import { afterEach, beforeEach, expect, test } from 'vitest'
import { InterviewWorld, post } from '../../../test/helpers/interview-world.ts'

let world: InterviewWorld
beforeEach(async () => {
  world = await new InterviewWorld().open()
})
afterEach(() => world.dispose())

test('what was said so far can be seen before there is a draft', async () => {
  const repository = world.project
  const outline = async () => (await world.interviews.outline({ repository })).markdown
  expect(await outline()).toBeNull()
  const { session_id } = await world.interviews.start({ repository })
  expect(await outline()).toBeNull()
  const say = (message: string) =>
    world.interviews.chat({ repository, session_id: session_id ?? '', message })
  const left = [post('Who is it for?')]
  world.think = () => left.shift() ?? { tool: 'await_user' }
  await say('Add a search page')
  await world.pass()
  expect(await outline()).toContain('# Feature: Add a search page')
  await say('It should also find archived orders')
  expect(await outline()).toContain('archived orders')
  await world.pass()
})
