import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { unpacked } from '../../src/checks/runner/checkout-files.ts'
import { knownSecrets } from '../../src/core/gates/secrets/secret-values.ts'
import { aBench, aRequest, BASE, WORK } from './gate-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const VALUE = 'Wq8z-Lp3x_Tn6v.Rk2m'
const held = () => [{ kind: 'the token of the user', value: VALUE }]
const judge = (more: Record<string, string>, options: Parameters<typeof aBench>[1] = {}) =>
  aBench({ base: BASE, tree: { ...WORK, ...more } }, { knownSecrets: held, ...options }).gate('secrets')

describe('values that Bosun holds never land', () => {
  test('honest work passes', async () => {
    expect(await judge({})).toMatchObject({ outcome: 'passed', summary: 'no secrets were added' })
  })

  test('a token in a source fails, with its place and without its value', async () => {
    const verdict = await judge({ 'src/key.mjs': `\nexport const key = '${VALUE}'\n` })
    expect(verdict).toMatchObject({
      outcome: 'failed',
      evidence: { findings: [{ file: 'src/key.mjs', line: 2 }] },
    })
    expect(verdict.summary).toMatch(/^the token of the user \(sha256 [0-9a-f]{8}\) in src\/key\.mjs:2$/)
    expect(JSON.stringify(verdict)).not.toContain(VALUE)
  })

  test('a value of an env file fails, also in base64', async () => {
    const folder = tempFolder('env')
    writeFileSync(join(folder, '.env'), 'PORT=3000\nSHOP_SECRET=Zk4t9-Bn7wq2\n')
    const from = { envFilesFrom: folder, environment: { env_files: ['.env'] } }
    const coded = Buffer.from('x Zk4t9-Bn7wq2').toString('base64')
    expect(await judge({ 'src/a.mjs': `export const a = '${coded}'` }, from)).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('SHOP_SECRET in .env, in base64'),
    })
    expect(await judge({ 'src/a.mjs': 'export const port = 3000' }, from)).toMatchObject({
      outcome: 'passed',
    })
  })

  test('the review note is searched, because it is committed', async () => {
    const { runner } = aBench(undefined, { knownSecrets: held })
    const report = {
      explanation: '',
      selfAssessment: 'confident' as const,
      blockers: [],
      risks: [],
      criteria: [],
      reviewNote: { summary: `it uses ${VALUE}`, risks: [], rollback: '' },
    }
    const [verdict] = await runner.run(aRequest({ gates: ['secrets'], report }), new AbortController().signal)
    expect(verdict).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('in the review note'),
    })
  })
})

test('the tokens of every attempt of a task are held, and the user’s', () => {
  const place = {
    plan: { id: 'shop' },
    tokenOf: (worker: string) => `token-of-${worker}`,
    userToken: 'u5er-T0ken-abc',
  }
  const of = knownSecrets(place, {
    NPM_TOKEN: 'npm-v4lue-secret',
    HOME: '/home/ada',
    EMPTY: undefined,
  })
  expect(of({ task: '1', attempt: 2 })).toEqual([
    { kind: 'the token of the user', value: 'u5er-T0ken-abc' },
    { kind: 'the token of w-shop-1-1', value: 'token-of-w-shop-1-1' },
    { kind: 'the token of w-shop-1-2', value: 'token-of-w-shop-1-2' },
    { kind: 'NPM_TOKEN in the environment', value: 'npm-v4lue-secret' },
  ])
})

describe('archives are unpacked', () => {
  const texts = (bytes: Buffer): string[] => unpacked(bytes).map((one) => one.toString('latin1'))

  test('gzip, also within gzip', () => {
    expect(texts(gzipSync(gzipSync(VALUE))).at(-1)).toBe(VALUE)
  })

  test('zip', () => {
    // One stored entry, `a`, as any program writes it.
    const name = Buffer.from('a')
    const data = Buffer.from(VALUE)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(data.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt32LE(data.length, 24)
    entry.writeUInt16LE(name.length, 28)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(entry.length + name.length, 12)
    end.writeUInt32LE(local.length + name.length + data.length, 16)
    expect(texts(Buffer.concat([local, name, data, entry, name, end]))[1]).toBe(VALUE)
  })

  test('data that only looks packed is kept', () => {
    expect(unpacked(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).toHaveLength(1)
    expect(unpacked(Buffer.from('PK and then nothing that is a list'))).toHaveLength(1)
  })

  test('unpacking is bounded', () => {
    expect(unpacked(gzipSync(Buffer.alloc(40 * 1024 * 1024)))).toHaveLength(1)
  })
})

describe('paths of this machine', () => {
  const places = [{ kind: "the repository's folder", path: '/home/ann/shop' }]

  test('one that the work adds fails, with file and line', async () => {
    const more = { 'src/path.mjs': "\nexport const data = '/home/ann/shop/data.json'\n" }
    expect(await judge(more, { places })).toMatchObject({
      outcome: 'failed',
      summary: "an absolute path of this machine (the repository's folder) in src/path.mjs:2",
    })
  })

  test('one of an example passes', async () => {
    const more = { 'docs/use.md': 'Run it in /home/user/shop.\n' }
    expect(await judge(more, { places })).toMatchObject({ outcome: 'passed' })
  })
})
