/** `bosun init` that is interrupted while it tries the commands that it found. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentProblems } from '../helpers/json-documents.ts'
import { withTag } from '../agents/lab.ts'
import { BIN, CLEAN_ENV } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

test('init that is interrupted writes nothing, and says what it had tried', async () => {
  const root = tempFolder()
  const scripts = { test: 'sleep 612.7531' }
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'x', scripts }))
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args])
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-qm', 'start')
  const child = spawn(BIN, ['init', '--json'], {
    cwd: root,
    env: CLEAN_ENV,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  await expect.poll(() => withTag('sleep\x00612.7531').length).toBeGreaterThan(0)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(documentProblems(JSON.parse(stdout), ['init interrupted'])).toEqual([])
  expect(existsSync(join(root, 'bosun.yaml'))).toBe(false)
})
