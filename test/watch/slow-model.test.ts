/** A model that takes eight minutes for its first word, on a clock sixty times as fast: neither a kill nor an alert. */
import { afterEach, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import { act, play, reply, say, write, type Step } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { openAgentHome, pathWithAgent, type AgentHome } from '../real-agents/agent-home.ts'
import { goose } from '../real-agents/agents.ts'
import { install } from '../real-agents/install.ts'

/** Of 20 min. */
const STALLED = 'watch: { stalled: 20s }\n'
const FIRST_TOKEN_S = 8

const TROUBLE =
  /^(alert_created|worker_(stalled|killed|restarted|failed)|zombie_detected|provider_limited|escalation_opened)$/

let lab: Lab | null = null
let server: ModelServer | null = null
let home: AgentHome | null = null
afterEach(async () => {
  await lab?.dispose()
  await server?.close()
  await home?.dispose()
  lab = server = home = null
})

const troubleIn = (one: Lab): readonly string[] =>
  one.activity().flatMap(({ event }) => (TROUBLE.test(event) ? [event] : []))

test('a command that prints nothing for eight minutes works on, and a person is not alerted', async () => {
  lab = smallProject({ agent: `sleep ${FIRST_TOKEN_S}; work; report`, settings: STALLED })
  const { last } = await lab.deliver()
  expect([last.outcome, troubleIn(lab)]).toEqual(['released', []])
  // It was nudged, with no means to deliver that.
  expect(lab.activity().map(({ event }) => event)).toContain('worker_nudged')
})

const REPORT = {
  explanation: 'wrote the value',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/m1/value', line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
}

function report(request: ModelRequest): Step {
  const path = /Write your report as JSON to `([^`]+)`/.exec(userText(request))?.[1]
  return act(write(path ?? 'the brief names no report', JSON.stringify(REPORT)))
}

test('goose, whose model is silent for eight minutes, works on, and is not even nudged', async () => {
  for (const installation of goose.installations) await install(installation)
  const work = [write('src/m1/value', '1\n'), write('test/m1.t', 'test -e src/m1/value\n')]
  const first = reply({ does: work, firstTokenMs: FIRST_TOKEN_S * 1000 })
  server = await startModelServer(play([{ steps: [first, report, say('It is done.')] }]))
  home = await openAgentHome(goose, server)
  lab = smallProject({ agent: '' })
  lab.write({ 'bosun.yaml': STALLED })
  lab.variables = { ...home.env, PATH: await pathWithAgent(goose, home) }
  const { last, stderr } = await lab.deliver()
  expect([last.outcome, troubleIn(lab)], stderr).toEqual(['released', []])
  expect(lab.activity().map(({ event }) => event)).not.toContain('worker_nudged')
}, 600_000)
