/** `bosun start` where the brain is a model: what it is asked, what its answer changes, and what happens without one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UnderstoodRequest } from '../../src/core/thinking/questions/understand.ts'
import type { IntakeAnswer } from '../../src/protocol/intake.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import { always, overloaded, say, signedOut, type Script } from '../agents/model-server/script.ts'
import { Lab } from '../delivery/lab.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const UNDERSTOOD: UnderstoodRequest = {
  type: 'bug_fix',
  scope: 'small',
  title: 'Round prices to cents',
  answer: null,
  expected: 'A price of 1.005 is shown as 1.01',
  criteria: ['A price without cents is shown with “.00”'],
  files: { create: [], modify: ['src/prices.js'] },
  tests_to_add: ['test/prices.test.js'],
  constraints: ['No new dependency'],
  out_of_scope: ['Currencies'],
  touches: [],
  questions: [],
  stories: [],
  reasons: ['prices are shown as they are computed'],
}
const WHERE = { text: 'Which prices?', options: ['In the cart', 'Everywhere'], default: 'Everywhere' }

function story(id: string, title: string, dependsOn: readonly string[]) {
  return {
    id,
    title,
    description: title,
    kind: 'code' as const,
    role: 'developer' as const,
    area: null,
    depends_on: dependsOn,
    acceptance_criteria: [{ requirement: 'R-001', text: `${title} to cents` }],
    files: { create: [], modify: ['src/prices.js'], delete: [] },
    tests_to_add: ['test/prices.test.js'],
  }
}
const TWO_TASKS: UnderstoodRequest['stories'] = [
  {
    id: 'S-001',
    title: 'Prices',
    requirements: ['R-001'],
    depends_on: [],
    tasks: [story('S-001.1', 'Round prices', []), story('S-001.2', 'Show rounded prices', ['S-001.1'])],
  },
]

const isUnderstand = (request: ModelRequest): boolean =>
  `${request.system}\n${userText(request)}`.includes('A user asks for something in a software project.')

const answering =
  (changed: Partial<UnderstoodRequest> = {}): Script =>
  (request) =>
    say(isUnderstand(request) ? JSON.stringify({ ...UNDERSTOOD, ...changed }) : 'nothing')

const AGENT = `#!/bin/sh
cat > /dev/null
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"
  exit 0
fi
echo 'export const price = (cents) => (Math.round(cents * 100) / 100).toFixed(2)' > src/prices.js
cat > test/prices.test.js <<'T'
import { test } from 'node:test'
import assert from 'node:assert'
import { price } from '../src/prices.js'
test('prices', () => assert.equal(price(1), '1.00'))
T
at() { printf '{"criterion":%s,"file":"%s","line":1}' "$1" "$2"; }
echo '{"explanation":"done","criteria":['"$(at 1 src/prices.js),$(at 2 src/prices.js),$(at 3 test/prices.test.js)"'],"review_note":{"summary":"prices have cents","risks":[],"rollback":"revert"}}' > "$BOSUN_REPORT"
`

let server: ModelServer
let lab: Lab
let from = 0
beforeAll(async () => {
  server = await startModelServer(answering())
  lab = new Lab({
    'package.json': '{"name":"x","type":"module","scripts":{"test":"node --test"}}',
    'src/prices.js': 'export const price = (cents) => String(cents)\n',
    'test/prices.test.js': "import { test } from 'node:test'\ntest('nothing', () => {})\n",
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

/** What was asked about requests since the test began. */
const asked = (): readonly string[] =>
  server
    .asked()
    .slice(from)
    .flatMap(({ request }) => (isUnderstand(request) ? [userText(request)] : []))

async function intake(...args: readonly string[]): Promise<{ exit: number | null; intake: IntakeAnswer }> {
  const { exit, stdout, stderr } = await lab.bosun('start', ...args, '--no-input', '--json')
  const [line = ''] = stdout.split('\n')
  expect(line, stderr).toContain('intake')
  return { exit, intake: (JSON.parse(line) as { intake: IntakeAnswer }).intake }
}

