/** What Go keeps between gates: compiled code, but no result of a test. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expireTestResults, HomeCaches } from '../../src/checks/gate-homes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const hasGo = spawnSync('go', ['version']).status === 0

test.skipIf(!hasGo)(
  'a test that Go remembers as passed runs again, with what was compiled for it',
  async () => {
    const folder = tempFolder('go')
    const caches = new HomeCaches(join(folder, 'kept'))
    const aHome = (name: string, files: Readonly<Record<string, string>> = {}): string => {
      const home = join(folder, name)
      mkdirSync(home)
      for (const [path, text] of Object.entries(files)) writeFileSync(join(home, path), text)
      return home
    }
    const code = aHome('code', {
      'go.mod': 'module example.org/a\n\ngo 1.19\n',
      'a_test.go': 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    })
    const tests = (home: string): string => {
      const { XDG_CACHE_HOME: _, GOCACHE: __, ...env } = process.env
      return spawnSync('go', ['test', './...'], { cwd: code, env: { ...env, HOME: home } }).stdout.toString()
    }
    const base = aHome('base')
    expect(tests(base)).not.toContain('(cached)')
    expect(tests(base)).toContain('(cached)')
    await caches.keep(base)
    const home = aHome('one')
    await caches.give(home)
    expect(existsSync(join(home, '.cache/go-build/00'))).toBe(true)
    for (let times = 0; times < 2; times++) {
      expireTestResults(home)
      expect(tests(home)).toMatch(/^ok\s+example\.org\/a\s+[\d.]+s\n$/)
    }
  },
)
