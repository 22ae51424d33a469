import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseSettings } from '../config/parse-settings.ts'
import { NO_COMMANDS } from '../core/gates/detect-commands.ts'
import { initSettings, settingsText } from './init-settings.ts'

const TEMP = mkdtempSync(join(tmpdir(), 'bosun-init-'))
afterAll(() => rmSync(TEMP, { recursive: true, force: true }))

const listing = {
  files: new Set(['package.json', 'package-lock.json']),
  read: (path: string) =>
    path === 'package.json'
      ? '{"scripts":{"test":"vitest run","lint":"eslint \\"src\\""},"devDependencies":{"vitest":"5"}}'
      : null,
}

test('what is written is valid, and says what was found', async () => {
  const root = mkdtempSync(join(TEMP, 'new-'))
  const agents = [{ name: 'claude', path: '/usr/bin/claude' }]
  const { file, commands, warnings } = await initSettings({ root, listing, agents })
  const text = readFileSync(file, 'utf8')
  const parsed = parseSettings(text, 'bosun.yaml')
  expect(parsed).toMatchObject({ ok: true, settings: { environment: { test: commands.test } } })
  expect(commands.setup).not.toBeNull()
  expect(text).toContain('# build: null # none was found')
  expect(text).toContain('# migrations: { up: ')
  expect(text).toContain('Found on this machine: claude')
  expect(warnings.join()).toContain('no build command')
})

test('a file that holds nothing but comments is valid too', () => {
  const parsed = parseSettings(settingsText(NO_COMMANDS, []), 'bosun.yaml')
  expect(parsed).toMatchObject({ ok: true, settings: { environment: {} } })
})

test('a file that is there is never touched, also where it is a link to nothing', async () => {
  const root = mkdtempSync(join(TEMP, 'old-'))
  writeFileSync(join(root, 'bosun.yaml'), 'approval: critical\n')
  await expect(initSettings({ root, listing, agents: [] })).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(join(root, 'bosun.yaml'), 'utf8')).toBe('approval: critical\n')
  const linked = mkdtempSync(join(TEMP, 'linked-'))
  symlinkSync(join(TEMP, 'elsewhere'), join(linked, 'bosun.yaml'))
  await expect(initSettings({ root: linked, listing, agents: [] })).rejects.toMatchObject({
    code: 'conflict',
  })
})
