/** A watch that only looks on, with real workers. */
import { afterEach, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

test('in monitor mode a worker over its time and silent is left alone, and what would have been done is in the log', async () => {
  lab = smallProject({
    agent: 'work; sleep 7; report',
    task: 'time_budget: 2s',
    settings: 'watch: { mode: monitor, stalled: 4s }\n',
  })
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.commits.length], stderr).toEqual([0, 1])
  const lines = lab.activity()
  const would = lines.filter(({ event }) => event.startsWith('would_')).map(({ event }) => event)
  expect(would).toEqual(expect.arrayContaining(['would_nudge', 'would_escalate', 'would_warn', 'would_kill']))
  expect(lines.filter(({ event }) => /^(worker_nudged|worker_killed|alert_created)$/.test(event))).toEqual([])
})
