/** Tests the simulator: it finds bugs planted in a copy of the rules, and none in the rules themselves. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown, type Plugin } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import firstSeeds from './first-seeds.json' with { type: 'json' }
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const SEEDS = 500
/** Of the unchanged rules fewer: `npm run bench simulation` runs 500. In parts, since all in one process would take longest. */
const PARTS = [1, 101].map((from) => [from, from + 99] as const)
const FINDER = join(ROOT, 'test/fixtures/simulation/find-violation.ts')

/** The first seed that found each bug: tried first, all others only if it does not. */
const FOUND_BY: Readonly<Record<string, number>> = firstSeeds

let scratch = ''
let unchanged = ''
beforeAll(async () => {
  scratch = tempFolder('planted')
  unchanged = await copyOfRules('as-they-are')
})

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

interface Found {
  readonly seed: number
  readonly what: string
}

/** A seed that breaks a rule, or null where none of them does. */
async function violation(program: string, from: number, to: number, first = from): Promise<Found | null> {
  const args = [from, to, first].map(String)
  const { stdout } = await run(process.execPath, [program, ...args], { cwd: scratch })
  return JSON.parse(stdout) as Found | null
}

describe.concurrent('the simulator', { timeout: 600_000 }, () => {
  test.each(PARTS)('finds no violation in the unchanged rules in seeds %i to %i', async (from, to) => {
    expect(await violation(unchanged, from, to)).toBeNull()
  })

  test.each(PLANTED_BUGS)(`finds within ${SEEDS} seeds: $name`, async (bug) => {
    const first = FOUND_BY[bug.name]
    expect(first ?? 1, 'the seed of first-seeds.json is one of them').toBeLessThanOrEqual(SEEDS)
    const found = await violation(await copyOfRules(bug.name, bug.edits), 1, SEEDS, first)
    expect(found, 'a violation was found').not.toBeNull()
    // For debugging, and for first-seeds.json where that seed no longer finds it.
    process.stdout.write(`seed ${found?.seed}: ${bug.name} — ${found?.what}\n`)
  })
})
