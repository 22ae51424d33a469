/** Each real agent on the PATH of a user who has configured nothing: found, signed in, and delivering a plan. */
import { rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adapterOf } from '../../src/agents/profiles/profile-of.ts'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import { builtEnvironment } from '../../src/lib/process/built-environment.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { act, play, say, write } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { openAgentHome, pathWithAgent, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { FORMS, note, type Form } from './matrix.ts'
import { reportStep, type ReportedBy } from './report-step.ts'
import { USER_SETTINGS } from './on-path.ts'

const REPORT = {
  explanation: 'wrote the value',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/m1/value', line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
}

const WORK = act(write('src/m1/value', '1\n'), write('test/m1.t', 'test -e src/m1/value\n'))

/** A model and an effort that the agent has by itself, and what of them reaches its provider. */
const CHOICES: Readonly<
  Record<string, { readonly set: string; readonly asked: readonly RegExp[]; readonly offers: string | null }>
> = {
  claude: {
    set: 'model: sonnet, effort: high',
    asked: [/"model":"[^"]*sonnet/, /"effort":"high"/],
    offers: 'opus',
  },
  codex: {
    set: 'model: gpt-5.5, effort: high',
    asked: [/"model":"gpt-5\.5"/, /"effort":"high"/],
    offers: 'gpt-5.5',
  },
  goose: { set: 'model: gpt-5.5', asked: [/"model":"gpt-5\.5"/], offers: null },
  gemini: { set: 'model: gemini-2.5-pro', asked: [/gemini-2\.5-pro/], offers: null },
}

interface Crew {
  readonly agents: readonly {
    readonly version: string
    readonly protocol: Form
    readonly signed_in: { readonly by: string }
  }[]
}

test('every agent of the table is tried', () => {
  expect(REAL_AGENTS.map(({ name }) => name).toSorted()).toEqual(
    AGENT_ROWS.map(({ name }) => name).toSorted(),
  )
})

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let lab: Lab
  let reported: ReportedBy | null
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    reported = null
    const onReport = (by: ReportedBy) => (reported = by)
    const report = reportStep({ type: 'work_completed', report: REPORT, onReport })
    server = await startModelServer(play([{ steps: [WORK, report, say('It is done.')] }]))
    home = await openAgentHome(agent, server)
    lab = smallProject({ agent: '' })
  })
  afterEach(async () => {
    await lab.dispose()
    await server.close()
    await home.dispose()
  })

  /** As a user has it who installed the agent and signed in. */
  async function onPath(): Promise<void> {
    const { env = {}, files = {} } = USER_SETTINGS[agent.name]?.(server.url) ?? {}
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(home.place.home, path)), { recursive: true })
      await writeFile(join(home.place.home, path), text)
    }
    // Its model plays a script of the work alone.
    lab.write({ 'bosun.yaml': 'brain: { provider: none }\n' })
    // An adapter comes from npm, by the network as this machine has it.
    lab.variables = {
      ...builtEnvironment(process.env),
      ...home.env,
      ...env,
      PATH: await pathWithAgent(agent, home),
    }
  }

  test('delivers a plan without any settings', async () => {
    await onPath()
    const done = await lab.deliver()
    expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
    expect(done.stderr).toContain(`no agent configured; using ${agent.name}, found on the PATH`)
    const crew = JSON.parse((await lab.bosun('crew', '--json')).stdout) as Crew
    expect(crew).toMatchObject({
      agents: [{ name: agent.name, version: expect.stringMatching(/^\d+\.\d+/), fix: null }],
      records: [{ agent: agent.name, tasks: 1, first_pass: { passed: 1, of: 1 } }],
    })
    note(agent.name, crew.agents[0]?.protocol ?? 'command', 'reports', reported ?? 'not at all')
    for (const form of FORMS) {
      note(agent.name, form, 'found', crew.agents[0]?.version ?? 'without a version')
      note(agent.name, form, 'signed in', crew.agents[0]?.signed_in.by ?? 'unknown')
    }
  })

  test('delivers a plan over ACP, with its adapter where it needs one', async () => {
    await onPath()
    rmSync(join(lab.repo, 'bosun.yaml'))
    expect((await lab.bosun('init')).stdout).toContain(`${agent.name} (`)
    const needsAdapter = AGENT_ROWS.some((row) => row.name === agent.name && adapterOf(row) !== null)
    if (needsAdapter) {
      const installed = await lab.bosun('crew', 'install', agent.name)
      expect(installed.stdout, installed.stderr).toContain(`${agent.name} is driven over ACP from now on`)
    }
    const done = await lab.deliver()
    expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
    const log = (await lab.bosun('log')).stdout
    expect(log).toContain(` runs ${agent.name} (ACP`)
    expect(log).not.toContain('protocol=command')
    const crew: unknown = JSON.parse((await lab.bosun('crew', '--json')).stdout)
    expect(crew).toMatchObject({
      agents: [{ name: agent.name, protocol: 'acp' }],
      records: [{ agent: agent.name, tasks: 1, attempts: 1, first_pass: { passed: 1, of: 1 } }],
    })
    note(agent.name, 'acp', 'reports', reported ?? 'not at all')
  })

  test.runIf(agent.name in CHOICES)('uses the model and the effort of its role', async () => {
    const { set = '', asked = [], offers = null } = CHOICES[agent.name] ?? {}
    await onPath()
    if (AGENT_ROWS.some((row) => row.name === agent.name && adapterOf(row) !== null))
      await lab.bosun('crew', 'install', agent.name)
    if (offers !== null) {
      lab.write({ 'bosun.yaml': `roles: { developer: { agent: ${agent.name}, model: no-such-model } }\n` })
      const refused = await lab.bosun('run', 'plan.yaml', '--no-input')
      expect([refused.exit, refused.stderr]).toEqual([
        2,
        expect.stringMatching(
          new RegExp(`${agent.name}: it does not take model .no-such-model.; it offers .*${offers}`),
        ),
      ])
    }
    lab.write({ 'bosun.yaml': `roles: { developer: { agent: ${agent.name}, ${set} } }\n` })
    const done = await lab.deliver()
    expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
    const sent = server.asked().map(({ path, body }) => `${path} ${JSON.stringify(body)}`)
    for (const pattern of asked)
      expect(
        sent.some((one) => pattern.test(one)),
        String(pattern),
      ).toBe(true)
  })
})
