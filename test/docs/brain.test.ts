import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { QUESTION_NAMES } from '../../src/core/thinking/question-names.ts'

const root = join(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

test('every question has a file, is asked somewhere, and stands in the documentation', () => {
  const files = globSync('src/core/thinking/questions/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const askers = globSync('src/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts', 'src/core/thinking/**', 'src/simulation/**'],
  }).map(text)
  const documented = text('docs/brain.md')
  for (const name of QUESTION_NAMES) {
    const file = files.find((path) => text(path).includes(`name: '${name}'`))
    expect(file, name).toBeDefined()
    const [, written] = /export const (\w+): Question</.exec(text(file ?? '')) ?? []
    const module = `questions/${(file ?? '').split('/').at(-1)}'`
    expect(
      askers.some((source) => source.includes(module) && new RegExp(`\\b${written}\\b`).test(source)),
      `${name} is never asked`,
    ).toBe(true)
    expect(documented, name).toContain(`\`${name}\``)
  }
})
