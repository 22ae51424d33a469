/** Tests the simulator: it finds bugs planted in a copy of the rules, and none in the rules themselves. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown, type Plugin } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const SEEDS = 500
/** In parts, since all of them in one process would take longest by far. */
const PARTS = [1, 101, 201, 301, 401].map((from) => [from, from + 99] as const)
const FINDER = join(ROOT, 'test/fixtures/simulation/find-violation.ts')

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'bosun-planted-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** A copy of the rules and of what they need, in one file: the program that looks for a violation. */
async function copyOfRules(name: string, edits: PlantedBug['edits'] = []): Promise<string> {
  const planted = new Set<string>()
  const planting: Plugin = {
    name: 'planting',
    load: async (id) => {
      const here = edits.filter(({ file }) => join(ROOT, file) === id)
      if (here.length === 0) return null
      let text = await readFile(id, 'utf8')
      for (const { file, find, replace } of here) {
        expect(text.split(find).length - 1, `${file} has the place to plant it`).toBe(1)
        text = text.replace(find, () => replace)
        planted.add(file)
      }
      return text
    },
  }
  const bundle = await rolldown({ input: FINDER, platform: 'node', cwd: ROOT, plugins: [planting] })
  const file = join(scratch, `${name.replaceAll(/\W+/g, '-')}.mjs`)
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  expect([...planted].toSorted(), 'the program loads what was changed').toEqual(
    [...new Set(edits.map((edit) => edit.file))].toSorted(),
  )
  return file
}

/** The first seed that breaks a rule, or null. */
async function firstViolation(
  program: string,
  from = 1,
  to = SEEDS,
): Promise<{ seed: number; what: string } | null> {
  const { stdout } = await run(process.execPath, [program, String(from), String(to)], { cwd: scratch })
  return JSON.parse(stdout) as { seed: number; what: string } | null
}

describe.concurrent('the simulator', { timeout: 120_000 }, () => {
  test.each(PARTS)('finds no violation in the unchanged rules in seeds %i to %i', async (from, to) => {
    expect(await firstViolation(await copyOfRules(`as-they-are ${from}`), from, to)).toBeNull()
  })

  test.each(PLANTED_BUGS)(`finds within ${SEEDS} seeds: $name`, async (bug) => {
    const found = await firstViolation(await copyOfRules(bug.name, bug.edits))
    expect(found, 'a violation was found').not.toBeNull()
    // The first seed and the violation, for debugging.
    process.stdout.write(`seed ${found?.seed}: ${bug.name} — ${found?.what}\n`)
  })
})
