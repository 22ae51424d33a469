/** Work is proven on top of the work that lands before it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

test('of two tasks that pass alone and fail together, one lands, and the other is refused before it lands', async () => {
  lab = smallProject({
    agent: 'work; report',
    tasks: 2,
    sideBySide: true,
    files: { 'test/apart.t': 'test ! -e src/m1/value || test ! -e src/m2/value\n' },
    settings: 'pm: { retry_budget: 0 }\n',
  })
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([11, 'gate_failed'])
  const [landed, ...others] = last.commits
  expect(others).toEqual([])
  const [item] = last.inbox
  expect(item).toMatchObject({ kind: 'escalation', problem: expect.stringContaining('required tests') })
  expect(new Set([landed?.task, item?.task])).toEqual(new Set(['1', '2']))
  expect(lab.activity().map(({ event }) => event)).not.toContain('commit_refused')
  lab.git('checkout', '-q', 'feat/small/working')
  expect(lab.git('ls-files', 'src')).toBe(`src/m${landed?.task}/value`)
  const review = readFileSync(join(lab.repo, `docs/reviews/small/task-${landed?.task}-review.md`), 'utf8')
  expect(review).toContain('3 of 3 tests passed')
})

test('of two approved tasks that fail together, the second is proven again where it would land', async () => {
  lab = smallProject({
    agent: 'work; report',
    tasks: 2,
    sideBySide: true,
    files: { 'test/apart.t': 'test ! -e src/m1/value || test ! -e src/m2/value\n' },
    settings: 'approval: each_task\npm: { retry_budget: 0 }\n',
  })
  const first = await lab.deliver()
  for (const { id, kind } of first.last.inbox)
    if (kind === 'approval') expect((await lab.bosun('answer', id, 'approve')).exit).toBe(0)
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([11, 'gate_failed'])
  expect(last.commits).toHaveLength(1)
})
