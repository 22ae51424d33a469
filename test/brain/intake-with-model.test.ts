/** `bosun start` where the brain is a model: what it is asked, what its answers change, and what happens without them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { IntakeAnswer } from '../../src/protocol/intake.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import { always, overloaded, say, signedOut, type Script } from '../agents/model-server/script.ts'
import { Lab } from '../delivery/lab.ts'

/** A question by the words of its task. */
const QUESTIONS = {
  classify: 'Classify a request',
  context: 'Describe a code base',
  scope: 'Assess how large',
  phrase_question: 'Word the quoted question',
  decompose: 'Split the request',
} as const
type Name = keyof typeof QUESTIONS

const nameOf = (request: ModelRequest): Name | 'another' =>
  (Object.keys(QUESTIONS) as Name[]).find((name) =>
    `${request.system}\n${userText(request)}`.includes(QUESTIONS[name]),
  ) ?? 'another'

const ANSWERS: Readonly<Record<Name, unknown>> = {
  classify: { type: 'feature_request', isUnsure: false, reasons: ['the model says so'] },
  context: {
    architecture: 'one module of prices',
    keyPaths: [{ name: 'prices', path: 'src/prices.js' }],
    patterns: [{ name: 'modules', text: 'one module a noun', example: 'src/prices.js' }],
  },
  scope: { scope: 'small', isUnsure: false, reasons: ['one file'] },
  phrase_question: { text: 'Is the harbour broken, or do you want lights?' },
  decompose: {
    stories: [
      {
        id: 'S-001',
        title: 'Prices',
        requirements: ['R-001'],
        depends_on: [],
        tasks: [story('S-001.1', 'Round prices', []), story('S-001.2', 'Show rounded prices', ['S-001.1'])],
      },
    ],
  },
}

function story(id: string, title: string, dependsOn: readonly string[]) {
  return {
    id,
    title,
    description: title,
    kind: 'code',
    role: 'developer',
    area: null,
    depends_on: dependsOn,
    acceptance_criteria: [{ requirement: 'R-001', text: `${title} to cents` }],
    files: { create: [], modify: ['src/prices.js'], delete: [] },
    tests_to_add: ['test/prices.test.js'],
  }
}

const answering =
  (changed: Partial<Record<Name, unknown>> = {}): Script =>
  (request) => {
    const name = nameOf(request)
    return say(name === 'another' ? 'nothing' : JSON.stringify({ ...ANSWERS, ...changed }[name]))
  }

const AGENT = `#!/bin/sh
cat > /dev/null
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"
  exit 0
fi
echo 'export const prices = [1]' > src/prices.js
echo '{"explanation":"done","criteria":[{"criterion":1,"file":"src/prices.js","line":1}],"review_note":{"summary":"one price","risks":[],"rollback":"revert"}}' > "$BOSUN_REPORT"
`

let server: ModelServer
let lab: Lab
let from = 0
beforeAll(async () => {
  server = await startModelServer(answering())
  lab = new Lab({
    'package.json': '{"name":"x","type":"module","scripts":{"test":"node --test"}}',
    'src/prices.js': 'export const prices = []\n',
    'test/prices.test.js': "import { test } from 'node:test'\ntest('prices', () => {})\n",
    'tools/agent.sh': AGENT,
    'bosun.yaml': [
      'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
      'roles: { developer: crew, fixer: crew, reviewer: crew }',
      `brain: { provider: openai, base_url: "${server.url}/v1", large: gpt-5.5, small: gpt-5.5-mini }`,
      '',
    ].join('\n'),
  })
  lab.variables = { OPENAI_API_KEY: 'sk-brain-0123456789abcdef' }
})
afterAll(async () => {
  await lab.dispose()
  await server.close()
})
beforeEach(() => {
  from = server.asked().length
  server.play(answering())
})

/** The questions since the test began, once each. */
const asked = (): readonly string[] => [
  ...new Set(
    server
      .asked()
      .slice(from)
      .map(({ request }) => nameOf(request)),
  ),
]

