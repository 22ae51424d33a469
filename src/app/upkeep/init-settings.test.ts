import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseSettings } from '../../config/parse-settings.ts'
import { NO_COMMANDS } from '../../core/repository-facts/detect-commands.ts'
import type { TriedCommand } from '../../ports/command-trial.ts'
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
  const found = {
    name: 'claude',
    title: 'Claude Code',
    path: '/usr/bin/claude',
    version: '2.1',
    tried: '2.1',
    folders: [],
  } as const
  const signIn = { by: 'none', detail: null } as const
  const agents = [
    {
      ...found,
      signIn,
      protocol: 'command',
      adapter: null,
      fix: 'Sign in.',
      caution: null,
      smallModels: [],
    } as const,
  ]
  const { file, commands, warnings } = await initSettings({ root, listing, agents })
  const text = readFileSync(file, 'utf8')
  const parsed = parseSettings(text, 'bosun.yaml')
  expect(parsed).toMatchObject({ ok: true, settings: { environment: { test: commands.test } } })
  expect(commands.setup).not.toBeNull()
  expect(text).toContain('# build: null # none was found')
  expect(text).toContain('# migrations: { up: ')
  expect(text).toContain('# Found here: claude (Claude Code), not signed in')
  expect(text).toContain('# roles: { developer: claude, fixer: claude, reviewer: claude }')
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

test('a command that cannot run is set to null with the reason, and reported', async () => {
  const root = mkdtempSync(join(TEMP, 'tried-'))
  const why = 'npm run lint exited with 127: sh: 1: eslint: not found'
  const tried = [
    { check: 'test', command: 'npm test', outcome: 'failed', why: 'npm test exited with 1' },
    { check: 'lint', command: 'npm run lint', outcome: 'cannot_run', why },
  ] as const
  const { text, warnings } = await initSettings({ root, listing, agents: [], tried })
  expect(parseSettings(text, 'bosun.yaml')).toMatchObject({
    ok: true,
    settings: { environment: { lint: null, test: expect.anything() } },
  })
  expect(text).toContain(`lint: null # "npm run lint" cannot run here: ${why}\n`)
  expect(text).toContain(' # red at the newest commit: npm test exited with 1\n')
  expect(warnings.join('\n')).toContain(`lint cannot run here, so it is set to null: ${why}`)
})

test('a red linter is left to plans, which compare it with its findings at the start', async () => {
  const root = mkdtempSync(join(TEMP, 'red-'))
  const why = 'npm run lint exited with 1'
  const tried = [{ check: 'lint', command: 'npm run lint', outcome: 'failed', why }] as const
  const { text, warnings } = await initSettings({ root, listing, agents: [], tried })
  const parsed = parseSettings(text, 'bosun.yaml')
  expect(parsed.ok && parsed.settings.environment).not.toHaveProperty('lint')
  expect(text).toContain(`  # lint: "npm run lint" # red at the newest commit: ${why}\n`)
  expect(warnings.join('\n')).toContain('only new findings will count, until you set environment.lint')
  const only = settingsText({ ...NO_COMMANDS, lint: 'npm run lint' }, [], tried)
  expect(parseSettings(only, 'bosun.yaml').ok).toBe(true)
})

test('tests that cannot run stay set, so that a plan asks about them', async () => {
  const root = mkdtempSync(join(TEMP, 'untested-'))
  const why = 'npm test exited with 127: sh: 1: jest: not found'
  const tried = [{ check: 'test', command: 'npm test', outcome: 'cannot_run', why }] as const
  const { text, warnings } = await initSettings({ root, listing, agents: [], tried })
  const parsed = parseSettings(text, 'bosun.yaml')
  expect(parsed.ok && parsed.settings.environment.test).toBe('npm test')
  expect(text).toContain(` # cannot run here: ${why}\n`)
  expect(warnings.join('\n')).toContain(`test cannot run here: ${why}; install what is missing`)
})

test('tests that name none are set to count by their exit code where a broken one was seen to make them fail', async () => {
  const why = 'npm test exited with 0, but its output names no tests'
  const unnamed = { check: 'test', command: 'npm test', outcome: 'unnamed', why } as const
  const write = (tried: TriedCommand) =>
    initSettings({ root: mkdtempSync(join(TEMP, 'unnamed-')), listing, agents: [], tried: [tried] })
  const shown = await write({ ...unnamed, byExitCode: { failsWith: 'test.js' } })
  expect(parseSettings(shown.text, 'bosun.yaml')).toMatchObject({
    ok: true,
    settings: { environment: { test: { command: 'npm test', report: 'exit' } } },
  })
  expect(shown.text).toContain(' # exit code alone: ')
  expect(shown.warnings.join('\n')).toContain(
    'counts by its exit code alone (test.js, broken, makes it fail)',
  )
  const open = await write(unnamed)
  const parsed = parseSettings(open.text, 'bosun.yaml')
  expect(parsed.ok && parsed.settings.environment.test).toBe('npm test')
  expect(open.warnings.join('\n')).toContain('a plan asks about it before work begins')
})
