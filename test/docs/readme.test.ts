import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import { planId } from '../../src/core/planning/ids.ts'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const named = (pattern: RegExp): string => pattern.exec(readme)?.[1] ?? ''

test('README names the example plan by the id of its file', () => {
  const id = planId({ id: undefined, title: undefined, source: named(/bosun run (\S+)/) })
  expect(named(/bosun release verify (\S+)/)).toBe(id)
  expect(named(/`feat\/(\S+)\/working`/)).toBe(id)
})

test('README and docs/agents.md name every agent, and README which of them need an adapter', () => {
  const agents = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8')
  const titles = AGENT_ROWS.map(({ title }) => title)
  expect(titles.filter((title) => !agents.includes(`| ${title} |`))).toEqual([])
  const isAdapted = (title: string): boolean =>
    AGENT_ROWS.some((row) => row.title === title && !Array.isArray(row.acp.start))
  const listed = (text: string): readonly string[] => text.split(/,\s+|\s+and\s+/)
  expect(listed(named(/itself\.\s+([^.]+?)\s+need an adapter/))).toEqual(titles.filter(isAdapted))
  expect(listed(named(/with\s+them;\s+([^.:]+?)\s+do not/))).toEqual(titles.filter((title) => !isAdapted(title)))
})
