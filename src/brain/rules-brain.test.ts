import { expect, test } from 'vitest'
import { aReplan } from '../../test/helpers/requests.ts'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { RulesBrain } from './rules-brain.ts'

describeBrain('the brain of rules', () => new RulesBrain())

test('the rules propose a new scope where the person gave one, else to leave the task out', async () => {
  const brain = new RulesBrain()
  expect((await brain.replan(aReplan('only the header'))).recommend).toBe('rescope')
  expect((await brain.replan(aReplan(null))).recommend).toBe('drop')
})

test('the rules propose parts where the person finds it too large and it has parts', async () => {
  const brain = new RulesBrain()
  const request = aReplan('too large, split it')
  const files = { create: ['src/a.ts', 'src/b.ts'], modify: [], delete: [] }
  const proposal = await brain.replan({ ...request, spec: { ...request.spec, files } })
  expect(proposal.recommend).toBe('split')
  expect(proposal.parts?.map(({ id }) => id)).toEqual(['1-s1', '1-s2'])
  expect((await brain.replan(request)).recommend).toBe('rescope')
})
