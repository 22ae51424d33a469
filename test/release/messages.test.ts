/** Notices about the user's repository, and where a worker's files are. */
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Ended } from '../delivery/lab.ts'
import { Project } from './project.ts'

let project: Project
let run: Ended
beforeAll(async () => {
  project = Project.create()
  project.write({ 'src/base.js': 'export const one = () => 1 // not committed\n' })
  run = await project.bosun('run', 'plan.yaml', '--no-input')
})
afterAll(() => project.dispose())

test('uncommitted changes are left alone, with one notice', async () => {
  expect(run).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/^notice: uncommitted .*src\/base\.js$/m),
  })
  expect(project.git('status', '--porcelain')).toBe('M src/base.js')
  const again = await project.bosun('run', 'plan.yaml', '--no-input')
  expect(again.stderr).not.toContain('notice:')
})

test('a moved base branch is shown after a run and in the status, with conflicts', async () => {
  expect(run.stdout).not.toContain('has moved')
  project.write({ 'docs/notes.md': 'notes\n' })
  project.git('add', 'docs')
  project.git('commit', '-q', '-m', 'Notes')
  const clean = 'main has moved by 1 commit; a merge would be clean'
  expect((await project.bosun('run', 'nums')).stdout).toContain(clean)
  // Also by the next daemon, with another branch checked out.
  await project.bosun('stop')
  project.write({ 'src/v1.js': 'export const v1 = () => "one"\n' })
  project.git('add', 'src/v1.js')
  project.git('commit', '-q', '-m', 'Another one')
  project.git('checkout', '-q', '-b', 'elsewhere')
  const clash = 'main has moved by 2 commits; a merge would conflict in src/v1.js'
  await project.bosun('resume')
  expect((await project.bosun('status')).stdout).toContain(clash)
  const ended = await project.bosun('run', 'nums', '--json')
  expect(ended.exit).toBe(0)
})

test('worker show names the ref that holds its saved work', async () => {
  const { stdout } = await project.bosun('worker', 'show', 'w-nums-1-1', '--json')
  const { workspace, salvage } = JSON.parse(stdout) as {
    readonly workspace: string | null
    readonly salvage: { readonly ref: string; readonly repository: string }
  }
  expect(workspace).toBeNull()
  expect(salvage.ref).toBe('refs/salvage/w-nums-1-1')
  const show = [`--git-dir=${salvage.repository}`, 'show', `${salvage.ref}:src/v1.js`]
  expect(execFileSync('git', show, { encoding: 'utf8' })).toContain('v1')
  const text = (await project.bosun('worker', 'show', 'w-nums-1-1')).stdout
  expect(text).toMatch(/^saved: refs\/salvage\/w-nums-1-1 in /m)
})

test('work of the scripted agent fails the gates, and a cancelled plan leaves no inbox item', async () => {
  const dry = Project.create()
  onTestFinished(() => dry.dispose())
  dry.write({ 'bosun.yaml': 'pm: { retry_budget: 0 }\nroles: { developer: scripted }\n' })
  const ended = await dry.bosun('run', 'plan.yaml', '--no-input')
  expect(ended.exit).toBe(11)
  expect(ended.stdout).toContain('tests_to_add failed (missing: test/v1.test.js)')
  expect(ended.stdout).toMatch(/^Problem: .*: missing: test\/v1\.test\.js$/m)
  expect((await dry.bosun('cancel', 'nums')).exit).toBe(0)
  expect((await dry.bosun('inbox')).stdout).toBe('Nothing needs you.\n')
  expect((await dry.bosun('status', '--all')).stdout).toMatch(
    /^nums {2}cancelled {2}0\/2 done\n {2}cancelled by /,
  )
  const again = await dry.bosun('run', 'plan.yaml', '--no-input')
  expect(again).toMatchObject({
    exit: 1,
    stdout: expect.stringMatching(/^nums was cancelled by .*\nA cancelled plan cannot be resumed/),
  })
})