test('one question about the request and its code base makes the task, which is committed as a fix', async () => {
  const { exit, intake: understood } = await intake('prices look wrong, e.g. 1.005')
  expect(exit).toBe(0)
  expect(understood).toMatchObject({
    title: 'Round prices to cents',
    type: 'bug_fix',
    scope: 'small',
    workflow: 'fix',
    judged_by: 'openai/gpt-5.5',
    not_judged: null,
    work: {
      criteria: [
        'A price of 1.005 is shown as 1.01',
        'A price without cents is shown with “.00”',
        'A test that fails on the base reproduces it',
      ],
      files: { modify: ['src/prices.js'] },
    },
    plan: { id: 'round-prices-to' },
  })
  expect(asked()).toHaveLength(1)
  expect(asked()[0]).toContain('| prices look wrong, e.g. 1.005')
  expect(asked()[0]).toContain('| src/prices.js')
  expect(asked()[0]).toContain('| export const price = (cents)')
  const branch = 'feat/round-prices-to/working'
  expect(lab.git('log', '--format=%s', `main..${branch}`)).toMatch(/^fix[(:].*round prices to cents/m)
  expect(lab.briefOf('w-round-prices-to-1-1')).toContain('prices look wrong, e.g. 1.005')
  const again = await intake('prices look wrong, e.g. 1.005')
  expect(again.intake.plan).toEqual(understood.plan)
})

test('an answer that names what is not there is refused, and asked for again with the reason', async () => {
  let first = true
  server.play((request) => {
    const files = first ? { create: [], modify: ['src/price.js'] } : UNDERSTOOD.files
    first = false
    return answering({ files })(request)
  })
  const { intake: understood } = await intake('prices look wrong', '--scope', 'small')
  expect(understood.work.files.modify).toEqual(['src/prices.js'])
  expect(asked()).toHaveLength(2)
  expect(asked()[1]).toContain('did you mean src/prices.js')
})

test('what is unclear comes back as questions, and nothing is started without their answers', async () => {
  server.play(answering({ expected: null, criteria: [], questions: [{ ...WHERE, default: null }] }))
  const open = await lab.bosun('start', "it doesn't work", '--no-input')
  expect(open.exit).toBe(10)
  expect(open.stderr).toContain('Which prices? (In the cart; Everywhere)')
  expect((await lab.bosun('start', "it doesn't work", '--yes')).exit).toBe(10)
  expect((await lab.bosun('status', '--json')).stdout).not.toContain('doesn')
})

test('questions are answered in words at the terminal, and asked about again with the answers', async () => {
  server.play((request) =>
    answering(
      userText(request).includes('The user answered')
        ? { title: 'Round in the cart' }
        : { questions: [WHERE] },
    )(request),
  )
  const sitting = lab.sit(['start', 'prices look odd'])
  await sitting.until('asking openai')
  await sitting.type('Which prices?', 'only those of the basket')
  await sitting.until('Round in the cart')
  await sitting.type('Start?', 'q')
  expect(await sitting.end()).toBe(0)
  expect(asked().at(-1)).toContain('| The user answered: only those of the basket')
})

test('a question is answered on the spot, and nothing is registered', async () => {
  const told = {
    type: 'question' as const,
    answer: 'Prices are text.',
    expected: null,
    criteria: [],
    tests_to_add: [],
  }
  server.play(answering({ ...told, files: { create: [], modify: [] } }))
  const { exit, stdout } = await lab.bosun('start', 'How are prices kept?', '--no-input')
  expect(exit).toBe(0)
  expect(stdout).toContain('Prices are text.')
  const { stdout: lines } = await lab.bosun('start', 'How are prices kept?', '--no-input', '--json')
  const last: unknown = JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '')
  expect(documentProblems(last, ['start answered'])).toEqual([])
  expect(last).toMatchObject({ outcome: 'answered', answer: 'Prices are text.' })
  expect((await lab.bosun('status', '--json')).stdout).not.toContain('how-are-prices')
})

test('larger work without an interview becomes the tasks that the model names', async () => {
  server.play(answering({ scope: 'medium', title: 'Show rounded prices everywhere', stories: TWO_TASKS }))
  const first = await intake('prices are wrong in the cart and on the invoice')
  expect(first.intake).toMatchObject({
    workflow: 'fix',
    next: 'one_task',
    summary: '2 tasks, gates, review, a branch',
    estimate: { tasks: { least: 2, most: 2 } },
  })
  expect(first.intake.plan?.text).toContain('Show rounded prices')
  expect(first.intake.plan?.text).toMatch(/^constraints:\n  - No new dependency$/m)
  expect((await lab.bosun('status', '--json')).stdout).toContain(first.intake.plan?.id ?? 'none')
})

test('files that a model names in its tasks alone count as files of the work', async () => {
  const stories = TWO_TASKS.map((one) => ({ ...one, tasks: one.tasks.slice(0, 1) }))
  const nothing = { files: { create: [], modify: [] }, tests_to_add: [] }
  server.play(answering({ ...nothing, stories, title: 'Round prices on the packing slip' }))
  const { intake: understood } = await intake('prices are wrong on the packing slip')
  expect(understood).toMatchObject({
    next: 'one_task',
    questions: [],
    work: { files: { create: [], modify: ['src/prices.js'] }, tests_to_add: ['test/prices.test.js'] },
  })
})

test.each([
  ['a refused key', always(signedOut()), /openai refused the key \(401\)/],
  ['prose', always(say('It is a bug, I think.')), /no valid answer/],
  ['an overload', always(overloaded()), /openai is unavailable/],
])('after %s nobody judges, the user is asked, and the reason is named', async (_what, script, reason) => {
  server.play(script)
  const { exit, intake: understood } = await intake('harbour lights')
  expect(exit).toBe(10)
  expect(understood).toMatchObject({ type: null, judged_by: null, next: 'ask' })
  expect(understood.not_judged).toMatch(reason)
})
