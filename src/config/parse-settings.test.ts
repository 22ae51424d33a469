import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../core/settings/settings.ts'
import { parseSettings } from './parse-settings.ts'

/** Each problem as one line. */
function complaints(text: string): readonly string[] {
  const parsed = parseSettings(text, 'bosun.yaml')
  return parsed.ok
    ? []
    : parsed.problems.map((one) => `${one.file}:${one.line}: ${one.message} | ${one.remedy}`)
}

function settings(text: string) {
  const parsed = parseSettings(text, 'bosun.yaml')
  if (!parsed.ok) throw new Error(complaints(text).join('\n'))
  return parsed.settings
}

test.each(['', '# only a comment\n', '---\n', '{}'])('%j leaves every setting at its default', (text) => {
  expect(settings(text)).toEqual(defaultSettings())
})

test('a setting replaces its own default and nothing else', () => {
  const { pm, watch } = settings('pm: { max_parallel_agents: 7 }\nwatch: { loop: 2s }\n')
  expect(pm).toEqual({ ...defaultSettings().pm, max_parallel_agents: 7 })
  expect(watch).toEqual({ ...defaultSettings().watch, loop: 2000 })
})

test('pm_config is accepted as another name of pm', () => {
  expect(settings('pm_config:\n  retry_budget: 5\n').pm.retry_budget).toBe(5)
})

test('a problem in pm_config is reported with its line', () => {
  expect(complaints('approval: release\npm_config:\n  retry_bugdet: 5\n')).toEqual([
    'bosun.yaml:3: unknown key pm.retry_bugdet | Did you mean pm.retry_budget?',
  ])
})

test('pm and pm_config together are refused', () => {
  expect(complaints('pm: { retry_budget: 1 }\npm_config: { retry_budget: 2 }\n')).toEqual([
    'bosun.yaml:2: pm and pm_config are both set | Remove pm_config; it is an older name of pm.',
  ])
})

test.each([
  ['unknown section', 'wach: {}', 'bosun.yaml:1: unknown key wach | Did you mean watch?'],
  [
    'unknown key with nothing near',
    'models:\n  enormous: x',
    'bosun.yaml:2: unknown key models.enormous | Known keys: small, large.',
  ],
  [
    'unknown key of an agent',
    'agents:\n  mine:\n    protocol: command\n    comand: [x]\n    command: [x]',
    'bosun.yaml:4: unknown key agents.mine.comand | Did you mean agents.mine.command?',
  ],
  [
    'wrong type',
    'pm:\n  retry_budget: two',
    'bosun.yaml:2: pm.retry_budget must be a number | Write a number.',
  ],
  [
    'an empty command',
    'notify:\n  command: []\n',
    'bosun.yaml:2: notify.command is an empty list | Write at least one entry, or null for none.',
  ],
  [
    'an empty text',
    'notify:\n  command: [sh, ""]\n',
    'bosun.yaml:2: notify.command[1] is empty | Write a text.',
  ],
  [
    'too small',
    'pm: { max_parallel_agents: 0 }',
    'bosun.yaml:1: pm.max_parallel_agents is too small | The minimum is 1.',
  ],
  [
    'not one of the values',
    'approval: relase',
    'bosun.yaml:1: approval has an invalid value | Did you mean release? Use one of each_task, critical, release.',
  ],
  [
    'a wrong item of a list',
    'scheduling:\n  parallel_tiers:\n    - low\n    - high',
    'bosun.yaml:4: scheduling.parallel_tiers[1] has an invalid value | Use one of critical, normal, low.',
  ],
  [
    'not a duration',
    'watch:\n  late: soon',
    'bosun.yaml:2: watch.late: invalid duration (use 90s, 15m or 2h) | Correct the value.',
  ],
  [
    'no time at all',
    'watch:\n  stalled: 0s',
    'bosun.yaml:2: watch.stalled: must be longer than 0, such as 90s | Correct the value.',
  ],
  [
    'a wrong name',
    'agents:\n  "My Agent": { protocol: acp, command: [x] }',
    'bosun.yaml:2: agents.My Agent: an agent name consists of lower-case letters, digits and dashes | Rename it.',
  ],
  [
    'not a section',
    '- a\n- b',
    'bosun.yaml:1: the file must be a section of keys | Write a section of keys.',
  ],
])('%s', (_, text, complaint) => {
  expect(complaints(text)).toEqual([complaint])
})

