import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planId } from '../../src/core/planning/ids.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const named = (pattern: RegExp): string => pattern.exec(readme)?.[1] ?? ''

test('README names the example plan by the id of its file', () => {
  const id = planId({ id: undefined, title: undefined, source: named(/bosun run (\S+)/) })
  expect(named(/bosun release verify (\S+)/)).toBe(id)
  expect(named(/`feat\/(\S+)\/working`/)).toBe(id)
})
