/** Real agents as plain commands, in their own sandboxes: they check in, report, and say when they are not signed in. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import { act, always, play, run, say, signedOut, write, type Script } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { reviewProject } from '../delivery/review-project.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'

const REPORT = {
  explanation: 'wrote the value',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/value.js', line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
}
const APPROVAL = { verdict: 'approved', summary: 'reads well', critical: [], major: [], minor: [] }

const inBrief = (request: ModelRequest, pattern: RegExp): string =>
  [...userText(request).matchAll(pattern)].at(-1)?.[1] ?? 'the brief names none'
const report = (text: object) => (request: ModelRequest) =>
  act(write(inBrief(request, /Write your report as JSON to `([^`]+)`/g), JSON.stringify(text)))
const checkin = (request: ModelRequest) =>
  act(run(`${inBrief(request, /^(\S+bosun-checkin) starting 5$/gm)} in_progress 40 --current-step building`))

const script = (): Script =>
  play([
    { about: /A review without a report/, steps: [report(APPROVAL), say('It is fine.')] },
    {
      steps: [
        checkin,
        act(
          write('src/value.js', "export const value = 'good'\n"),
          write('test/value.t', 'grep -q value src/value.js\n'),
        ),
        report(REPORT),
        say('It is done.'),
      ],
    },
  ])

/** Its sandbox lets it write to temporary folders, and the state root of a test is one. */
const CLONE_ONLY = ['slash_tmp', 'tmpdir_env_var'].flatMap((folder) => [
  '-c',
  `sandbox_workspace_write.exclude_${folder}=true`,
])
const SANDBOXED = REAL_AGENTS.filter(({ name }) => name === 'claude' || name === 'codex')

describe.each(SANDBOXED)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let lab: Lab
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  afterEach(async () => {
    await lab.dispose()
    await server.close()
    await home.dispose()
  })

  const deliver = async (played: Script) => {
    server = await startModelServer(played)
    home = await openAgentHome(agent, server)
    const { PATH: _, ...env } = home.env
    const more = agent.name === 'codex' ? CLONE_ONLY : []
    const builder = { protocol: 'command', command: [...agent.command(home.place), ...more], env }
    const roles = '{ developer: builder, fixer: builder, reviewer: builder }'
    lab = reviewProject({ builder: JSON.stringify(builder), reviewer: '', roles })
    // No other agent that could take over.
    lab.write({ 'bosun.yaml': `agents: { builder: ${JSON.stringify(builder)} }\nroles: ${roles}\n` })
    return lab.deliver()
  }

  test('checks in and reports from its sandbox', async () => {
    const { exit, last, stderr } = await deliver(script())
    expect([exit, last.commits.length], stderr).toEqual([0, 1])
    // Taken in, perhaps after the end of its worker: a scripted one takes a second.
    const taken = globSync(join(lab.home, 'repos/*/coordination/worker-checkins/archive/*.json'))
    expect(taken.map((file) => readFileSync(file, 'utf8'))).toEqual([
      expect.stringMatching(/"token":"\w+".*"current_step":"building"/),
    ])
  })

  test('that is not signed in is asked about once, with the fix, and uses no attempt', async () => {
    const { exit, last } = await deliver(always(signedOut()))
    expect([exit, last.outcome]).toEqual([10, 'needs_person'])
    expect(last.inbox.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^builder is not signed in: .*`(claude auth|codex) login`/),
    ])
    expect(lab.activity().filter(({ event }) => event === 'task_dispatched')).toHaveLength(1)
  })
})
