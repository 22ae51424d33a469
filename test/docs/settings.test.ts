import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsRows } from '../../src/core/settings/settings-rows.ts'
import { defaultSettings, environmentKeys, settingsSchema } from '../../src/core/settings/settings.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')
const documented = new Map(
  [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, key = '', value = '']) => [key, value]),
)

test('docs/settings.md lists every setting with its default, and no other', () => {
  const known = settingsRows(defaultSettings(), {}, {})
  for (const { key, value } of known) expect([key, documented.get(key)]).toEqual([key, value])
  const keys = new Set(known.map(({ key }) => key))
  const others = [...documented.keys()].filter((key) => !keys.has(key))
  expect(others).toEqual([
    'agents.NAME',
    'roles.ROLE',
    ...environmentKeys(undefined).map((key) => `environment.${key}`),
    'workflows.TYPE.SCOPE',
    'prices.NAME',
  ])
})

test('docs/settings.md has a row for every section of bosun.yaml', () => {
  const sections = new Set([...documented.keys()].map((key) => key.split('.', 1)[0]))
  expect(sections).toEqual(new Set(Object.keys(settingsSchema.unwrap().shape)))
})
