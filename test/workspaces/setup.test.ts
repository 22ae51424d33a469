/** Set-ups of workers' workspaces that fail, hang, are cut short or outlive their Bosun. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { processRows } from '../../src/lib/process/processes.ts'
import { dependencyKey } from '../../src/workspaces/clones/dependencies.ts'
import { NeedsPerson, WorkspaceNotReady } from '../../src/ports/workspace.ts'
import { aBench, dep, draft, NPM, read, SECRET } from './provisioned-bench.ts'
import { NOW, write } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

describe('a set-up that does not work', () => {
  test('says how it ended and where its full output is, and its result is not reused', async () => {
    const bench = await aBench({ setup: 'echo "error: no registry" >&2; exit 3' })
    const failed = await bench.prepare('w-shop-1-1').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(WorkspaceNotReady)
    const { message } = failed as Error
    expect(message).toMatch(/set-up `.*` exited with 3: error: no registry \(full output: .*\.txt\)$/)
    expect(read(/full output: (.*)\)$/.exec(message)?.[1] ?? '')).toBe('error: no registry\n')
    await expect(bench.prepare('w-shop-2-1')).rejects.toThrow(WorkspaceNotReady)
    expect(bench.installs()).toBe(2)
    expect(await bench.lab.clones.find('w-shop-1-1')).toBeNull()
    expect(globSync('clones/*/.env', { cwd: bench.lab.state })).toEqual([])
  })

  test('works the next time, in the same folder', async () => {
    const bench = await aBench({ setup: `test -e ${join(tempFolder(), 'net')} || exit 1; ${NPM}` })
    await expect(bench.prepare('w-shop-1-1')).rejects.toThrow(WorkspaceNotReady)
    const text = bench.provisioning.environment.setup as string
    writeFileSync(/test -e (\S+)/.exec(text)?.[1] ?? '', '')
    expect(read(dep(await bench.prepare('w-shop-1-1')))).toBe('fresh\n')
    expect(await bench.lab.clones.workers()).toEqual(['w-shop-1-1'])
  })

  test('because its program is missing needs a person', async () => {
    const bench = await aBench({ setup: 'no-such-program-here' })
    await expect(bench.prepare('w-shop-1-1')).rejects.toThrow(NeedsPerson)
  })

  test('in time is ended with all it started', async () => {
    const tag = String(300_000_000 + process.pid)
    const bench = await aBench({ setup: `sleep ${tag} & sleep ${tag}`, timeoutMs: 300 })
    await expect(bench.prepare('w-shop-1-1')).rejects.toThrow('timed out after')
    expect(processRows().filter((row) => !row.isZombie && commandOf(row.pid).includes(tag))).toEqual([])
  })

  test('on a draft leaves its worker without dependencies, with a note', async () => {
    const bench = await aBench({
      setup: 'echo "error: bad manifest"; grep -q lockfileVersion package-lock.json',
    })
    const tree = await draft(bench.lab, { 'package-lock.json': 'broken\n' })
    const clone = await bench.prepare('w-shop-1-2', { tree })
    expect(clone.placed.record.notes.at(-1)).toMatch(
      /^Dependencies are missing: .*exited with 1: error: bad manifest/,
    )
    expect(read(join(clone.path, '.env'))).toBe(SECRET)
  })

  test('that is interrupted stops, leaves no env file, and can run again', async () => {
    const started = join(tempFolder(), 'started')
    const bench = await aBench({ setup: `test -e ${started} || { touch ${started}; sleep 600; }; ${NPM}` })
    const abort = new AbortController()
    const preparing = bench.prepare('w-shop-1-1', { signal: abort.signal })
    await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true)
    const releasing = bench.lab.clones.release('w-shop-1-1', NOW)
    abort.abort()
    await expect(preparing).rejects.toThrow('its set-up was interrupted')
    expect(await releasing).toEqual({ kind: 'free', salvage: null })
    expect(globSync('clones/*/.env', { cwd: bench.lab.state })).toEqual([])
    expect(read(dep(await bench.prepare('w-shop-1-1')))).toBe('fresh\n')
  })
})

test('without a lock file workers of one plan share what the manifests name, and another plan installs anew', async () => {
  const bench = await aBench({ files: { 'package.json': '{"dependencies":{"dep":"1"}}\n' } })
  await bench.prepare('w-shop-1-1')
  const second = await bench.prepare('w-shop-2-1')
  expect(read(dep(second))).toBe('fresh\n')
  expect(bench.installs()).toBe(1)
  expect(second.placed.record.notes.at(-1)).toMatch(
    /Reused from an earlier install, matched by package\.json \(there is no lock file\)\.$/,
  )
  const tree = await draft(bench.lab, { 'package.json': '{"dependencies":{"dep":"2"}}\n' })
  await bench.prepare('w-shop-2-2', { tree })
  expect(bench.installs()).toBe(2)
  const { quarantine, user } = bench.lab
  const key = async (plan: string) =>
    (await dependencyKey(quarantine, user.base.tree, { setup: 'npm install', plan }))?.hash
  expect(await key('shop')).not.toBe(await key('other'))
})

test('a set-up that outlived its Bosun is ended before the folder is used again', async () => {
  const bench = await aBench()
  await bench.prepare('w-shop-1-1')
  const note = join(bench.lab.state, 'private/clones/1/note.json')
  const { mark } = JSON.parse(read(note)) as { mark: string }
  renameSync(note, join(dirname(note), 'note.preparing'))
  const tag = String(400_000_000 + process.pid)
  const left = execFileSync('sh', ['-c', `sleep ${tag} >/dev/null 2>&1 & echo $!`], {
    env: { ...process.env, BOSUN_TREE: mark },
    encoding: 'utf8',
  })
  expect(commandOf(Number(left))).toContain(tag)
  write(join(bench.lab.state, 'clones/1'), { 'half-done': 'x' })
  const clone = await bench.again().prepare('w-shop-1-1')
  expect(commandOf(Number(left))).not.toContain(tag)
  expect(existsSync(join(clone.path, 'half-done'))).toBe(false)
  expect(read(dep(clone))).toBe('fresh\n')
})

test('a set-up has the ports of its worker', async () => {
  const bench = await aBench({
    setup: 'mkdir node_modules; echo $PORT $BOSUN_PORTS $BOSUN_PORT_2 > node_modules/ports',
  })
  const clone = await bench.prepare('w-shop-1-1', { ports: [4001, 4002] })
  expect(read(join(clone.path, 'node_modules/ports'))).toBe('4001 4001,4002 4002\n')
})

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
