/** A worker that is done at the moment it is stopped: its work counts, and the log says how close it was. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

test('a worker that finishes when asked to end is a near miss, and its work lands at the first attempt', async () => {
  lab = smallProject({
    agent: [
      'finish() { work; report; exit 0; }',
      'trap finish TERM',
      'touch "$repo/waiting"',
      'sleep 1000 & wait',
    ].join('\n'),
  })
  const { repo } = lab
  const attached = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  await expect.poll(() => existsSync(join(repo, 'waiting')), { timeout: 60_000 }).toBe(true)
  expect((await lab.bosun('pause', '--now')).exit).toBe(0)
  const events = (of: Lab): readonly string[] => of.activity().map(({ event }) => event)
  await expect.poll(() => lab !== null && events(lab), { timeout: 60_000 }).toContain('kill_near_miss')
  attached.kill('SIGTERM')
  expect((await lab.bosun('resume')).exit).toBe(0)
  const { exit } = await lab.deliver()
  expect(exit).toBe(0)
  expect(events(lab).filter((event) => event === 'task_dispatched')).toHaveLength(1)
  expect(events(lab)).toContain('worker_completed')
  expect(lab.git('show', 'feat/small/working:src/m1/value')).toBe('1')
}, 120_000)
