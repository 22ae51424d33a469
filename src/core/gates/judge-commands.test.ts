import { describe, expect, test } from 'vitest'
import { readSarif } from './judge-commands.ts'

const sarif = (results: readonly object[], more: object = {}) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'lint',
            rules: [{ id: 'strict', defaultConfiguration: { level: 'error' } }, { id: 'loose' }],
          },
        },
        results,
        ...more,
      },
    ],
  })
const at = (uri: string, startLine: number) => [
  { physicalLocation: { artifactLocation: { uri }, region: { startLine } } },
]
const read = (text: string) => readSarif(text, ['/tmp/checkout'])

describe('results are reported with their place', () => {
  test.each<[string, object, string]>([
    [
      'an error',
      { ruleId: 'a', level: 'error', message: { text: 'bad' }, locations: at('src/a.ts', 3) },
      'blocks a: bad src/a.ts:3',
    ],
    ['a warning', { ruleId: 'a', level: 'warning', message: { text: 'odd' } }, 'note a: odd null:null'],
    ['no level is a warning', { message: { text: 'odd' } }, 'note odd null:null'],
    ['a level by its rule', { ruleId: 'strict', message: { text: 'bad' } }, 'blocks strict: bad null:null'],
    ['a rule by its place', { ruleIndex: 0, message: { text: 'bad' } }, 'blocks strict: bad null:null'],
    [
      'an address',
      { level: 'error', message: { text: 'x' }, locations: at('file:///tmp/checkout/a%20b.ts', 1) },
      'blocks x a b.ts:1',
    ],
    ['no message', { level: 'error' }, 'blocks a finding without a message null:null'],
  ])('%s', (_title, result, expected) => {
    const found = read(sarif([result]))?.findings.map(
      (one) => `${one.weight} ${one.text} ${one.file}:${one.line}`,
    )
    expect(found).toEqual([expected])
  })

  test.each<[string, object]>([
    ['what passed', { kind: 'pass', message: { text: 'fine' } }],
    ['what was suppressed', { level: 'error', message: { text: 'x' }, suppressions: [{ kind: 'inSource' }] }],
    ['what counts for nothing', { level: 'none', message: { text: 'x' } }],
  ])('%s is not reported', (_title, result) => {
    expect(read(sarif([result]))).toMatchObject({ findings: [], errors: 0 })
  })
})

test('a suppression that was turned down counts for nothing', () => {
  const result = {
    level: 'error',
    message: { text: 'x' },
    suppressions: [{ kind: 'external', status: 'rejected' }],
  }
  expect(read(sarif([result]))?.errors).toBe(1)
})

test('a tool may talk before and after', () => {
  expect(read(`scanning…\n${sarif([])}\ndone`)).toEqual({ findings: [], errors: 0, isUnfinished: false })
})

test('a tool that did not get through says so', () => {
  expect(read(sarif([], { invocations: [{ executionSuccessful: false }] }))?.isUnfinished).toBe(true)
})

test.each([
  '',
  'all fine',
  '{"runs": 1}',
  '{"version": "2.1.0"}',
  '{"version": "3", "runs": []}',
  '{"version": "2.1.0", "runs": [',
  '"runs" {',
])('%s is no SARIF', (text) => {
  expect(read(text)).toBeNull()
})
