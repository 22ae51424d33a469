import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { dependenciesGate, newHosts } from './dependencies-gate.ts'
import { NPM_HOSTS } from './lock-readers.ts'

type Files = Readonly<Record<string, BeforeAfter>>

/** Files whose two sides are the same did not change, and are in the tree all the same. */
function judge(files: Files) {
  const now = new Map(
    Object.entries(files).flatMap(([path, [, after]]) => (after === null ? [] : [[path, after] as const])),
  )
  return dependenciesGate({
    change: aChange(files),
    tree: { has: (path) => now.has(path), text: (path) => now.get(path) ?? null },
    parseDocument: parseYamlText,
  })
}
const same = (text: string): BeforeAfter => [text, text]
const judgedText = (files: Files): string => {
  const { outcome, summary } = judge(files)
  return `${outcome}: ${summary}`
}

const REVIEW = 'passed: manifests and lock files agree; 1 for review'
const AGREE = 'passed: manifests and lock files agree'
const HASH = 'sha512-abc=='
const npm = (version: string, more: object = {}) => ({
  version,
  resolved: `https://packages.example.org/a/-/a-${version}.tgz`,
  integrity: HASH,
  ...more,
})
const manifest = (dependencies: object, more: object = {}) =>
  JSON.stringify({ name: 'shop', dependencies, ...more })
const npmLock = (dependencies: object, packages: object) =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies }, ...packages } })
const A1 = { a: '^1.0.0' }
const LOCK1 = npmLock(A1, { 'node_modules/a': npm('1.0.0') })

test('the gate does not apply if no manifest or lock file changed', () => {
  expect(judge({ 'src/a.ts': [null, 'x'] }).outcome).toBe('not_applicable')
  expect(judge({ 'node_modules/a/package.json': [null, '{}'] }).outcome).toBe('not_applicable')
})

