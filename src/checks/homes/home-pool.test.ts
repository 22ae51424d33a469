import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HomePool, type GateHome } from './home-pool.ts'

const isRoot = process.getuid?.() === 0
let homes: HomePool
beforeEach(() => {
  homes = new HomePool(1)
})
afterEach(() => homes.close())

function run({ home, folder }: GateHome, script: string): string {
  const done = spawnSync('sh', ['-c', script], { env: { PATH: process.env['PATH'], HOME: home, F: folder } })
  expect(done.status).toBe(0)
  return done.stdout.toString()
}

test('an unchanged home is reused', async () => {
  const first = homes.take()
  run(first, 'git config --global user.name && ls -A "$HOME" "$F"')
  await homes.giveBack(first)
  expect(homes.take()).toEqual(first)
  await homes.giveBack(first)
})

describe('a home is not reused', () => {
  test.each([
    ['in which something was left', 'echo 1 > "$HOME/left"'],
    ['beside which something was left', 'echo 1 > "$F/left"'],
    ['whose settings are others', 'git config --global core.pager evil'],
    ['whose settings have another name elsewhere', 'ln "$HOME/.gitconfig" "$F/../$(basename "$F")-link"'],
    ['whose settings others may write', 'chmod 666 "$HOME/.gitconfig"'],
    ['whose settings are a link', 'cd "$HOME" && mv .gitconfig "$F/c" && ln -s "$F/c" .gitconfig'],
    ['whose settings are gone', 'rm "$HOME/.gitconfig"'],
    ['that others may enter', 'chmod 755 "$HOME"'],
    ['that lies where others may enter', 'chmod 755 "$F"'],
    ['that is a link', 'mv "$HOME" "$F-moved" && ln -s "$F-moved" "$HOME"'],
    ['that is gone', 'rm -r "$HOME"'],
    ['in which something was for a while', 'touch "$HOME/x" && rm "$HOME/x"'],
    ['beside which something was for a while', 'touch "$F/x" && rm "$F/x"'],
    ['whose settings were set to another time', 'touch -d @1 "$HOME/.gitconfig"'],
    ['that was set to another time', 'touch -d @1 "$HOME"'],
    ['that lies in what was set to another time', 'touch -d @1 "$F"'],
  ])('%s', async (_, script) => {
    const first = homes.take()
    run(first, script)
    await homes.giveBack(first)
    expect(existsSync(first.folder)).toBe(false)
    const next = homes.take()
    expect(next).not.toEqual(first)
    expect(run(next, 'ls -A "$HOME" "$F"; git config --global --list')).toContain('user.name=Gate')
    await homes.giveBack(next)
    run(first, 'rm -rf "$F-moved" "$F-link"')
  })
})

test('files put into an unused home are not passed on', async () => {
  const first = homes.take()
  await homes.giveBack(first)
  run(first, 'echo 1 > "$HOME/late"')
  const next = homes.take()
  expect(next).not.toEqual(first)
  await expect.poll(() => existsSync(first.folder)).toBe(false)
  await homes.giveBack(next)
})

test('no more are kept than were asked for, and none after the end', async () => {
  const [one, other, late] = [homes.take(), homes.take(), homes.take()]
  await homes.giveBack(one)
  await homes.giveBack(other)
  expect([one, other].map(({ folder }) => existsSync(folder))).toEqual([true, false])
  await homes.close()
  await homes.giveBack(late)
  expect([one, late].map(({ folder }) => existsSync(folder))).toEqual([false, false])
})

test('settings that were blown up are not read', async () => {
  const first = homes.take()
  run(first, 'truncate -s 1000000000 "$HOME/.gitconfig"')
  const before = process.resourceUsage().maxRSS
  await homes.giveBack(first)
  expect(existsSync(first.folder)).toBe(false)
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000)
})

/** Takes a home, has something done there and gives it back, in a process that may do no more than any user. */
function giveBackAsUser(script: string, capabilities: readonly string[]): string {
  const program = `
    import { spawnSync } from 'node:child_process'
    import { HomePool } from ${JSON.stringify(join(import.meta.dirname, 'home-pool.ts'))}
    const homes = new HomePool(1)
    const own = homes.take()
    spawnSync('sh', ['-c', ${JSON.stringify(script)}], { env: { ...process.env, HOME: own.home } })
    await homes.giveBack(own)
    process.stdout.write(own.folder)`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const without = `--bounding-set=${capabilities.map((name) => `-${name}`).join(',')}`
  const [file = '', ...args] = isRoot ? ['setpriv', without, ...node] : node
  const done = spawnSync(file, args, { encoding: 'utf8' })
  expect(done.stderr).toBe('')
  return done.stdout
}

test('a folder that a gate made unreadable is removed', () => {
  const folder = giveBackAsUser('mkdir -p "$HOME/a/b" && touch "$HOME/a/b/c" && chmod -R a-w "$HOME/a"', [
    'dac_override',
    'dac_read_search',
  ])
  expect(existsSync(folder)).toBe(false)
})

test.runIf(isRoot)("what is another user's now is left, and gives no trouble", () => {
  const folder = giveBackAsUser('mkdir "$HOME/a" && touch "$HOME/a/b" && chown -R 65534 "$HOME/a"', [
    'dac_override',
    'dac_read_search',
    'fowner',
  ])
  expect(existsSync(folder)).toBe(true)
  rmSync(folder, { recursive: true })
})
