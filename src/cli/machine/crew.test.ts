import { expect, test } from 'vitest'
import type { CrewRow } from '../../app/workers/crew.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import { styleOf } from '../terminal/terminal.ts'
import { crewDocument, crewText } from './crew.ts'

const screen = { style: styleOf('plain'), width: 120 }
const claude: FoundAgent = {
  name: 'claude',
  title: 'Claude Code',
  path: '/bin/claude',
  version: '2.1.325',
  tried: '2.1.325',
  folders: ['~/.claude'],
  signIn: { by: 'none', detail: null },
  protocol: 'command',
  adapter: null,
  fix: 'Run `claude auth login`.',
  caution: null,
  smallModels: [],
}
const crew = (agents: readonly FoundAgent[], records: readonly CrewRow[] = []) =>
  ({ agents, named: [], records, brain: null }) as const
const record: CrewRow = {
  agent: 'claude',
  model: null,
  tasks: 3,
  firstPass: { passed: 2, of: 3 },
  attempts: 4,
  reviews: 1,
  workMs: 90_000,
  usage: {
    tokens: 1200,
    tokens_in: 1000,
    tokens_out: 200,
    tokens_cached: 0,
    usd: 0.5,
    tokens_estimated: 0,
    tokens_unpriced: 0,
  },
}

test('crew shows each agent with its sign-in and the fix, and how it has done', () => {
  const text = crewText(crew([claude], [record]), screen)
  expect(text).toContain('claude  Claude Code 2.1.325  command  not signed in  /bin/claude\n')
  expect(text).toContain('claude: Run `claude auth login`.\n')
  expect(text).toMatch(/^claude +– +3 +67 % of 3 +4 +1 +1m +1200 +\$0\.50$/m)
})

test('crew says which model small work gets from each agent', () => {
  const qwen = { ...claude, name: 'qwen', smallModels: ['flash'] }
  const text = crewText(crew([claude, qwen]), screen)
  const gets = 'small work for which bosun.yaml names no model gets'
  expect(text).toContain(
    `claude: ${gets} its own model, since it is not known which of its models are small\n`,
  )
  expect(text).toContain(`qwen: ${gets} a model like flash where it offers one\n`)
})

test('crew says where there is no agent and no worker yet', () => {
  expect(crewText(crew([]), screen)).toBe(
    'No coding agent is on the PATH (looked for claude, codex, opencode, gemini, qwen, goose, pi).\n\nNo worker has run yet.\n',
  )
})

test('crew shows the agents of bosun.yaml, also where none is on the PATH', () => {
  const named = [
    { name: 'mine', program: { ok: true, file: '/bin/mine' } },
    { name: 'gone', program: { ok: false, why: 'no program nope' } },
  ] as const
  const text = crewText({ ...crew([]), named }, screen)
  expect(text).not.toContain('No coding agent')
  expect(text).toMatch(/^mine +command of bosun\.yaml +\/bin\/mine$/m)
  expect(text).toMatch(/^gone +command of bosun\.yaml +cannot be run: no program nope$/m)
  expect(crewDocument({ ...crew([]), named }, () => [])).toMatchObject({
    configured: [
      { name: 'mine', path: '/bin/mine', problem: null },
      { name: 'gone', path: null, problem: 'no program nope' },
    ],
  })
})

test('what an agent printed cannot write to the terminal', () => {
  expect(crewText(crew([{ ...claude, version: '1.0\u001B[2J' }]), screen)).not.toContain('\u001B')
})

test('the document has the same as JSON', () => {
  expect(crewDocument(crew([claude], [record]), () => ['developer'])).toMatchObject({
    agents: [{ name: 'claude', signed_in: { by: 'none', detail: null }, protocol: 'command' }],
    records: [{ agent: 'claude', model: null, first_pass: { passed: 2, of: 3 }, tokens: 1200, usd: 0.5 }],
  })
})

test('an estimate is marked as one, and so is a cost of a part', () => {
  const usage = { ...record.usage, tokens_estimated: 200, tokens_unpriced: 100 }
  const text = crewText(crew([], [{ ...record, usage }]), screen)
  expect(text).toContain('~1200')
  expect(text).toContain('~$0.50+')
  expect(text).toContain('~ estimated by Bosun')
  expect(text).toContain('+ some tokens have no price')
})

test('an agent without its adapter is shown with the command that fetches it, and an old one with its age', () => {
  const adapter = { package: '@x/acp', version: '1.0.0', isInstalled: false }
  const text = crewText(crew([{ ...claude, adapter, version: '2.1.9', fix: null }]), screen)
  expect(text).toContain('claude: `bosun crew install claude` fetches its adapter')
  expect(text).toContain('claude: Update it: Bosun was tested with 2.1.325, and 2.1.9 may lack something.')
  const whole = crewText(
    crew([{ ...claude, adapter: { ...adapter, isInstalled: true }, protocol: 'acp', fix: null }]),
    screen,
  )
  expect(whole).not.toContain('crew install')
})

test('crew says who answers questions, what that costs and how long it takes', () => {
  const brain = { who: 'claude', models: null, cost: 'unknown (its subscription)', usualTime: '10 to 60 s' }
  expect(crewText({ ...crew([claude]), brain }, screen)).toContain(
    "Bosun's own questions go to claude with its own model, cost unknown (its subscription), usually 10 to 60 s.\n",
  )
  const nobody = { who: null, why: 'brain.provider is none' } as const
  const line = "Nobody answers Bosun's own questions: brain.provider is none.\n"
  expect(crewText({ ...crew([claude]), brain: nobody }, screen)).toContain(line)
  expect(crewText({ ...crew([]), brain: nobody }, screen)).not.toContain(line)
})
