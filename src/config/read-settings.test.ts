import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findSettings, notifySettingsIn, readSettings } from './read-settings.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bosun-settings-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const unusable: readonly [string, (path: string) => void, string][] = [
  ['folder', (path) => mkdirSync(path), 'it is a folder'],
  ['named pipe', (path) => execFileSync('mkfifo', [path]), 'it is a named pipe'],
  ['device', (path) => symlinkSync('/dev/zero', path), 'it is a device'],
  ['link to itself', (path) => symlinkSync('bosun.yaml', path), 'it is a link to itself'],
  ['link to nothing', (path) => symlinkSync('gone.yaml', path), 'it is a link to a file that does not exist'],
  ['huge file', (path) => writeFileSync(path, ' '.repeat(1_000_001)), 'it is longer than 1000000 bytes'],
  ['Latin-1 file', (path) => writeFileSync(path, Buffer.from([0x23, 0xe4, 0x0a])), 'it is not UTF-8 text'],
]

test.each(unusable)('a %s named bosun.yaml is one problem with its file', async (name, make, why) => {
  const place = join(folder, name)
  mkdirSync(place)
  make(join(place, 'bosun.yaml'))
  const found = await findSettings(place)
  expect(found).toMatchObject({
    kind: 'invalid',
    problems: [{ file: 'bosun.yaml', line: 1, message: `cannot read the settings: ${why}` }],
  })
  await expect(readSettings(place)).rejects.toMatchObject({ name: 'Refusal', code: 'failed' })
})

test('a byte order mark is ignored', async () => {
  const place = join(folder, 'bom')
  mkdirSync(place)
  writeFileSync(join(place, 'bosun.yaml'), '\uFEFFapproval: critical\n')
  expect(await readSettings(place)).toMatchObject({ approval: 'critical' })
})

test('what is notified follows bosun.yaml as it is now: absent, written, rewritten, broken, removed', async () => {
  const place = join(folder, 'notify')
  const file = join(place, 'bosun.yaml')
  mkdirSync(place)
  const kinds = async (): Promise<readonly string[]> => (await notifySettingsIn(place)).on
  expect(await kinds()).toEqual(['needs_you'])
  writeFileSync(file, 'notify: { on: [progress] }\n')
  expect(await kinds()).toEqual(['progress'])
  expect(await kinds()).toEqual(['progress'])
  writeFileSync(file, 'notify: { on: [finished] }\n')
  expect(await kinds()).toEqual(['finished'])
  writeFileSync(file, 'notify: { on: [nothing] }\n')
  expect(await kinds()).toEqual(['needs_you'])
  rmSync(file)
  symlinkSync('bosun.yaml', file)
  expect(await kinds()).toEqual(['needs_you'])
})
