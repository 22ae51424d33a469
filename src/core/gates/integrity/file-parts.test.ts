import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedParts } from './file-parts.ts'
import { protectionOf } from './protected-names.ts'

/** The protected parts that differ; `all` if the file cannot be parsed. */
function parts(path: string, before: string, after: string): readonly string[] | 'all' {
  const read = protectionOf(path)?.parts
  if (read === null || read === undefined) throw new Error(`${path} has no parts`)
  return changedParts(read, before.split('\n'), after.split('\n')) ?? 'all'
}
const pkg = (before: object, after: object) =>
  parts('package.json', JSON.stringify(before), JSON.stringify(after, null, 2))

describe('package.json', () => {
  test.each<[string, object, object, readonly string[]]>([
    ['a script', { scripts: { test: 'vitest' } }, { scripts: { test: 'true' } }, ['scripts.test']],
    ['a new script', {}, { scripts: { pretest: 'x' } }, ['scripts.pretest']],
    ['settings of the runner', { jest: { bail: 1 } }, { jest: { bail: 0 } }, ['jest']],
    ['settings of the linter', {}, { eslintConfig: {} }, ['eslintConfig']],
    ['overrides', {}, { overrides: { chai: 'npm:fake@1' } }, ['overrides']],
    ['patches', {}, { pnpm: { patchedDependencies: { a: 'b' } } }, ['pnpm.patchedDependencies']],
    [
      'a judge of its own',
      { devDependencies: { vitest: '^1' } },
      { devDependencies: { vitest: 'file:./fake' } },
      ['devDependencies.vitest'],
    ],
  ])('%s decides', (_, before, after, names) => {
    expect(pkg(before, after)).toEqual(names)
  })

  test('dependencies, versions and the rest do not', () => {
    const before = {
      name: 'a',
      version: '1',
      dependencies: { a: '1' },
      devDependencies: { vitest: '^1.0.0' },
    }
    const after = {
      version: '2',
      dependencies: { a: '2', b: 'file:../b' },
      devDependencies: { vitest: '>=2 <3 || ^4', jest: 'latest', '@vitest/ui': 'workspace:*' },
      engines: {},
    }
    expect(pkg(before, after)).toEqual([])
  })

  test('how it is written does not', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.nat(4), (scripts, indent) => {
        const manifest = { name: 'a', scripts, jest: scripts }
        const text = JSON.stringify(manifest)
        expect(parts('package.json', text, JSON.stringify(manifest, null, indent))).toEqual([])
      }),
    )
  })

  test('one that cannot be read is protected whole', () => {
    expect(parts('package.json', '{}', '{ // comment\n}')).toBe('all')
    expect(parts('package.json', '{}', '[]')).toBe('all')
  })
})

const PYPROJECT = `[project]
name = "a"
dependencies = ["x"]

[tool.pytest.ini_options] # how tests run
addopts = "-q"
testpaths = """
[project]
tests
"""

[tool.poetry]
version = "1"
`

describe('sections', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['addopts = "-q"', 'addopts = "-q -k fast"', 'in pytest', ['tool.pytest.ini_options']],
    ['[project]\ntests', '[project]\nnone', 'in a text of pytest', ['tool.pytest.ini_options']],
    ['[tool.poetry]', '[tool.ruff.lint]\nignore = ["E"]\n[tool.poetry]', 'in a new one', ['tool.ruff.lint']],
    ['dependencies = ["x"]', 'dependencies = ["x", "y"]', 'in dependencies', []],
    ['version = "1"', 'version = "2"', 'in the version', []],
    ['addopts = "-q"', '# why\n\naddopts = "-q"', 'in comments', []],
  ])('of pyproject.toml: %s becomes %s, a change %s', (from, to, _, names) => {
    expect(parts('pyproject.toml', PYPROJECT, PYPROJECT.replace(from, to))).toEqual(names)
  })

  test.each<[string, string, string, readonly string[]]>([
    ['pyproject.toml', '', 'tool.mypy.strict = false', ['tool.mypy.strict']],
    ['pyproject.toml', '', '["tool"."pytest"]\na = 1', ['tool.pytest']],
    [
      'setup.cfg',
      '[tool:pytest]\na=1\n[metadata]\nv=1',
      '[tool:pytest]\na=2\n[metadata]\nv=2',
      ['tool:pytest'],
    ],
    ['setup.cfg', '[flake8]\nmax=1', '', ['flake8']],
    ['Cargo.toml', '[dependencies]\na="1"', '[dependencies]\na="2"', []],
    ['Cargo.toml', '', '[profile.test]\ndebug-assertions = false', ['profile.test']],
    ['Cargo.toml', '[lib]\nname="a"', '[lib]\nname="b"\ntest = false', ['lib.test']],
    ['Cargo.toml', '', '[lints.clippy]\nall = "allow"', ['lints.clippy']],
    ['deno.json', '{"imports":{}}', '{"imports":{"a":"b"},"tasks":{"test":"true"}}', ['tasks']],
  ])('of %s: %j to %j', (path, before, after, names) => {
    expect(parts(path, before, after)).toEqual(names)
  })
})

describe('programs', () => {
  const make = 'build:\n\tcc a.c\n\ntest: build\n\t./run\n'
  test.each<[string, string, string, readonly string[]]>([
    ['Makefile', make, make.replace('./run', './run || true'), ['test']],
    ['Makefile', make, make.replace('cc a.c', 'cc a.c b.c'), []],
    ['Makefile', make, `SHELL = /bin/true\n${make}`, ['SHELL']],
    ['Makefile', make, `${make}clean:\n\trm -f a\n`, []],
    ['Makefile', make, `CFLAGS := -O2\n${make}`, []],
    ['justfile', 'lint:\n  ruff check\n', 'lint:\n  true\n', ['lint']],
    ['CMakeLists.txt', 'add_test(a a)', 'add_test(a a)\nadd_test(b b)', []],
    ['CMakeLists.txt', 'add_test(a a)\nadd_test(b b)', 'add_test(b b)', ['without add_test(a a)']],
    ['CMakeLists.txt', 'add_library(a)', 'add_library(a b)', []],
    [
      'CMakeLists.txt',
      '',
      'set_tests_properties(a PROPERTIES DISABLED TRUE)',
      ['set_tests_properties(a PROPERTIES DISABLED TRUE)'],
    ],
    ['pom.xml', '', '<skipTests>true</skipTests>', ['<skipTests>true</skipTests>']],
    ['pom.xml', '', '<dependency>a</dependency>', []],
    ['build.gradle', '', 'test { ignoreFailures = true }', ['test { ignoreFailures = true }']],
    ['build.gradle.kts', '', 'implementation("a:b:1")', []],
    ['go.mod', 'require a v1', 'require a v2\nreplace a => ./a', ['replace a => ./a']],
    ['go.mod', 'require a v1', 'require a v2', []],
    ['vite.config.ts', 'plugins: [a()]', 'plugins: [b()]', []],
    ['vite.config.ts', '', "test: { exclude: ['**/*'] }", ["test: { exclude: ['**/*'] }"]],
  ])('%s: %j to %j', (path, before, after, names) => {
    expect(parts(path, before, after)).toEqual(names)
  })
})

test('no text makes a reader fail or take long', () => {
  const paths = [
    'package.json',
    'deno.json',
    'pyproject.toml',
    'setup.cfg',
    'Cargo.toml',
    'Makefile',
    'pom.xml',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.string({ unit: 'binary' }), (path, text) => {
      expect(parts(path, text, text) === 'all' || parts(path, text, text).length === 0).toBe(true)
    }),
  )
})
