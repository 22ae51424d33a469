/** dist/load-bundle.cjs keeps compiled code between runs; what it keeps changes how long a run takes and nothing else. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bosun, copyDist, ROOT } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const plan = join(ROOT, 'examples/todo-api-plan.md')

/** A copy of the bundle that has kept nothing yet. */
function install(name: string) {
  const dist = join(folder, name)
  copyDist(dist)
  const kept = join(dist, '.cache', `${process.version}-${process.arch}`)
  return {
    dist,
    kept,
    files: () => readdirSync(kept).sort(),
    run: (...args: string[]) => bosun([join(dist, 'bosun.cjs'), ...args], { command: process.execPath }),
  }
}

test('the compiled code of every chunk that ran is cached once, complete', async () => {
  const { dist, files, run } = install('fresh')
  const first = await run('plan', plan)
  expect(first).toMatchObject({ exit: 0, stderr: '' })
  const chunks = files()
  expect(chunks.length).toBeGreaterThan(3)
  expect(readdirSync(dist)).toEqual(expect.arrayContaining(chunks))
  expect(await run('plan', plan)).toEqual(first)
  expect(files()).toEqual(chunks)
})

test('cached code that does not match is ignored and replaced', async () => {
  const { files, kept, run } = install('unfit')
  const first = await run('plan', plan)
  const sizes = () => files().map((name) => readFileSync(join(kept, name)).length)
  const before = sizes()
  for (const [index, name] of files().entries()) {
    const file = join(kept, name)
    writeFileSync(file, index % 2 === 0 ? 'not code' : readFileSync(file).subarray(0, 1000))
  }
  expect(await run('plan', plan)).toEqual(first)
  expect(sizes().every((size, index) => size > (before[index] ?? 0) / 2)).toBe(true)
})

test('commands work where the cache is not writable', async () => {
  const { dist, run } = install('unwritable')
  writeFileSync(join(dist, '.cache'), 'a file in the place of the folder')
  const first = await run('plan', plan)
  expect(first).toMatchObject({ exit: 0, stderr: '' })
  expect(await run('plan', plan)).toEqual(first)
})

test('concurrent runs write the same cache', async () => {
  const { files, run } = install('crowd')
  const runs = await Promise.all(Array.from({ length: 6 }, () => run('plan', plan)))
  expect(new Set(runs.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(files().filter((name) => !name.endsWith('.cjs'))).toEqual([])
  expect((await run('plan', plan)).stdout).toBe(runs[0]?.stdout)
})
