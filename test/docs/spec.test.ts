import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSpec } from '../../src/core/spec/read-spec.ts'
import { REQUIREMENT_TYPES, SPEC_PRIORITIES } from '../../src/core/spec/spec.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/spec.md'), 'utf8')

test('the example of docs/spec.md is a valid spec', () => {
  const [, example = ''] = /```markdown\n([^]*?)\n```/.exec(page) ?? []
  const { spec, problems } = readSpec(example)
  expect(problems).toEqual([])
  expect(spec?.requirements.map(({ id, dependsOn, criteria }) => [id, dependsOn, criteria.length])).toEqual([
    ['R-001', [], 3],
    ['R-002', ['R-001'], 2],
  ])
})

test('docs/spec.md names every type and every priority', () => {
  for (const word of [...REQUIREMENT_TYPES, ...SPEC_PRIORITIES]) expect(page).toContain(`\`${word}\``)
})
