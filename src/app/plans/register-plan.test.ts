import { afterEach, beforeEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'

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

test('an edit that was made from an earlier text is refused, and shows both versions', async () => {
  const text = (title: string): string => `### Task 1: ${title}\n`
  const { plan } = await testing.register([low('1')], { text: text('one') })
  const { documentedAt: expectedVersion } = plan.state
  await testing.register([low('1')], { text: text('two'), by: 'ann', expectedVersion })
  const late = { text: text('three'), by: 'bob', expectedVersion }
  await expect(testing.register([low('1')], late)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/edited by ann/),
    details: {
      theirs: { by: 'ann', version: expect.any(Number), at: expect.stringMatching(/^\d{4}-/) },
      yours: { version: expectedVersion },
    },
  })
  const again = await testing.register([low('1')], { text: text('two'), expectedVersion })
  expect(again.how).toBe('attached')
})

test('plans with names of their own are taken, and so is the same name in another repository', async () => {
  await testing.register([low('7-1')], { id: 'a' })
  await testing.register([low('2')], { id: 'a-7' })
  await testing.register([low('1')], { id: 'a-7', repository: testing.repository('other') })
  expect(testing.host.plans().map(({ id }) => id)).toEqual(['a', 'a-7', 'a-7'])
})
