import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtEnvironment } from './built-environment.ts'
import { detectCgroup, type Containment } from './containment.ts'
import { processRows, rowFromProc } from './processes.ts'
import { killTree } from './process-tree.ts'
import { spawnContained } from './spawn-contained.ts'

const cgroup = await detectCgroup()
const kinds: Readonly<Record<string, Containment>> = {
  group: { kind: 'group' },
  ...(cgroup === null ? {} : { 'control group': { kind: 'group', cgroup } }),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-tree-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Waits for a signal, then leaves two children behind and ends. */
const LEAVES_CHILDREN = 'echo $$ > "$0.pid"; read go < "$0"; sleep "$1" & sleep "$1" &'
let started = 0

async function startTree(containment: Containment, before: readonly string[]) {
  const door = join(folder, `door-${++started}`)
  execFileSync('mkfifo', [door])
  const seconds = String(100_000 + Math.floor(Math.random() * 800_000))
  const command = [...before, '/bin/sh', '-c', LEAVES_CHILDREN, door, seconds]
  const env = builtEnvironment(process.env)
  const spawned = await spawnContained({ command, cwd: folder, env, containment })
  if (!spawned.ok) throw new Error(spawned.why)
  await expect.poll(() => pidIn(`${door}.pid`)).toBeGreaterThan(0)
  return { tree: spawned.tree, door, seconds, parent: pidIn(`${door}.pid`) }
}

function pidIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    // Not written yet.
    return 0
  }
}

/** Ends it after everything was listed, so that its children are in no list and it is in none any more. */
function listThenEnd(door: string, parent: number) {
  let isEnded = false
  return () => {
    const rows = processRows()
    if (isEnded) return rows
    isEnded = true
    writeFileSync(door, 'go\n')
    while (rowFromProc(parent)?.isZombie === false) {
      // Until it has ended: nothing else may happen meanwhile.
    }
    return rows
  }
}

const sleepers = (seconds: string) =>
  processRows().filter((row) => !row.isZombie && commandOf(row.pid) === `sleep\0${seconds}\0`)

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    // It has ended.
    return ''
  }
}

for (const [kind, containment] of Object.entries(kinds)) {
  describe(`in a ${kind}`, () => {
    test.each([
      ['the leader itself', []],
      ['something that left its session', ['/bin/sh', '-c', 'setsid "$@" & exit', 'sh']],
    ])('children are found whose parent ends while it is looked for: %s', async (_, before) => {
      const { tree, door, seconds, parent } = await startTree(containment, before)
      expect(await killTree(tree, listThenEnd(door, parent))).toEqual([])
      expect(sleepers(seconds)).toEqual([])
    })
  })
}
