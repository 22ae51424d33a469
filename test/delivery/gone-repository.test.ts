/** A repository that is gone when the daemon restarts. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallProject } from './small-project.ts'

test('a plan whose repository is gone is reported, and cancelling it ends its worker', async () => {
  const lab = smallProject({ agent: 'work; touch "$repo/../begun"; exec sleep 600' })
  onTestFinished(() => lab.dispose())
  const run = lab.spawn('run', 'plan.yaml', '--no-input')
  await expect.poll(() => existsSync(join(lab.folder, 'begun')), { timeout: 60_000 }).toBe(true)
  run.kill('SIGINT')
  await lab.stop()
  renameSync(join(lab.repo, '.git'), join(lab.folder, 'elsewhere'))

  await lab.bosun('resume')
  expect((await lab.bosun('status')).stdout).toMatch(/cannot load \S+\/small: /)
  const paused = await lab.bosun('pause', 'small')
  expect(paused).toMatchObject({ exit: 4, stderr: expect.stringContaining('bosun cancel small') })
  expect(lab.processes().join('\n')).toContain('sleep 600')
  expect(await lab.bosun('cancel', 'small')).toMatchObject({ exit: 0, stderr: '' })
  await expect
    .poll(() => lab.processes().join('\n'), { timeout: 60_000, interval: 300 })
    .not.toContain('sleep 600')
  await lab.stop()
  expect((await lab.bosun('status')).stdout).not.toContain('small')
  // What it wrote is saved before its folder is given back.
  expect(lab.heldClones()).toEqual([])
  const [quarantine = ''] = globSync('repos/*/quarantine.git', { cwd: lab.home })
  const saved = ['ls-tree', '-r', '--name-only', 'refs/salvage/w-small-1-1']
  const files = execFileSync('git', saved, { cwd: join(lab.home, quarantine), encoding: 'utf8' })
  expect(files).toContain('src/')
})
