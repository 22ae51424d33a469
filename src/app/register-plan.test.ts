import { afterEach, beforeEach, expect, test } from 'vitest'
import { low } from '../../test/helpers/plan-builder.ts'
import { TestHost } from '../../test/helpers/test-host.ts'

let testing: TestHost
beforeEach(async () => {
  testing = await new TestHost().open()
})
afterEach(() => testing.dispose())

test('a plan whose workers would have the names of another plan is refused, also when that one is over', async () => {
  const theirs = await testing.register([low('7-1')], { id: 'a' })
  const refused = {
    name: 'Refusal',
    code: 'conflict',
    message: expect.stringMatching(/^task 1 of plan a-7 and task 7-1 of plan a in .* worker w-a-7-1-1$/),
  }
  await expect(testing.register([low('1')], { id: 'a-7' })).rejects.toMatchObject(refused)
  await testing.log.closeStream(theirs.plan.home.stream)
  await testing.reopen()
  await expect(testing.register([low('1')], { id: 'a-7' })).rejects.toMatchObject(refused)
})

test('plans with names of their own are taken, and so is the same name in another repository', async () => {
  await testing.register([low('7-1')], { id: 'a' })
  await testing.register([low('2')], { id: 'a-7' })
  await testing.register([low('1')], { id: 'a-7', repository: testing.repository('other') })
  expect(testing.host.plans().map(({ id }) => id)).toEqual(['a', 'a-7', 'a-7'])
})
