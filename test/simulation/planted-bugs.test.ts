/** Tests the simulator: it finds bugs planted in a copy of the rules, and none in the rules themselves. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const SEEDS = 500
const FINDER = 'test/fixtures/simulation/find-violation.ts'

let scratch = ''
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'bosun-planted-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Copies the rules and their dependencies into a folder. */
async function copyOfRules(name: string): Promise<string> {
  const folder = join(scratch, name)
  for (const part of ['core', 'ports', 'engine', 'simulation', 'store', 'lib']) {
    await cp(join(ROOT, 'src', part), join(folder, 'src', part), { recursive: true })
  }
  await cp(join(ROOT, FINDER), join(folder, FINDER))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

async function plant(folder: string, bug: PlantedBug): Promise<void> {
  for (const { file, find, replace } of bug.edits) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    expect(text.split(find).length - 1, `${file} has the place to plant it`).toBe(1)
    await writeFile(
      path,
      text.replace(find, () => replace),
    )
  }
}

/** The first seed that breaks a rule, or null. */
async function firstViolation(folder: string): Promise<{ seed: number; what: string } | null> {
  const { stdout } = await run(process.execPath, [join(folder, FINDER), '1', String(SEEDS)], { cwd: folder })
  return JSON.parse(stdout) as { seed: number; what: string } | null
}

describe.concurrent('the simulator', { timeout: 120_000 }, () => {
  test(`finds no violation in the unchanged rules in ${SEEDS} seeds`, async () => {
    expect(await firstViolation(await copyOfRules('as-they-are'))).toBeNull()
  })

  test.each(PLANTED_BUGS)(`finds within ${SEEDS} seeds: $name`, async (bug) => {
    const folder = await copyOfRules(bug.name.replaceAll(/\W+/g, '-'))
    await plant(folder, bug)
    const found = await firstViolation(folder)
    expect(found, 'a violation was found').not.toBeNull()
    // The first seed and the violation, for debugging.
    process.stdout.write(`seed ${found?.seed}: ${bug.name} — ${found?.what}\n`)
  })
})
