import { expect, test } from 'vitest'
import { aBench, BASE, WORK } from './gate-bench.ts'

const manifest = (version: string) => JSON.stringify({ name: 'shop', dependencies: { a: version } })
const lock = (version: string, host: string) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { version, resolved: `https://${host}/a-${version}.tgz`, integrity: 'sha512-x==' },
    },
  })
const judge = (before: Record<string, string>, after: Record<string, string>) =>
  aBench({ base: { ...BASE, ...before }, tree: { ...WORK, ...after } }).gate('dependencies')
const OLD = { 'package.json': manifest('1'), 'package-lock.json': lock('1.0.0', 'packages.example.org') }

test('work that touches no manifest is not asked', async () => {
  expect(await judge(OLD, OLD)).toMatchObject({ outcome: 'not_applicable' })
})

test('a manifest that requires more than the lock file has fails', async () => {
  expect(await judge(OLD, { ...OLD, 'package.json': manifest('2') })).toMatchObject({
    outcome: 'failed',
    evidence: { findings: [{ weight: 'blocks', file: 'package.json' }] },
  })
})

test('a lock file that installs a package from a new host fails', async () => {
  const after = { ...OLD, 'package-lock.json': lock('1.0.0', 'evil.example') }
  expect(await judge(OLD, after)).toMatchObject({
    outcome: 'failed',
    summary: 'package-lock.json installs a 1.0.0 from evil.example, a host not used before',
  })
})