async function intake(...args: readonly string[]): Promise<{ exit: number | null; intake: IntakeAnswer }> {
  const { exit, stdout, stderr } = await lab.bosun('start', ...args, '--no-input', '--json')
  const [line = ''] = stdout.split('\n')
  expect(line, stderr).toContain('intake')
  return { exit, intake: (JSON.parse(line) as { intake: IntakeAnswer }).intake }
}

test('a request is classified, its code base described and its scope assessed by the model', async () => {
  // It tries the commands; what came of them is known from then on.
  expect((await lab.bosun('doctor')).stdout).toContain('test')
  const { exit, intake: understood } = await intake('fix the prices')
  expect(exit).toBe(0)
  expect(understood).toMatchObject({ type: 'feature_request', scope: 'small', workflow: 'direct' })
  expect(understood.reasons).toEqual(
    expect.arrayContaining(['feature_request: the model says so', 'answered by openai/gpt-5.5-mini']),
  )
  expect(asked()).toEqual(['classify', 'context', 'scope'])
  const described = server.asked().find(({ request }) => nameOf(request) === 'context')
  expect(JSON.stringify(described?.request)).toMatch(/test command: [^(]*\(passed\)/)
  const scope = server.asked().find(({ request }) => nameOf(request) === 'scope')
  expect(JSON.stringify(scope?.request)).toContain('one module of prices')
})

test('what the user decides is not asked, and an ambiguous request is asked about in words of its own', async () => {
  server.play(
    answering({ classify: { type: 'feature_request', isUnsure: true, reasons: ['it may be either'] } }),
  )
  const { exit, stderr } = await lab.bosun('start', 'harbour lights', '--scope', 'small', '--no-input')
  expect(exit).toBe(10)
  expect(stderr).toContain('the request is ambiguous: Is the harbour broken, or do you want lights?')
  expect(asked()).toEqual(['classify', 'context', 'phrase_question'])
})

test('larger work without an interview is split by the model, and the same request attaches to its plan', async () => {
  server.play(answering({ classify: { type: 'bug_fix', isUnsure: false, reasons: ['it is wrong'] } }))
  const request = ['prices are wrong in the cart and on the invoice', '--scope', 'medium'] as const
  const first = await intake(...request)
  expect(first.intake).toMatchObject({
    workflow: 'fix',
    next: 'one_task',
    summary: '2 tasks, gates, review, a branch',
    estimate: { tasks: { least: 2, most: 2 } },
  })
  expect(first.intake.plan?.text).toContain('Show rounded prices')
  expect(asked()).toContain('decompose')
  const { stdout } = await lab.bosun('status', '--json')
  expect(stdout).toContain(first.intake.plan?.id ?? 'none')
  const before = server.asked().filter(({ request: one }) => nameOf(one) === 'decompose').length
  const again = await intake(...request)
  expect(again.intake.plan).toEqual(first.intake.plan)
  expect(server.asked().filter(({ request: one }) => nameOf(one) === 'decompose')).toHaveLength(before)
})

test.each([
  ['a refused key', always(signedOut()), 10, /^answered by rules: openai refused the key \(401\)/],
  ['prose', always(say('It is a bug, I think.')), 10, /^answered by rules: /],
  // Waited for once, not for each of its questions.
  ['an overload', always(overloaded()), 10, /^answered by rules: openai is unavailable/],
  [
    'a description of files that do not exist',
    answering({
      context: { architecture: null, keyPaths: [{ name: 'x', path: '/etc/passwd' }], patterns: [] },
    }),
    0,
    /^answered by openai/,
  ],
])('%s leaves it to the rules, and the reasons say so', async (_what, script, ends, reason) => {
  server.play(script)
  const { exit, intake: understood } = await intake('harbour lights')
  expect([exit, understood.type]).toEqual([ends, 'feature_request'])
  expect(understood.reasons).toEqual(expect.arrayContaining([expect.stringMatching(reason)]))
})
