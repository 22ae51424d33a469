/** What the files of a repository say of real workers that go wrong. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})
const SOON = { timeout: 60_000, interval: 20 }

/** The file's text; empty before it is there. */
function fileOf({ home }: Lab, path: string): string {
  const [found] = globSync(`repos/*/coordination/${path}`, { cwd: home })
  return found === undefined ? '' : readFileSync(join(home, found), 'utf8')
}

test('a worker that says it is done and changed nothing is under failed, the next one under completed', async () => {
  lab = smallProject({
    agent: 'if [ "$BOSUN_ATTEMPT" = 1 ]; then exit 0; fi; work; report',
    settings: 'watch: { loop: 1s }\n',
  })
  const made = lab
  const { exit, last, stderr } = await made.deliver()
  expect([exit, last.commits.length], stderr).toEqual([0, 1])
  const under = (status: string): string => fileOf(made, `worker-specs/${status}/w-*-1-1.json`)
  await expect.poll(() => under('failed'), SOON).toContain('it changed nothing')
  expect(under('completed')).toBe('')
  await expect
    .poll(() => fileOf(made, 'worker-specs/completed/w-*-1-2.json'), SOON)
    .toContain('"reason": "done"')
})

test('a worker whose work failed its gates is under failed, the one that mended it under completed', async () => {
  lab = smallProject({
    agent: 'work; if [ "$BOSUN_ATTEMPT" = 1 ]; then echo false > "test/m$id.t"; fi; report',
    settings: 'watch: { loop: 1s }\n',
  })
  const made = lab
  const { exit, last, stderr } = await made.deliver()
  expect([exit, last.commits.length], stderr).toEqual([0, 1])
  const under = (status: string, attempt: number): string =>
    fileOf(made, `worker-specs/${status}/w-*-1-${attempt}.json`)
  await expect.poll(() => under('failed', 1), SOON).toContain('its work failed the gates')
  await expect.poll(() => under('completed', 2), SOON).toContain('"reason": "done"')
  expect([under('completed', 1), under('active', 1), under('active', 2)]).toEqual(['', '', ''])
})

test('an alert is listed among the interventions of a worker', async () => {
  lab = smallProject({ agent: 'sleep 600', settings: 'watch: { loop: 1s, stalled: 20s, silence: 1s }\n' })
  const made = lab
  made.spawn('run', 'plan.yaml', '--no-input', '--json')
  await expect.poll(() => fileOf(made, 'pm-state.json'), SOON).toMatch(/"nudge",\s+"reminder",\s+"escalate"/)
})