describe('a lock file has every package that its manifest requires', () => {
  const pnpm = (specifier: string) =>
    `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ${specifier}\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {integrity: ${HASH}}\n`
  const yarn = (spec: string) =>
    `# yarn lockfile v1\n\n\na@${spec}:\n  version "1.0.0"\n  resolved "https://yarn.example.org/a/-/a-1.0.0.tgz#123"\n  integrity ${HASH}\n`
  const berry = (spec: string) =>
    `__metadata:\n  version: 8\n\n"a@npm:${spec}":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  checksum: 10c0/abc\n  languageName: node\n\n"shop@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "shop@workspace:."\n`
  const pyproject = (dep: string) => `[project]\nname = "shop"\ndependencies = [\n  "${dep}>=1", # why\n]\n`
  const uv = (name: string) =>
    `version = 1\n\n[[package]]\nname = "${name}"\nversion = "1.0"\nsource = { registry = "https://python.example.org/simple" }\nsdist = { url = "https://python.example.org/a.tar.gz", hash = "sha256:1", size = 3 }\n\n[[package]]\nname = "shop"\nversion = "0"\nsource = { virtual = "." }\n`
  const poetry = (name: string) =>
    `[[package]]\nname = "${name}"\nversion = "1.0"\nfiles = [\n    {file = "a.whl", hash = "sha256:1"},\n]\n\n[metadata]\ncontent-hash = "x"\n`
  const poetryProject = (dep: string) =>
    `[tool.poetry.dependencies]\npython = "^3.12"\n${dep} = "^1"\n[tool.poetry.group.dev.dependencies]\n`
  const cargo = (dep: string) =>
    `[package]\nname = "shop"\n[dependencies]\n${dep} = { version = "1", features = ["x"] }\n`
  const cargoLock = (name: string) =>
    `version = 4\n\n[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+https://crates.example.org/index"\nchecksum = "abc"\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\ndependencies = [\n "${name}",\n]\n`
  const goMod = (version: string) =>
    `module shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/x/a ${version} // indirect\n)\n`
  const goSum = (version: string) =>
    `github.com/x/a ${version} h1:abc=\ngithub.com/x/a ${version}/go.mod h1:def=\n`

  test.each<[string, string, string, string, string]>([
    ['package.json', manifest(A1), manifest({ a: '^2.0.0' }), 'package-lock.json', LOCK1],
    ['package.json', manifest(A1), manifest({ a: '^2.0.0' }), 'pnpm-lock.yaml', pnpm('^1.0.0')],
    ['package.json', manifest(A1), manifest({ a: '^2.0.0' }), 'yarn.lock', yarn('^1.0.0')],
    ['package.json', manifest(A1), manifest({ a: '^2.0.0' }), 'yarn.lock', berry('^1.0.0')],
    ['pyproject.toml', pyproject('a'), pyproject('b'), 'uv.lock', uv('a')],
    ['pyproject.toml', poetryProject('a'), poetryProject('b'), 'poetry.lock', poetry('a')],
    ['Cargo.toml', cargo('a'), cargo('b'), 'Cargo.lock', cargoLock('a')],
    ['go.mod', goMod('v1.0.0'), goMod('v1.1.0'), 'go.sum', goSum('v1.0.0')],
  ])('%s fails if it requires more than %4$s has', (path, before, after, lockPath, lock) => {
    expect(judgedText({ [path]: [before, after], [lockPath]: same(lock) })).toMatch(
      new RegExp(`^failed: ${path} requires .*, which ${lockPath} lacks \\(which did not change\\)$`),
    )
    // The same manifest with another word in it agrees.
    const comment = path === 'package.json' ? before.replace('{', '{ ') : `${before}\n`
    expect(judgedText({ [path]: [before, comment], [lockPath]: same(lock) })).toBe(AGREE)
  })

  test.each<[string, string, string, string, string, string]>([
    [
      'npm',
      'package.json',
      manifest(A1),
      manifest({ a: '^2.0.0' }),
      LOCK1,
      npmLock({ a: '^2.0.0' }, { 'node_modules/a': npm('2.0.0') }),
    ],
    ['uv', 'pyproject.toml', pyproject('a'), pyproject('b'), uv('a'), uv('b')],
    ['cargo', 'Cargo.toml', cargo('a'), cargo('b'), cargoLock('a'), cargoLock('b')],
    ['go', 'go.mod', goMod('v1.0.0'), goMod('v1.1.0'), goSum('v1.0.0'), goSum('v1.1.0')],
  ])('both together agree: %s', (tool, path, before, after, lock, lockAfter) => {
    const lockPath =
      { npm: 'package-lock.json', uv: 'uv.lock', cargo: 'Cargo.lock', go: 'go.sum' }[tool] ?? ''
    expect(judgedText({ [path]: [before, after], [lockPath]: [lock, lockAfter] })).toBe(AGREE)
  })

  test('a workspace is fixed by the lock file above it', () => {
    const lock = JSON.stringify({
      lockfileVersion: 3,
      packages: { '': {}, web: { dependencies: A1 }, 'node_modules/a': npm('1.0.0') },
    })
    const files = (spec: string): Files => ({
      'web/package.json': [null, manifest({ a: spec })],
      'package-lock.json': same(lock),
    })
    expect(judgedText(files('^1.0.0'))).toBe(AGREE)
    expect(judgedText(files('^3.0.0'))).toContain('failed: web/package.json requires a ^3.0.0')
  })

  test('a lock file that is gone fails', () => {
    expect(judgedText({ 'package.json': same(manifest(A1)), 'package-lock.json': [LOCK1, null] })).toBe(
      'failed: package-lock.json was removed, but its manifest still exists',
    )
    expect(judge({ 'package.json': [manifest(A1), null], 'package-lock.json': [LOCK1, null] }).outcome).toBe(
      'passed',
    )
  })

  test('a manifest without a lock file passes', () => {
    expect(judgedText({ 'package.json': [null, manifest(A1)] })).toBe(AGREE)
  })

  test.each<[string, string]>([
    ['package-lock.json', '{'],
    ['yarn.lock', 'garbage without any form'],
    ['pnpm-lock.yaml', 'a: ['],
    ['uv.lock', '[[package]\nname ='],
    ['Cargo.lock', 'name = "a'],
  ])('%s that cannot be read is inconclusive', (path, text) => {
    expect(judge({ [path]: [null, text] }).outcome).toBe('inconclusive')
  })
})

