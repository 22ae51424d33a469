/** Work that was proven on ground that has moved is proven again where it would land. */
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

test('of two tasks that are green alone and red together, the second does not land', async () => {
  lab = smallProject({
    agent: 'work; report',
    tasks: 2,
    sideBySide: true,
    files: { 'test/apart.t': 'test ! -e src/m1/value || test ! -e src/m2/value\n' },
    settings: 'approval: each_task\npm: { retry_budget: 0 }\n',
  })
  const first = await lab.deliver()
  // Each has passed everything by itself, on the start commit.
  expect(new Set(first.last.inbox.map(({ kind, task }) => `${kind} ${task}`))).toEqual(
    new Set(['approval 1', 'approval 2']),
  )
  const idOf = (task: string): string => first.last.inbox.find((item) => item.task === task)?.id ?? ''
  expect((await lab.bosun('answer', idOf('1'), 'approve')).exit).toBe(0)
  expect((await lab.bosun('answer', idOf('2'), 'approve')).exit).toBe(0)

  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([11, 'gate_failed'])
  const [landed, ...others] = last.commits
  expect(others).toEqual([])
  const [item] = last.inbox
  expect(item).toMatchObject({ kind: 'escalation', problem: expect.stringContaining('tests_to_run') })
  expect(new Set([landed?.task, item?.task])).toEqual(new Set(['1', '2']))

  const told = lab.activity().filter(({ task_id }) => task_id === item?.task)
  const events = told.map(({ event }) => event)
  expect(events.slice(0, events.indexOf('commit_refused'))).not.toContain('gate_failed')
  expect(events.slice(events.indexOf('commit_refused') + 1)).toContain('gate_failed')
  lab.git('checkout', '-q', 'feat/small/working')
  const tree = lab.git('ls-files', 'src')
  expect(tree).toBe(`src/m${landed?.task}/value`)
  const review = readFileSync(join(lab.repo, `docs/reviews/task-${landed?.task}-review.md`), 'utf8')
  expect(review).toContain('3 of 3 tests passed')
})
