/** `bosun plan`, seen from outside. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BIN, bosun, CLEAN_ENV } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()

const GOOD = `plan: todo
title: Todo
tasks:
  - { id: "1", title: Add slugify, files: { create: [src/slug.js] }, acceptance_criteria: ["slugs"], depends_on: [] }
  - { id: "2", title: Use slugify, files: { create: [src/use.js] }, acceptance_criteria: ["used"], depends_on: ["1"] }
`
const CYCLE = GOOD.replace('depends_on: []', 'depends_on: ["2"]')
const TWO_TASKS = '# Todo\n\n## Task 1: Add slugify\n\nWrite it.\n\n## Task 2: Use it\n\nUse it.\n'

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

interface PlanDocument {
  readonly schema: string
  readonly plan: { readonly id: string; readonly source: string }
  readonly tasks: readonly { readonly id: string; readonly title: string }[]
  readonly order: readonly string[]
  readonly problems: readonly { readonly severity: string; readonly line: number; readonly message: string }[]
}

async function documentOf(args: readonly string[], input?: string) {
  const run = await bosun(['plan', ...args, '--json'], {
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  })
  expect(run.stderr).toBe('')
  return { exit: run.exit, document: JSON.parse(run.stdout) as PlanDocument }
}

describe('a plan', () => {
  test('is shown with its tasks in execution order', async () => {
    file('todo.yaml', GOOD)
    const run = await bosun(['plan', 'todo.yaml'], { cwd: folder })
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(run.stdout).toMatch(/1 .*Add slugify[\s\S]*2 .*Use slugify/)
  })

  test('is one document with --json', async () => {
    const { exit, document } = await documentOf([file('doc.yaml', GOOD)])
    expect(exit).toBe(0)
    expect(document).toMatchObject({ schema: 'bosun.plan/v1', plan: { id: 'todo' }, order: ['1', '2'] })
    const keys = ['schema', 'plan', 'tasks', 'order', 'removed_steps', 'problems', 'questions']
    expect(Object.keys(document)).toEqual(keys)
  })

  test('is read from standard input', async () => {
    for (const text of [GOOD, TWO_TASKS]) {
      const { exit, document } = await documentOf(['-'], text)
      expect(exit).toBe(0)
      expect(document.tasks.map((task) => task.id)).toEqual(['1', '2'])
      expect(document.plan.source).toBe('-')
    }
  })

  test('is read from a pipe and through a link', async () => {
    symlinkSync(file('target.md', TWO_TASKS), join(folder, 'link.md'))
    expect((await documentOf(['link.md'])).document.tasks.length).toBe(2)
    const line = `"$BIN" plan <(cat target.md) --json`
    const run = await bosun(['-c', line], { command: '/bin/bash', cwd: folder, env: { BIN } })
    expect((JSON.parse(run.stdout) as PlanDocument).tasks.length).toBe(2)
  })

  test('with an error exits with 1 and is still printed', async () => {
    const path = file('cycle.yaml', CYCLE)
    const { exit, document } = await documentOf([path])
    expect(exit).toBe(1)
    expect(document.tasks.length).toBe(2)
    expect(document.problems.map((problem) => problem.severity)).toContain('error')
    const run = await bosun(['plan', 'cycle.yaml'], { cwd: folder })
    expect(run.exit).toBe(1)
    expect(run.stdout).toMatch(/^cycle\.yaml:\d+: error: cycle 1 → 2 → 1$/m)
  })
})

describe('an unreadable plan', () => {
  test('exits with not found for a missing file', async () => {
    const run = await bosun(['plan', 'nowhere.md'], { cwd: folder })
    expect(run).toMatchObject({ exit: 3, stdout: '' })
    expect(run.stderr).toMatch(/^error: .*nowhere\.md/)
    const json = await bosun(['plan', 'nowhere.md', '--json'], { cwd: folder })
    expect(json.exit).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'not_found' } })
  })

  test('is refused if it is a directory or a binary file', async () => {
    mkdirSync(join(folder, 'plans'))
    file('binary.md', Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255))
    for (const path of ['plans', 'binary.md']) {
      const run = await bosun(['plan', path], { cwd: folder })
      expect(run, path).toMatchObject({ exit: 2, stdout: '' })
      expect(run.stderr, path).toContain(path)
    }
  })

  test('has an error if it is empty', async () => {
    const { exit, document } = await documentOf([file('empty.md', '')])
    expect(exit).toBe(1)
    expect(document.problems.length).toBe(1)
  })

  test('with invalid settings lists all of them by file, line and key', async () => {
    execFileSync('git', ['init', '-q', join(folder, 'shop')])
    mkdirSync(join(folder, 'shop/deep'))
    writeFileSync(join(folder, 'shop/bosun.yaml'), 'pm:\n  max_paralel_agents: 3\napproval: never\n')
    writeFileSync(join(folder, 'shop/todo.yaml'), GOOD)
    const run = await bosun(['plan', '../todo.yaml'], { cwd: join(folder, 'shop/deep') })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toContain(
      'bosun.yaml:2: error: unknown key pm.max_paralel_agents\n  Did you mean pm.max_parallel_agents?\n',
    )
    expect(run.stderr).toContain('bosun.yaml:3: error: approval ')
    const json = await bosun(['plan', '../todo.yaml', '--json'], { cwd: join(folder, 'shop/deep') })
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'failed', problems: [{ line: 2 }, { line: 3 }] },
    })
  })
})

describe('a hostile plan', () => {
  const ESC = '\u001b'
  const hostile = `plan: evil\ntasks:\n  - id: "1"\n    title: "a\\e[2Jb\\e]0;owned\\ac\\u009b31md\\u202ee\\rf"\n    files: { create: [x] }\n`

  test('cannot send escape sequences to the terminal, nor into JSON', async () => {
    const path = file('evil.yaml', hostile)
    for (const env of [{}, { FORCE_COLOR: '1' }]) {
      const run = await bosun(['plan', path], { cwd: folder, env })
      const withoutColours = run.stdout.replaceAll(/\u001b\[[\d;]*m/g, '')
      expect(withoutColours).not.toContain(ESC)
      expect(withoutColours).not.toMatch(/[\u0080-\u009f\u202e\r\u0007]/)
    }
    const json = await bosun(['plan', path, '--json'], { cwd: folder })
    expect(json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('cannot send escape sequences through its file name', async () => {
    const run = await bosun(['plan', `x${ESC}[2J.md`], { cwd: folder })
    expect(run.exit).toBe(3)
    expect(run.stderr).not.toContain(ESC)
  })
})

test('Ctrl-C while bosun plan waits for input exits with 130', async () => {
  const child = spawn(BIN, ['plan', '-'], { cwd: folder, env: CLEAN_ENV })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // More than a pipe holds: once it is written, it is being read.
  await new Promise<void>((resolve) => child.stdin.write(TWO_TASKS.repeat(20_000), () => resolve()))
  child.kill('SIGINT')
  const [exit] = (await once(child, 'exit')) as [number | null]
  expect(exit).toBe(130)
  expect(stderr).toBe('')
})
