import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const isRoot = process.getuid?.() === 0

/** Makes a home, has something done there and removes it, in a process that may do no more than any user. */
function removeAsUser(script: string, capabilities: readonly string[]): string {
  const program = `
    import { spawnSync } from 'node:child_process'
    import { makeHome, removeHome } from ${JSON.stringify(join(import.meta.dirname, 'gate-homes.ts'))}
    const own = makeHome()
    spawnSync('sh', ['-c', ${JSON.stringify(script)}], { env: { ...process.env, HOME: own.home } })
    await removeHome(own)
    process.stdout.write(own.folder)`
  const node = [process.execPath, '--input-type=module', '-e', program]
  const without = `--bounding-set=${capabilities.map((name) => `-${name}`).join(',')}`
  const [file = '', ...args] = isRoot ? ['setpriv', without, ...node] : node
  const done = spawnSync(file, args, { encoding: 'utf8' })
  expect(done.stderr).toBe('')
  return done.stdout
}

test('a folder that a gate made unreadable is removed', () => {
  const folder = removeAsUser('mkdir -p "$HOME/a/b" && touch "$HOME/a/b/c" && chmod -R a-w "$HOME/a"', [
    'dac_override',
    'dac_read_search',
  ])
  expect(existsSync(folder)).toBe(false)
})

test.runIf(isRoot)("what is another user's now is left, and gives no trouble", () => {
  const folder = removeAsUser('mkdir "$HOME/a" && touch "$HOME/a/b" && chown -R 65534 "$HOME/a"', [
    'dac_override',
    'dac_read_search',
    'fowner',
  ])
  expect(existsSync(folder)).toBe(true)
  rmSync(folder, { recursive: true })
})