describe('packages of a lock file keep their sources', () => {
  const changed = (entry: object, dependencies: object = A1): string =>
    judgedText({
      'package.json': same(manifest(dependencies)),
      'package-lock.json': [
        LOCK1,
        npmLock(dependencies, { 'node_modules/a': { ...npm('1.0.0'), ...entry } }),
      ],
    })

  test.each<[string, object, string]>([
    [
      'another host',
      { resolved: 'https://evil.example/a-1.0.0.tgz' },
      'failed: package-lock.json installs a 1.0.0 from evil.example, a host not used before',
    ],
    ['another usual registry', { resolved: `https://${NPM_HOSTS[1]}/a/-/a-1.0.0.tgz` }, REVIEW],
    [
      'not protected',
      { resolved: 'http://packages.example.org/a/-/a-1.0.0.tgz' },
      'failed: package-lock.json installs a 1.0.0 from http://packages.example.org/a/-/a-1.0.0.tgz without TLS',
    ],
    [
      'git',
      { resolved: 'git+ssh://git@github.com/x/a.git#123' },
      'failed: package-lock.json installs a 1.0.0 from git+ssh://github.com/x/a.git#123',
    ],
    [
      'a file',
      { resolved: 'file:../a.tgz' },
      'failed: package-lock.json installs a 1.0.0 from file:../a.tgz',
    ],
    [
      'another hash',
      { integrity: 'sha512-other==' },
      'failed: package-lock.json has a different hash for a 1.0.0 than before',
    ],
    [
      'a hash of another kind',
      { integrity: 'sha1-other=' },
      'failed: package-lock.json has a weaker hash for a 1.0.0 than before',
    ],
    ['one more hash', { integrity: `${HASH} sha1-x=` }, AGREE],
    ['no hash', { integrity: undefined }, 'failed: package-lock.json no longer has a hash for a 1.0.0'],
    ['a script', { hasInstallScript: true }, 'failed: package-lock.json a 1.0.0 runs an install script'],
    ['another version', npm('1.0.1'), 'passed: manifests and lock files agree; 1 for review'],
    [
      'another version without a hash',
      npm('1.0.1', { integrity: undefined }),
      'failed: package-lock.json has no hash for a 1.0.1',
    ],
    [
      'another package under the name',
      { name: 'evil', version: '9.0.0', resolved: 'https://packages.example.org/evil/-/evil-9.0.0.tgz' },
      'failed: package-lock.json has evil under the name a 9.0.0, which no manifest requests',
    ],
  ])('%s', (_title, entry, expected) => {
    expect(changed(entry)).toBe(expected)
  })

  test('an alias that a manifest requests passes', () => {
    const dependencies = { a: 'npm:other@^1.0.0' }
    const entry = { name: 'other', ...npm('1.0.0') }
    const lock = npmLock(dependencies, {
      'node_modules/a': entry,
      'node_modules/b': { ...npm('1.0.0'), dependencies: { c: 'npm:@x/d@1' } },
      'node_modules/c': { ...npm('2.0.0'), name: '@x/d' },
    })
    expect(
      judgedText({
        'package.json': [manifest(A1), manifest(dependencies)],
        'package-lock.json': [LOCK1, lock],
      }),
    ).toBe(AGREE)
  })

  test('a new package source in a manifest needs a person', () => {
    const dependencies = { a: 'github:x/a' }
    expect(
      judgedText({
        'package.json': [manifest(A1), manifest(dependencies)],
        'package-lock.json': [
          LOCK1,
          npmLock(dependencies, {
            'node_modules/a': {
              version: '1.0.0',
              resolved: 'git+ssh://git@github.com/x/a.git#1',
              integrity: HASH,
            },
          }),
        ],
      }),
    ).toBe('failed: package.json installs a package from github, a host not used before')
  })

  test('an install script of a requested package is a note', () => {
    const dependencies = { a: '^1.0.0', b: '1' }
    const files: Files = {
      'package.json': [manifest(A1), manifest(dependencies)],
      'package-lock.json': [
        LOCK1,
        npmLock(dependencies, {
          'node_modules/a': npm('1.0.0'),
          'node_modules/b': npm('1.0.0', { hasInstallScript: true }),
        }),
      ],
    }
    expect(judge(files)).toMatchObject({ outcome: 'passed', evidence: { findings: [{ weight: 'note' }] } })
  })

  test('an install script of the package itself is for review', () => {
    const files: Files = {
      'package.json': [manifest({}), manifest({}, { scripts: { postinstall: 'node x.js' } })],
    }
    expect(judge(files).evidence.findings).toMatchObject([
      { weight: 'note', text: 'runs `node x.js` on postinstall; review it' },
    ])
  })

  test.each<[string, string, string, string]>([
    [
      'Cargo.lock',
      '[[package]]\nname = "a"\nversion = "1"\nsource = "registry+https://crates.example.org/index"\nchecksum = "1"\n',
      'checksum = "1"',
      'checksum = "2"',
    ],
    [
      'Cargo.lock',
      '[[package]]\nname = "a"\nversion = "1"\nsource = "registry+https://crates.example.org/index"\nchecksum = "1"\n',
      'registry+https://crates.example.org/index',
      'git+https://github.com/x/a#1',
    ],
    ['go.sum', 'x.org/a v1.0.0 h1:abc=\n', 'h1:abc=', 'h1:abd='],
    [
      'uv.lock',
      '[[package]]\nname = "a"\nversion = "1"\nsource = { registry = "https://python.example.org/simple" }\nwheels = [{ url = "https://files.example.org/a.whl", hash = "sha256:1" }]\n',
      'files.example.org',
      'evil.example',
    ],
    [
      'poetry.lock',
      '[[package]]\nname = "a"\nversion = "1"\nfiles = [{file = "a.whl", hash = "sha256:1"}]\n',
      'sha256:1',
      'sha256:2',
    ],
    [
      'pnpm-lock.yaml',
      `packages:\n  a@1.0.0:\n    resolution: {integrity: ${HASH}}\n`,
      `{integrity: ${HASH}}`,
      '{tarball: "https://codeload.github.com/x/a/tar.gz/1"}',
    ],
    [
      'yarn.lock',
      `# yarn lockfile v1\n\na@1:\n  version "1.0.0"\n  resolved "https://yarn.example.org/a.tgz"\n  integrity ${HASH}\n`,
      'yarn.example.org',
      'evil.example',
    ],
    ['requirements.txt', 'a==1 --hash=sha256:1\n', ' --hash=sha256:1', ''],
    ['requirements.txt', 'a==1\n', 'a==1', 'a==1\n--extra-index-url https://evil.example/simple'],
    ['requirements-dev.txt', 'a==1\n', 'a==1', 'b @ http://x.org/b.tar.gz'],
  ])('%s is looked at too', (path, before, from, to) => {
    expect(before).toContain(from)
    expect(judge({ [path]: [before, before.replace(from, to)] }).outcome).toBe('failed')
    expect(judge({ [path]: [before, `${before}\n`] }).outcome).toBe('passed')
  })
})

