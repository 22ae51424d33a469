/**
 * A real coding agent as its user has it: goose from npm, on the PATH, and no agent in bosun.yaml. It develops, another
 * session of it reviews that, it mends what the review wants, and all report over MCP. Its model is a script.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import {
  act,
  call,
  edit,
  play,
  read,
  say,
  write,
  type Script,
  type Step,
} from '../agents/model-server/script.ts'
import { openAgentHome, pathWithAgent, type AgentHome } from '../real-agents/agent-home.ts'
import { goose } from '../real-agents/agents.ts'
import { install } from '../real-agents/install.ts'
import type { Lab } from './lab.ts'
import { artifactOf, reviewProject } from './review-project.ts'

const REPORT = {
  explanation: 'wrote the value',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/value.js', line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
}
const ISSUE = { description: 'it says bad', location: 'src/value.js:1', how_to_fix: 'say good' }
const NO_ISSUES = { critical: [], major: [], minor: [] }
const APPROVAL = 'reads well'

const report = (message_type: string, payload: object): Step =>
  act(call('report_to_pm', { message_type, payload }))

const script = (): Script =>
  play([
    {
      about: /This is round 1;/,
      steps: [
        report('review_changes_requested', { summary: 'not good yet', ...NO_ISSUES, major: [ISSUE] }),
        say('It is not good yet.'),
      ],
    },
    {
      about: /This is round 2;/,
      steps: [report('review_approved', { summary: APPROVAL, ...NO_ISSUES }), say('It is fine.')],
    },
    {
      about: new RegExp(ISSUE.description),
      steps: [
        act(read('src/value.js')),
        act(edit('src/value.js', 'bad', 'good')),
        report('work_completed', REPORT),
        say('It is mended.'),
      ],
    },
    {
      steps: [
        act(
          write('src/value.js', "export const value = 'bad'\n"),
          write('test/value.t', 'grep -q value src/value.js\n'),
        ),
        report('work_completed', REPORT),
        say('It is done.'),
      ],
    },
  ])

let server: ModelServer
let home: AgentHome
let lab: Lab
// About 100 MB the first time.
beforeAll(async () => {
  for (const installation of goose.installations) await install(installation)
}, 600_000)
beforeEach(async () => {
  server = await startModelServer(script())
  home = await openAgentHome(goose, server)
  lab = reviewProject({ reviewer: '' })
  // Its model plays a script of the work alone.
  lab.write({ 'bosun.yaml': 'brain: { provider: none }\n' })
  lab.variables = { ...home.env, PATH: await pathWithAgent(goose, home) }
})
afterEach(async () => {
  await lab.dispose()
  await server.close()
  await home.dispose()
})

test('goose develops, reviews and mends a task over ACP, and reports over MCP', async () => {
  const { exit, last, stderr } = await lab.deliver()
  const problems = last.inbox.map(({ problem }) => problem).join('\n')
  expect([exit, last.outcome, last.commits.length], `${stderr}\n${problems}`).toEqual([0, 'released', 1])
  expect(stderr).toContain('no agent configured; using goose, found on the PATH')
  expect(lab.git('show', `${last.branch}:src/value.js`)).toBe("export const value = 'good'")
  expect(artifactOf(lab)).toContain(APPROVAL)
  expect(server.requests.flatMap(({ missing }) => missing)).toEqual([])
  // Each of the four sessions reported by the tool, and Bosun accepted what it was called with.
  const answers = new Map(
    server.asked().flatMap(({ request }) => request.results.map(({ call: id, text }) => [id, text] as const)),
  )
  expect([...answers.values()].filter((text) => /"accepted":\s*true/.test(text))).toHaveLength(4)
  // What the review wants is mended in the session that wrote it.
  const isFix = ({ request }: { readonly request: ModelRequest }): boolean =>
    userText(request).includes(ISSUE.description) && !userText(request).includes('This is round')
  const mended = server.asked().findLast(isFix)?.request.messages ?? []
  expect(mended.map(({ text }) => text)).toContain('It is done.')
  const crew: unknown = JSON.parse((await lab.bosun('crew', '--json')).stdout)
  expect(crew).toMatchObject({
    agents: [{ name: 'goose', protocol: 'acp', fix: null }],
    records: [{ agent: 'goose', tasks: 1, attempts: 2, first_pass: { passed: 0, of: 1 } }],
  })
  expect(lab.processes().filter((line) => line.includes('goose'))).toEqual([])
})
