import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { afterAll, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { defaultSettings } from '../../core/settings/settings.ts'
import { planFromText } from '../plans/read-plan.ts'
import { initSkill, SKILL_FILES } from './init-skill.ts'

const TEMP = mkdtempSync(join(tmpdir(), 'bosun-skill-'))
afterAll(() => rmSync(TEMP, { recursive: true, force: true }))

const folder = (): string => mkdtempSync(join(TEMP, 'shop-'))
const outcomes = async (root: string) =>
  Object.fromEntries((await initSkill(root)).map(({ agent, outcome, why }) => [agent, why ?? outcome]))

const text = (agent: string): string => SKILL_FILES.find((file) => file.agent === agent)?.text ?? ''

test('each agent gets its file, and a second time nothing changes', async () => {
  const root = folder()
  expect(new Set(Object.values(await outcomes(root)))).toEqual(new Set(['written']))
  for (const { path, text: wanted } of SKILL_FILES)
    expect(readFileSync(join(root, path), 'utf8')).toBe(wanted)
  expect(new Set(Object.values(await outcomes(root)))).toEqual(new Set(['unchanged']))
})

test('a file that says something else stays as it is, and the others are written', async () => {
  const root = folder()
  mkdirSync(join(root, '.gemini/commands'), { recursive: true })
  writeFileSync(join(root, '.gemini/commands/pm-agent.toml'), 'mine')
  expect(await outcomes(root)).toEqual({
    'Claude Code': 'written',
    Codex: 'written',
    OpenCode: 'written',
    'Gemini CLI': 'a file with other content already exists',
  })
  expect(readFileSync(join(root, '.gemini/commands/pm-agent.toml'), 'utf8')).toBe('mine')
})

test('nothing is written through links that leave the repository, to nothing, or over a file', async () => {
  const [root, elsewhere] = [folder(), folder()]
  symlinkSync(elsewhere, join(root, '.claude'))
  symlinkSync(join(TEMP, 'absent'), join(root, '.agents'))
  writeFileSync(join(root, '.opencode'), '')
  expect(await outcomes(root)).toEqual({
    'Claude Code': 'its folder is outside the repository',
    Codex: 'a link to nothing is in the place of its folder',
    OpenCode: 'a file is in the place of its folder',
    'Gemini CLI': 'written',
  })
  expect(existsSync(join(elsewhere, 'skills'))).toBe(false)
})

test('agents may share a folder of skills through a link', async () => {
  const root = folder()
  mkdirSync(join(root, '.agents/skills'), { recursive: true })
  mkdirSync(join(root, '.claude'))
  symlinkSync('../.agents/skills', join(root, '.claude/skills'))
  expect(await outcomes(root)).toMatchObject({ 'Claude Code': 'written', Codex: 'unchanged' })
})

test('the files have the form their agents read', () => {
  const head = (of: string): unknown => parseYaml(/^---\n(.*?)\n---\n\n/s.exec(of)?.[1] ?? '')
  expect(head(text('Claude Code'))).toEqual({
    name: 'pm-agent',
    description: expect.stringContaining('Bosun'),
    'argument-hint': '[design] [plan]',
    'disable-model-invocation': true,
  })
  expect(head(text('OpenCode'))).toEqual({ description: expect.stringContaining('Bosun') })
  expect(text('OpenCode')).toContain('$ARGUMENTS')
  expect(parse(text('Gemini CLI'))).toEqual({
    description: expect.stringContaining('Bosun'),
    prompt: expect.stringMatching(/^# Hand a plan to Bosun[^]*\{\{args\}\}\n$/),
  })
})

test('the plan that a skill has its agent write is one that Bosun reads', async () => {
  for (const { agent, text: of } of SKILL_FILES) {
    const [, form = ''] = /```yaml\n(.*?)```/s.exec(of) ?? []
    const { tasks, problems } = planFromText('plan.yaml', form, defaultSettings())
    expect([agent, tasks.length, problems.filter(({ severity }) => severity === 'error')]).toEqual([
      agent,
      1,
      [],
    ])
  }
})

test('each file hands the work over, and runs nothing when it is read', () => {
  for (const { text: of } of SKILL_FILES) {
    for (const command of ['bosun plan', 'bosun run', 'bosun status', 'bosun inbox', 'bosun answer'])
      expect(of).toContain(command)
    expect(of).not.toMatch(/!`|!\{|@\{|(^|\s)@/)
  }
})