test('a command of the wrong form is reported with the valid forms', () => {
  const [complaint] = complaints('environment:\n  lint: 5\n')
  expect(complaint).toBe(
    'bosun.yaml:2: environment.lint has an invalid form | Write a text, or a list, or null.',
  )
})

test('a missing required key is reported as missing', () => {
  expect(complaints('agents:\n  mine: { protocol: command }\n')).toEqual([
    'bosun.yaml:2: agents.mine.command is missing | Write a list.',
  ])
})

test('migrations need up and down, and a missing one is reported', () => {
  const { environment } = settings('environment:\n  migrations: { up: "npx migrate up", down: null }\n')
  expect(environment.migrations).toEqual({ up: 'npx migrate up', down: null })
  expect(complaints('environment:\n  migrations: { up: x, dwon: y, down: z }\n')).toEqual([
    'bosun.yaml:2: unknown key environment.migrations.dwon | Did you mean environment.migrations.down?',
  ])
  expect(complaints('environment:\n  migrations: { up: x }\n')).toEqual([
    'bosun.yaml:2: environment.migrations.down is missing | Write a text, or a list, or null.',
  ])
})

test('an unsupported setting is rejected with its line when it differs from its default', () => {
  expect(
    complaints('brain:\n  timeout: 60s\n  provider: anthropic\nstore: { url: "postgres://db" }\n'),
  ).toEqual([
    'bosun.yaml:3: brain.provider: anthropic needs a model | Set brain.large, for example to claude-sonnet-5-5, and brain.small for quick questions.',
    'bosun.yaml:4: store.url is not supported yet | Remove it, or set it to its default, null.',
  ])
  expect(
    complaints('agents:\n  mine:\n    protocol: acp\n    command: [x]\nroles: { tester: mine }\n'),
  ).toEqual([])
})

test('all problems are reported at once, in the order of the file', () => {
  const found = complaints('watch:\n  lop: 1s\n  mode: watch\npm:\n  retry_budget: -1\nzzz: 1\n')
  expect(found.map((line) => line.split(':')[1])).toEqual(['2', '3', '5', '6'])
})

test('a problem is reported with the line of its key', () => {
  expect(complaints('pm:\n  # how many\n  max_paralel_agents:\n\n    3\n')[0]).toMatch(/^bosun\.yaml:3: /)
})

test('broken YAML is reported with its line', () => {
  const [complaint] = complaints('pm:\n  a: [1, 2\n')
  expect(complaint).toMatch(/^bosun\.yaml:[23]: /)
})

test('a duplicate key is an error', () => {
  expect(complaints('approval: release\napproval: critical\n')[0]).toMatch(/^bosun\.yaml:2: .*approval/)
})

test('__proto__ is not a valid key', () => {
  expect(complaints('__proto__: { polluted: true }\n').length).toBe(1)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('a few aliases cannot become a billion values', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((k, i) => {
      const before = 'abcdefgh'[i]
      return `${k}: &${k} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`
    }),
  ].join('\n')
  expect(complaints(bomb).length).toBeGreaterThan(0)
})

describe('notify', () => {
  const problemsOf = (yaml: string): readonly string[] => {
    const parsed = parseSettings(yaml, 'bosun.yaml')
    return parsed.ok ? [] : parsed.problems.map(({ line, message }) => `${line}: ${message}`)
  }

  test('takes an https address, one on this machine, a secret, a command and quiet hours', () => {
    const secret = `whsec_${'A'.repeat(44)}`
    expect(problemsOf('notify:\n  webhook: https://example.org/hook')).toEqual([])
    expect(problemsOf(`notify:\n  webhook: { url: "http://127.0.0.1:9/x", secret: ${secret} }`)).toEqual([])
    expect(
      problemsOf('notify: { on: [needs_you, went_wrong], command: [ring, bell], quiet: "22:00-07:00" }'),
    ).toEqual([])
  })

  test.each([
    ['webhook: http://example.org/hook', 'https'],
    ['webhook: http://127.0.0.1.example.org/', 'https'],
    ['webhook: https://me:secret@example.org/', 'https'],
    ['webhook: { url: "https://example.org", secret: hush }', 'whsec_'],
    ['quiet: "25:00-07:00"', '22:00-07:00'],
    ['on: [everything]', 'needs_you'],
  ])('refuses %s with what to write instead', (line, remedy) => {
    const parsed = parseSettings(`notify:\n  ${line}`, 'bosun.yaml')
    expect(parsed.ok).toBe(false)
    expect(JSON.stringify(parsed.ok ? [] : parsed.problems)).toContain(remedy)
  })
})
