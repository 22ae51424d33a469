import { expect, test } from 'vitest'
import { parseYamlText } from '../../../../lib/files/yaml-text.ts'
import { readFrontMatter } from './markdown-plan.ts'
import { readLines } from './lines.ts'

const read = (text: string) => readFrontMatter('p.md', readLines(text).lines, parseYamlText)

test('front matter yields its known keys with the lines of the file', () => {
  const front = read('---\nplan: a\ntitle: 3\ndesign: d.md\nenvironment: { test: x }\n---\nrest')
  expect(front.fields).toMatchObject({
    id: 'a',
    title: '3',
    design: { path: 'd.md', line: 4 },
    environment: { test: 'x' },
  })
  expect(front.rest).toMatchObject([{ number: 7, text: 'rest' }])
})

test('unknown keys are warnings, wrong ones errors, each with its line', () => {
  expect(read('---\nmood: good\nenvironment: { tets: x }\ntitle: [a]\n---').problems).toMatchObject([
    { severity: 'warning', line: 2 },
    { severity: 'error', line: 4 },
    { severity: 'error', line: 3, remedy: 'Did you mean "test"?' },
  ])
})

test('broken YAML is an error with its line, and the rest is read', () => {
  const front = read('---\na: 1\nb: [\n---\nrest')
  expect(front.problems[0]).toMatchObject({ severity: 'error', file: 'p.md' })
  expect(front.problems[0]?.line).toBeGreaterThanOrEqual(3)
  expect(front.rest).toHaveLength(1)
})

test('a rule at the top is not front matter', () => {
  expect(read('---\n\n# T').rest).toHaveLength(3)
  expect(read('text\n---\na: 1\n---').rest).toHaveLength(4)
  expect(read('---\n- a\n---\nx').problems).toMatchObject([{ severity: 'warning' }])
})
