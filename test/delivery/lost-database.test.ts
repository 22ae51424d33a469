/** A database that is taken away while plans are at work. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'
import { documentProblems } from '../helpers/json-documents.ts'

/** A worker is at work until there is a file `go`. */
async function atWork(): Promise<Lab> {
  const lab = smallProject({
    tasks: 1,
    agent: 'until [ -e "$repo/../go" ]; do touch "$repo/../begun"; sleep 0.1; done; work; report',
  })
  onTestFinished(() => lab.dispose())
  lab.spawn('run', 'plan.yaml', '--no-input')
  await expect.poll(() => existsSync(join(lab.folder, 'begun')), { timeout: 60_000 }).toBe(true)
  return lab
}

const daemonPid = (lab: Lab): number =>
  (JSON.parse(readFileSync(join(lab.home, 'daemon.json'), 'utf8')) as { readonly pid: number }).pid

test('a daemon whose database is removed ends; its plans are kept, and the recovery is named', async () => {
  const lab = await atWork()
  const pid = daemonPid(lab)
  rmSync(join(lab.home, 'bosun.db'))
  // Whatever is to be recorded next finds it out.
  await lab.bosun('pause', 'small')
  await expect.poll(() => identify(pid), { timeout: 60_000 }).toBe(null)
  expect(readFileSync(join(lab.home, 'daemon.log'), 'utf8')).toContain(
    'the database was removed by another program',
  )
  const refused = await lab.bosun('resume', 'small')
  expect(refused.exit).toBe(12)
  const rescued = readdirSync(lab.home).find((name) => name.startsWith('bosun.db.rescued-')) ?? ''
  expect(refused.stderr).toContain(rescued)
  renameSync(join(lab.home, rescued), join(lab.home, 'bosun.db'))
  expect((await lab.bosun('status')).stdout).toContain('w-small-1-1')
})

test('a start on an emptied database names the unknown workers, and moves them away on request', async () => {
  const lab = await atWork()
  process.kill(daemonPid(lab), 'SIGKILL')
  for (const name of readdirSync(lab.home)) if (name.startsWith('bosun.db')) rmSync(join(lab.home, name))
  const refused = await lab.bosun('resume', 'small')
  expect(refused).toMatchObject({ exit: 12 })
  const found = /does not know 1 plan .*w-small-1-1 \(still running, process \d+\)/
  expect(refused.stderr).toMatch(found)
  for (const command of ['status', 'inbox']) expect((await lab.bosun(command)).stderr).toMatch(found)
  expect((await lab.bosun('pause', 'small')).stderr).toMatch(found)
  expect(refused.stderr).toContain('bosun clean --unknown-workers')

  const cleaned = await lab.bosun('clean', '--unknown-workers')
  expect(cleaned).toMatchObject({ exit: 0, stderr: '' })
  expect(cleaned.stdout).toContain('stopped w-small-1-1 of plan small; its work is saved')
  const [repository = ''] = readdirSync(join(lab.home, 'repos'))
  expect(readdirSync(join(lab.home, 'repos', repository, 'unknown-workers'))).toEqual(['w-small-1-1'])
  const again = await lab.bosun('clean', '--unknown-workers', '--json')
  expect(documentProblems(JSON.parse(again.stdout), ['clean --unknown-workers'])).toEqual([])
  expect(await lab.bosun('status')).toMatchObject({ exit: 0 })
})
