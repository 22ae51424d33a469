import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { performAttempt, parseScript } from './scripted-main.ts'
import type { Attempt } from '../../core/dry-run/crew-script.ts'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'bosun-attempt-'))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

async function perform(attempt: Partial<Attempt>) {
  const printed: string[] = []
  const env = { PATH: process.env['PATH'], BOSUN_REPORT: join(cwd, 'report.json') }
  const around = { cwd, env, print: (text: string) => printed.push(text), brief: () => '' }
  const exit = await performAttempt({ steps: [], report: null, exit: 0, ...attempt }, around)
  return { exit, printed: printed.join('') }
}

test('writes, edits, runs and removes, in this order', async () => {
  const { exit, printed } = await perform({
    steps: [
      { write: { 'src/a.js': 'const a = 1\n', 'src/b.js': '' } },
      { edit: { file: 'src/a.js', find: '1', replace: '$&2' } },
      { run: 'cat src/a.js; ls src' },
      { delete: ['src/b.js', 'never'] },
      { run: 'ls src' },
    ],
  })
  expect([exit, printed]).toEqual([0, 'const a = $&2\na.js\nb.js\na.js\n'])
})

test('stops at the first step that fails', async () => {
  await writeFile(join(cwd, 'c.js'), 'x')
  const wrong = { edit: { file: 'c.js', find: 'y', replace: '' } }
  const { exit, printed } = await perform({ steps: [wrong, { print: 'never' }] })
  expect(exit).toBe(1)
  expect(printed).toBe(`${join(cwd, 'c.js')} does not contain "y"\n`)
  expect((await perform({ steps: [{ run: 'exit 4' }] })).exit).toBe(1)
})

test('writes the report of its script, valid or not', async () => {
  await perform({ report: { explanation: 'e' } })
  expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toEqual({ explanation: 'e' })
  expect((await perform({ report: '{ broken', exit: 3 })).exit).toBe(3)
  expect(await readFile(join(cwd, 'report.json'), 'utf8')).toBe('{ broken')
})

test('an invalid script is refused with its line', () => {
  expect(parseScript('tasks:\n  "1":\n    - steps: [{ writ: {} }]\n')).toMatchObject({
    ok: false,
    why: expect.stringMatching(/^line 3: tasks\.1\.0\.steps\.0/),
  })
  expect(parseScript('tasks: [')).toMatchObject({ ok: false, why: expect.stringMatching(/^line 1: /) })
  expect(parseScript('')).toEqual({ ok: true, script: { tasks: {}, reviews: {}, stand_in: 'empty' } })
})