test('a lock file in an unsupported format is for review', () => {
  expect(judge({ 'Gemfile.lock': ['a', 'b'] })).toMatchObject({
    outcome: 'passed',
    evidence: { findings: [{ weight: 'note' }] },
  })
})

test.each([
  ['requirements.txt', 'left-pad @ https://evil.example.com/left_pad.whl', ['evil.example.com']],
  ['requirements.txt', '--extra-index-url http://mirror.example.com/simple', ['mirror.example.com']],
  ['requirements.txt', 'git+ssh://git@code.example.com/a/b.git', ['code.example.com']],
  ['package.json', '  "left-pad": "https://evil.example.com/left-pad.tgz",', ['evil.example.com']],
  ['package.json', '  "left-pad": "github:somebody/left-pad",', ['github']],
  ['package.json', '  "left-pad": "file:../left-pad",', ['file']],
  ['package.json', '  "left-pad": "git@code.example.com:a/b.git",', ['code.example.com']],
  ['Cargo.toml', 'left = { git = "https://code.example.com/left" }', ['code.example.com']],
  ['go.mod', 'replace a.example.com/x => https://b.example.com/x', ['b.example.com']],
])('%s: %s installs from a new host', (name, line, hosts) => {
  expect(newHosts(name, { before: '', added: [line] })).toEqual(hosts)
})

test('a host used before is not new', () => {
  const before = 'a @ https://files.example.com/a.whl\n'
  expect(newHosts('requirements.txt', { before, added: ['b @ https://files.example.com/b.whl'] })).toEqual([])
})

test.each([
  ['package.json', '  "left-pad": "^1.3.0",'],
  ['package.json', '  "homepage": "https://example.com",'],
  ['package.json', '  "repository": "github:me/mine",'],
  ['pyproject.toml', 'documentation = "https://docs.example.com"'],
  ['requirements.txt', 'requests==2.32.0'],
  ['requirements.txt', '# see https://example.com'],
])('%s: %s names no source', (name, line) => {
  expect(newHosts(name, { before: '', added: [line] })).toEqual([])
})
