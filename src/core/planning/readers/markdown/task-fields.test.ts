import { expect, test } from 'vitest'
import { dependenciesIn, readFields, tierIn, type FieldName } from './task-fields.ts'

const fieldsOf = (name: FieldName, ...texts: string[]) =>
  readFields([{ name, line: 1, texts: texts.map((text) => ({ text, line: 1 })) }], '1').fields

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
  expect(fieldsOf('security_flags', 'auth, touches_auth, Touches schema, x').securityFlags).toEqual([
    'auth',
    'auth',
    'schema',
  ])
  expect(fieldsOf('gates', 'Unit, x').gates).toEqual(['unit'])
  const given = ['yes', 'No', 'true', 'maybe'].map((text) => fieldsOf('breaking_change', text).breakingChange)
  expect(given).toEqual([true, false, true, undefined])
})

test('durations are parsed as in bosun.yaml and in words', () => {
  const written = ['30m', '2 hours', '45 minutes', '90s', '1 hr', 'soon', '0m', '30']
  expect(written.map((text) => fieldsOf('time_budget', text).timeBudgetMs)).toEqual([
    1_800_000,
    7_200_000,
    2_700_000,
    90_000,
    3_600_000,
    undefined,
    undefined,
    undefined,
  ])
})

test('a list is split at semicolons, but not a sentence', () => {
  const listed = ['a, b and c', 'a; b', 'none'].map((text) => fieldsOf('interfaces', text).interfaces)
  expect(listed).toEqual([['a, b and c'], ['a', 'b'], []])
  expect(fieldsOf('gates', '`unit`, lint and "build"').gates).toEqual(['unit', 'lint', 'build'])
})
