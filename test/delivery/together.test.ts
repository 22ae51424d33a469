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

test('of two tasks that are green alone and red together, the second does not land, and is told which it met', async () => {
  lab = smallProject({
    agent: 'work; report',
    tasks: 2,
    sideBySide: true,
    files: { 'test/apart.t': 'test ! -e src/m1/value || test ! -e src/m2/value\n' },
    settings: 'approval: each_task\npm: { retry_budget: 0 }\n',
  })
  const first = await lab.deliver()
  // The second is proven on top of the first before either lands.
  const [asked, met] = ['approval', 'escalation'].map((kind) =>
    first.last.inbox.find((item) => item.kind === kind),
  )
  expect(new Set([asked?.task, met?.task])).toEqual(new Set(['1', '2']))
  expect(met?.problem).toContain('tests_to_run')
  expect((await lab.bosun('answer', asked?.id ?? '', 'approve')).exit).toBe(0)

  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([11, 'gate_failed'])
  expect(last.commits.map(({ task }) => task)).toEqual([asked?.task])
  const events = lab.activity().map(({ event }) => event)
  expect(events).not.toContain('commit_refused')
  const shown = await lab.bosun('task', 'show', met?.task ?? '', '--json')
  expect(shown.stdout).toContain(`on top of ${asked?.task}`)
  lab.git('checkout', '-q', 'feat/small/working')
  expect(lab.git('ls-files', 'src')).toBe(`src/m${asked?.task}/value`)
  const review = readFileSync(join(lab.repo, `docs/reviews/task-${asked?.task}-review.md`), 'utf8')
  expect(review).toContain('3 of 3 tests passed')
})
