import { expect, test } from 'vitest'
import { specParts } from './spec-text.ts'

test('the front matter of a spec is shown as facts, the rest as Markdown', () => {
  const { facts, body } = specParts('---\nversion: "1.0"\npriority: must\n---\n\n# Feature: Cart\n')
  expect(facts).toEqual([
    ['version', '1.0'],
    ['priority', 'must'],
  ])
  expect(body.trim()).toBe('# Feature: Cart')
  expect(specParts('# No front matter')).toEqual({ facts: [], body: '# No front matter' })
})
