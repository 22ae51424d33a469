import { expect, test } from 'vitest'
import {
  dependenciesIn,
  gateOf,
  inlineList,
  securityFlagOf,
  tierIn,
  timeBudgetIn,
  wordList,
  yesOrNo,
} from './fields.ts'

test.each([
  ['Task 3, Task 4', ['3', '4']],
  ['#3 and 4', ['3', '4']],
  ['T-01 + T-02', ['T-01', 'T-02']],
  ['Tasks 1-3', ['1', '2', '3']],
  ['Task 1.2 (needs the schema), Task 10a.', ['1.2', '10a']],
  ['[1, "2"]', ['1', '2']],
  ['**Task 1** and **Task 2**', ['1', '2']],
  ['none', []],
  ['None.', []],
  ['N/A', []],
  ['—', []],
  ['', []],
])('%s', (text, ids) => {
  expect(dependenciesIn(text)).toEqual({ ids, unread: [] })
})

test('a dependency that is not a task is returned as unknown', () => {
  expect(dependenciesIn('Task 1, the database')).toEqual({ ids: ['1'], unread: ['the database'] })
  expect(dependenciesIn('Task 1-999999').ids).toHaveLength(1)
  expect(dependenciesIn('Tasks 1-99999').ids).toEqual(['1', '99999'])
})

test('tiers and risk levels are parsed', () => {
  expect(['critical', '`low`', '**Normal** because', 'High', 'medium', 'T1', ''].map(tierIn)).toEqual([
    'critical',
    'low',
    'normal',
    'critical',
    'normal',
    null,
    null,
  ])
})

test('flags, gates, yes and no are parsed', () => {
  expect(['auth', 'touches_auth', 'Touches schema', 'x'].map(securityFlagOf)).toEqual([
    'auth',
    'auth',
    'schema',
    null,
  ])
  expect([gateOf('Unit'), gateOf('x')]).toEqual(['unit', null])
  expect(['yes', 'No', 'true', 'maybe'].map(yesOrNo)).toEqual([true, false, true, null])
})

test('durations are parsed as in bosun.yaml and in words', () => {
  expect(['30m', '2 hours', '45 minutes', '90s', '1 hr', 'soon', '0m', '30'].map(timeBudgetIn)).toEqual([
    1_800_000,
    7_200_000,
    2_700_000,
    90_000,
    3_600_000,
    null,
    null,
    null,
  ])
})

test('a list is split at semicolons, but not a sentence', () => {
  expect(inlineList('a, b and c')).toEqual(['a, b and c'])
  expect(inlineList('a; b')).toEqual(['a', 'b'])
  expect(inlineList('none')).toEqual([])
  expect(wordList('`a`, b and "c"')).toEqual(['a', 'b', 'c'])
})
