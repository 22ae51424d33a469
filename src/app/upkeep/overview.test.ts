import { expect, test } from 'vitest'
import { nextSteps } from './overview.ts'

const here = { repository: '/shop', settings: 'absent', plans: [] } as const

test('a repository without plans is offered a sentence first, then how to read a plan', () => {
  expect(nextSteps(here).map((step) => step.command)).toEqual([
    'bosun init',
    'bosun start "TEXT"',
    'bosun plan FILE',
    'bosun doctor',
    'bosun --help',
  ])
})

test('outside of a repository there is nothing to set up', () => {
  expect(nextSteps({ ...here, repository: null })[0]?.command).toBe('bosun plan FILE')
})

test('offers the first few plans, as a shell takes them', () => {
  const plans = ['docs/plans/a.md', "docs/plans/it's b.md", 'docs/plans/c.md', 'docs/plans/d.md']
  expect(nextSteps({ ...here, settings: 'valid', plans }).map((step) => step.command)).toEqual([
    'bosun start "TEXT"',
    'bosun plan docs/plans/a.md',
    "bosun plan 'docs/plans/it'\\''s b.md'",
    'bosun plan docs/plans/c.md',
    'bosun doctor',
    'bosun --help',
  ])
})

test('settings with problems come first', () => {
  expect(nextSteps({ ...here, settings: 'invalid' })[0]?.command).toBe('bosun doctor')
})
