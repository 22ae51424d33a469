/** A plan whose log is taken to another state root. */
import { cpSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

/** Where the state was before it was taken away. */
const before = (lab: Lab): string => join(lab.folder, 'before')

/** The first task has landed and the second waits for its worker's end when the log is taken away. */
async function movedHalfway(): Promise<Lab> {
  const lab = smallProject({
    tasks: 2,
    agent:
      'work; report; [ $id = 1 ] || until [ -e "$repo/../go" ]; do touch "$repo/../begun"; sleep 0.1; done',
  })
  onTestFinished(() => lab.dispose())
  const run = lab.spawn('run', 'plan.yaml', '--no-input')
  await expect.poll(() => existsSync(join(lab.folder, 'begun')), { timeout: 60_000 }).toBe(true)
  run.kill('SIGINT')
  expect(await lab.bosun('stop')).toMatchObject({ exit: 0 })
  expect(await lab.bosun('export', join(lab.folder, 'log.jsonl'))).toMatchObject({ exit: 0, stderr: '' })
  writeFileSync(join(lab.folder, 'go'), '')
  renameSync(lab.home, before(lab))
  return lab
}

const imported = (lab: Lab) => lab.bosun('import', join(lab.folder, 'log.jsonl'))

test('an imported log continues where it was, with the folder of its repository', async () => {
  const lab = await movedHalfway()
  expect(await imported(lab)).toMatchObject({ exit: 0, stderr: '' })
  cpSync(join(before(lab), 'repos'), join(lab.home, 'repos'), { recursive: true })
  const { exit, last } = await lab.deliver()
  expect(exit).toBe(0)
  expect(last.commits.map(({ task }) => task)).toEqual(['1', '2'])
  expect(await lab.bosun('release', 'verify', 'small')).toMatchObject({ exit: 0 })
})

test('without that folder the plan does not start over, and the missing folder is named', async () => {
  const lab = await movedHalfway()
  await imported(lab)
  // Deleting the branch must not lead to a release without the landed work.
  lab.git('branch', '-m', 'feat/small/working', 'mine')
  const run = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect(run.exit).toBe(4)
  const [repository = ''] = readdirSync(join(before(lab), 'repos'))
  expect(run.stderr).toContain(`its earlier work is not in ${join(lab.home, 'repos', repository)};`)
  expect(Object.keys(lab.refs())).not.toContain('refs/heads/feat/small/working')
  expect(await lab.bosun('cancel', 'small')).toMatchObject({ exit: 0, stderr: '' })
})

test('a plan of an unknown repository can be cancelled', async () => {
  const lab = await movedHalfway()
  await imported(lab)
  const db = new DatabaseSync(join(lab.home, 'bosun.db'))
  db.exec('delete from repositories')
  db.close()
  expect((await lab.bosun('status')).stdout).toMatch(/cannot load \S+: its repository is unknown/)
  expect(await lab.bosun('cancel', 'small')).toMatchObject({ exit: 0, stderr: '' })
  expect((await lab.bosun('status')).stdout).not.toContain('cannot load')
})
