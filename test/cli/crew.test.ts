/** `bosun crew install`, with a stand-in for npm. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { adapterFolder, adapterNamed } from '../../src/agents/profiles/profile-of.ts'
import { bosun } from './bosun.ts'
import { documentProblems } from '../helpers/json-documents.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const adapter = adapterNamed('codex') ?? { package: '', version: '', integrity: '', entry: '', programIn: '' }
const spec = `${adapter.package}@${adapter.version}`

/** A state root and a PATH with this npm first on it. */
function place(name: string, npm?: string) {
  const bin = join(folder, name, 'bin')
  mkdirSync(bin, { recursive: true })
  const calls = join(folder, name, 'calls')
  if (npm !== undefined)
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "$@" >> ${calls}\n${npm}\n`, { mode: 0o755 })
  const state = join(folder, name, 'state')
  const env = { BOSUN_HOME: state, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
  return {
    bin,
    state,
    calls: () => readFileSync(calls, 'utf8').trim().split('\n'),
    run: (...args: string[]) => bosun(['crew', ...args], { cwd: join(folder, name), env }),
    adapters: () => (existsSync(join(state, 'adapters')) ? readdirSync(join(state, 'adapters')) : []),
  }
}

const writes = (
  version: string,
  integrity = adapter.integrity,
): string => `home=node_modules/${adapter.package}
/bin/mkdir -p "$home/dist"
echo '{"name":"${adapter.package}","version":"${version}"}' > "$home/package.json"
echo '{"packages":{"node_modules/${adapter.package}":{"integrity":"${integrity}"}}}' > node_modules/.package-lock.json
: > "$home/${adapter.entry}"`

test('an adapter is fetched at its exact version without scripts, and once', async () => {
  const { run, calls, state, adapters } = place('whole', writes(adapter.version))
  const first = await run('install', 'codex', '--json')
  expect(JSON.parse(first.stdout), first.stderr).toEqual({
    schema: 'bosun.crew/v1',
    adapters: [
      {
        agent: 'codex',
        package: adapter.package,
        version: adapter.version,
        folder: adapterFolder(state, adapter),
        outcome: 'installed',
      },
    ],
  })
  expect(documentProblems(JSON.parse(first.stdout), ['crew install'])).toEqual([])
  expect(calls()).toHaveLength(1)
  expect(calls()[0]).toMatch(/^install .*--omit=optional --ignore-scripts /)
  expect(calls()[0]?.endsWith(` ${spec}`)).toBe(true)
  const again = await run('install', 'codex')
  expect(again.stdout).toContain(`${spec} is installed already`)
  expect(calls()).toHaveLength(1)
  expect(adapters()).toEqual([spec.replaceAll('/', '+')])
})

test.each([
  ['another version', writes('0.0.1'), `npm installed something else: found ${adapter.package}@0.0.1`],
  [
    'another package of the same version',
    writes(adapter.version, 'sha512-other'),
    `npm installed something else: its hash is sha512-other, not ${adapter.integrity}`,
  ],
  [
    'a package without a hash',
    `${writes(adapter.version)}; /bin/rm node_modules/.package-lock.json`,
    'npm installed something else: npm recorded no hash of it',
  ],
  ['nothing', ':', `npm installed something else: ${adapter.package} is not installed`],
  [
    'no network',
    'echo "npm error code ENOTFOUND" >&2; exit 1',
    'the npm registry cannot be reached (ENOTFOUND)',
  ],
  [
    'another failure',
    'echo "npm error code E404" >&2; echo "npm error 404 Not Found" >&2; exit 1',
    'npm exited with 1: npm error 404 Not Found',
  ],
])('%s leaves nothing behind and says what to do', async (name, npm, why) => {
  const { run, adapters } = place(name.replaceAll(' ', '-'), npm)
  const failed = await run('install', 'codex')
  expect(failed.exit).toBe(1)
  expect(failed.stderr).toContain(`cannot fetch ${spec}: ${why}`)
  expect(failed.stderr).toContain('Until then codex runs as a plain command.')
  expect(adapters()).toEqual([])
})

test('what a killed installation left is removed by the next one, and what one at work has stays', async () => {
  const { run, adapters, state } = place(
    'killed',
    `echo $PPID > ${folder}/npm-of; until [ -e ${folder}/go ]; do /bin/sleep 0.05; done; ${writes(adapter.version)}`,
  )
  const killed = run('install', 'codex')
  await expect.poll(() => existsSync(join(folder, 'npm-of'))).toBe(true)
  process.kill(Number(readFileSync(join(folder, 'npm-of'), 'utf8')), 'SIGKILL')
  await killed
  writeFileSync(join(folder, 'go'), '')
  const [left = ''] = adapters()
  expect(left).toMatch(/^\.staged-/)
  const atWork = `.staged-${process.pid}-abc`
  mkdirSync(join(state, 'adapters', atWork))
  expect((await run('install', 'codex')).exit).toBe(0)
  expect([...adapters()].sort()).toEqual([atWork, spec.replaceAll('/', '+')].sort())
})

test('for an agent without an adapter the error names those with one', async () => {
  const { run } = place('none')
  const goose = await run('install', 'goose')
  expect([goose.exit, goose.stderr]).toEqual([2, expect.stringContaining('goose needs no adapter')])
  const other = await run('install', 'nobody')
  expect([other.exit, other.stderr]).toEqual([3, expect.stringContaining('claude, codex, pi')])
})

test('without a terminal nothing is fetched unless the agent is named or --yes is given', async () => {
  const { run, bin, adapters } = place('consent', writes(adapter.version))
  expect((await run('install')).stdout).toBe('No agent found here lacks an adapter.\n')
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho 9.9.9\n', { mode: 0o755 })
  const refused = await run('install')
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`not fetched without consent: ${spec}`),
  ])
  expect(adapters()).toEqual([])
  expect((await run('install', '--yes')).stdout).toContain('codex is driven over ACP from now on')
  expect(JSON.parse((await run('--json')).stdout)).toMatchObject({
    agents: [{ name: 'codex', protocol: 'acp', adapter: { installed: true } }],
  })
})
