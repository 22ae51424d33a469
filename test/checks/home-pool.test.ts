import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HomeCaches } from '../../src/checks/gate-homes.ts'
import { aBench, BASE, WORK } from './gate-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

/** A home that a worker could have written to. */
function aHome(): string {
  const home = tempFolder('home')
  mkdirSync(join(home, '.cargo'))
  writeFileSync(join(home, '.gitconfig'), '[core]\n\thooksPath = /evil\n')
  return home
}
const benchWith = (home: string, environment: object) =>
  aBench(undefined, {
    processEnv: {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      GOCACHE: join(home, 'go'),
    },
    environment,
  })

test('gates read and write no settings and caches of the user, but find their tools', async () => {
  const home = aHome()
  const lint = [
    `test "$HOME" != "${home}"`,
    'test -d "$HOME"',
    `case "$XDG_CACHE_HOME" in "${home}"*) exit 3;; esac`,
    'test -z "$GOCACHE"',
    `test "$CARGO_HOME" = "${home}/.cargo"`,
    'test -z "$(git config --global core.hooksPath)"',
    'echo left > "$HOME/left"',
  ].join(' && ')
  expect(await benchWith(home, { lint }).gate('lint')).toMatchObject({ outcome: 'passed' })
  expect(existsSync(join(home, 'left'))).toBe(false)
})

test('files that a gate run leaves in its home are gone for the next', async () => {
  const bench = benchWith(aHome(), { lint: 'test ! -e "$HOME/left" && echo left > "$HOME/left"' })
  expect((await bench.gate('lint')).outcome).toBe('passed')
  expect((await bench.gate('lint')).outcome).toBe('passed')
})

test('a command that deletes its temporary folder does not affect the next', async () => {
  const typecheck = 'mktemp && git config --global user.name'
  for (const lint of ['rm -rf "$TMPDIR"', 'rm -rf "$TMPDIR"/*'])
    expect(await benchWith(aHome(), { lint, typecheck }).gate('lint_typecheck'), lint).toMatchObject({
      outcome: 'passed',
    })
})

test('a link in place of the home is not written through', async () => {
  const home = aHome()
  rmSync(join(home, '.gitconfig'))
  const put = (what: string) => ({ lint: `rm -rf ${what} && ln -s "${home}" ${what}`, typecheck: 'true' })
  for (const what of ['"$HOME"', '"$TMPDIR"'])
    expect((await benchWith(home, put(what)).gate('lint_typecheck')).outcome).toBe('passed')
  expect(readdirSync(home)).toEqual(['.cargo'])
})

test('the set-up finds the keys of the user', async () => {
  const home = aHome()
  const bench = benchWith(home, { setup: 'echo set-up > "$HOME/asked"', lint: 'exit 0' })
  expect((await bench.gate('lint')).outcome).toBe('passed')
  expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('set-up\n')
})

test('compiled files in the checkout stay what the tree has', async () => {
  const tree = { ...WORK, 'a.py': 'x = 1\n' }
  const lint = 'python3 -c "import a" && test ! -e __pycache__'
  const bench = aBench({ base: BASE, tree }, { environment: { lint } })
  expect(await bench.gate('lint')).toMatchObject({ outcome: 'passed' })
})

test('gates begin with what compilers kept while the baseline was taken, and pass nothing on', async () => {
  const folder = aHome()
  const lint =
    'mkdir -p "$HOME/.cache/ccache" && echo run >> "$HOME/.cache/ccache/runs" && cat "$HOME/.cache/ccache/runs"'
  const bench = aBench(undefined, {
    environment: { lint },
    homeCaches: new HomeCaches(join(folder, 'caches')),
  })
  const seen = async () => (await bench.gate('lint')).evidence.runs[0]?.keyLines
  expect(await seen()).toEqual(['run'])
  const quiet = new AbortController().signal
  await bench.runner.takeBaseline({ tree: 'base', tasks: [], inTree: () => null, textOf: () => null }, quiet)
  expect([await seen(), await seen()]).toEqual([
    ['run', 'run'],
    ['run', 'run'],
  ])
})
