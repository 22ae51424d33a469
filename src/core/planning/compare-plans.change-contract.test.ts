import { describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { changedContract, changedContractText, type ContractChange } from './compare-plans.ts'

const SPEC = low('1', {
  files: { create: ['src/1.ts'], modify: ['src/2.ts'], delete: [] },
  testsToAdd: ['test/1.test.ts'],
  acceptanceCriteria: ['adds', 'removes'],
})
const change = (way: ContractChange['way'], files: string[], criteria: string[] = []): ContractChange => ({
  way,
  files,
  criteria,
})
function after(one: ContractChange) {
  const changed = changedContract(SPEC, one)
  if (!changed.ok) throw new Error(changed.why)
  const { files, testsToAdd, acceptanceCriteria } = changed.spec
  return { files, testsToAdd, acceptanceCriteria }
}

describe('an expanded contract', () => {
  test('names the files and criteria as well, each once', () => {
    expect(after(change('expand', ['./README.md', 'README.md', 'src/1.ts'], ['adds', 'lists']))).toEqual({
      files: { create: ['src/1.ts'], modify: ['src/2.ts', 'README.md'], delete: [] },
      testsToAdd: ['test/1.test.ts'],
      acceptanceCriteria: ['adds', 'removes', 'lists'],
    })
  })

  test('is refused where nothing would change', () => {
    expect(changedContract(SPEC, change('expand', ['src/1.ts'], ['adds']))).toMatchObject({ ok: false })
  })
})

describe('a reduced contract', () => {
  test('loses the files and the criteria, which a number names as well', () => {
    expect(after(change('reduce', ['src/2.ts', 'test/1.test.ts'], ['2']))).toEqual({
      files: { create: ['src/1.ts'], modify: [], delete: [] },
      testsToAdd: [],
      acceptanceCriteria: ['adds'],
    })
    expect(after(change('reduce', [], ['removes'])).acceptanceCriteria).toEqual(['adds'])
  })

  test.each([
    [change('reduce', ['src/9.ts']), 'does not name src/9.ts'],
    [change('reduce', [], ['3']), 'has no criterion "3"'],
    [change('reduce', [], ['1', '2']), 'would have no criterion'],
    [change('reduce', ['src/1.ts', 'src/2.ts', 'test/1.test.ts']), 'would name no file'],
  ])('is refused where it cannot be: %j', (one, why) => {
    expect(changedContract(SPEC, one)).toMatchObject({
      ok: false,
      why: expect.stringContaining(why) as string,
    })
  })
})

test('a worker is told the files, and the criteria by their new numbers', () => {
  expect(changedContractText(SPEC, change('reduce', ['src/3.ts'], ['lists']))).toBe(
    'Your contract no longer names src/3.ts. Its criteria are now: 1. adds; 2. removes',
  )
})

test('a changed contract is what the gates get, and the decision stands in the log of the task', () => {
  const plan = PlayedPlan.begun([SPEC]).started('1')
  const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
  plan.tell({
    type: 'contract.changed',
    v: 1,
    ...about,
    way: 'expand',
    files: ['README.md'],
    criteria: [],
    by: 'ann',
  })
  plan.ended('1').collected('1')
  expect(plan.effect('run_gates').spec.files.modify).toEqual(['src/2.ts', 'README.md'])
  expect(plan.decisions('1').join()).toContain('ann expanded the contract by files README.md')
})
