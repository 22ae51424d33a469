import { expect, test } from 'vitest'
import { rankAgents, type Crew, type Wanted } from './rank-agents.ts'

const crew = (given: Partial<Crew> = {}): Crew => ({
  roles: {},
  fallback: 'claude',
  others: ['claude', 'codex', 'goose'],
  reviewers: ['claude', 'codex', 'goose'],
  makers: { claude: 'Anthropic', 'my-claude': 'Anthropic', codex: 'OpenAI' },
  ...given,
})
const wanted = (given: Partial<Wanted> = {}): Wanted => ({
  role: 'developer',
  as: 'developer',
  authors: [],
  unusable: [],
  ...given,
})
const limited = (agent: string) => ({ agent, why: 'is limited until 15:00 UTC' })

test('the agent that the settings name for a role does its work, else the fallback', () => {
  expect(rankAgents(crew({ roles: { developer: 'codex' } }), wanted()).agents[0]).toEqual({
    name: 'codex',
    why: 'roles.developer',
  })
  expect(rankAgents(crew(), wanted()).agents[0]?.name).toBe('claude')
  expect(rankAgents(crew({ roles: { fixer: 'goose' } }), wanted({ as: 'fixer' })).agents[0]?.name).toBe(
    'goose',
  )
})

test('another agent takes over from one that cannot work, and says for whom', () => {
  const { agents, candidates } = rankAgents(crew(), wanted({ unusable: [limited('claude')] }))
  expect(agents[0]).toEqual({
    name: 'codex',
    why: 'claude is limited until 15:00 UTC; codex takes over',
  })
  expect(candidates).toEqual(['claude', 'codex', 'goose'])
})

test('where no agent can work, the first choice is tried all the same', () => {
  const unusable = ['claude', 'codex', 'goose'].map(limited)
  expect(rankAgents(crew(), wanted({ unusable })).agents.map(({ name }) => name)).toEqual(['claude'])
})

const reviewer = (authors: readonly string[], given: Partial<Crew> = {}, unusable: Wanted['unusable'] = []) =>
  rankAgents(crew(given), wanted({ role: 'reviewer', as: 'reviewer', authors, unusable })).agents[0]

test('a reviewer of another maker comes before another agent of the same maker', () => {
  const reviewers = ['my-claude', 'codex']
  expect(reviewer(['claude'], { reviewers })).toEqual({
    name: 'codex',
    why: 'of another maker (OpenAI) than the author',
  })
  expect(reviewer(['claude'], { reviewers: ['my-claude'] })).toEqual({
    name: 'my-claude',
    why: 'not the author',
  })
  expect(reviewer(['claude'], { reviewers }, [limited('codex')])?.name).toBe('my-claude')
})

test('an author reviews its own work only where there is no other agent', () => {
  expect(reviewer(['claude'], { reviewers: [] })).toMatchObject({
    name: 'claude',
    why: expect.stringContaining('it wrote the work'),
  })
})

test('the reviewer that the settings name comes first, unless it wrote the work', () => {
  const roles = { developer: 'claude', reviewer: 'my-claude' }
  expect(reviewer(['claude'], { roles })).toEqual({ name: 'my-claude', why: 'roles.reviewer' })
  expect(reviewer(['my-claude'], { roles })?.name).toBe('claude')
})
