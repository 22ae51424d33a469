/** `bosun start` with the real program: a sentence, a file and standard input, up to a branch. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { Lab } from './lab.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const AGENT = `#!/bin/sh
cat > /dev/null
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"
  exit 0
fi
echo 'export const settings = { dark: true }' > src/settings.js
echo '{"explanation":"done","criteria":[{"criterion":1,"file":"src/settings.js","line":1}],"review_note":{"summary":"a toggle","risks":[],"rollback":"revert"}}' > "$BOSUN_REPORT"
`
const lab = new Lab({
  'README.md': '# Helo\n',
  'package.json': '{"name":"x","type":"module","scripts":{"test":"node --test"}}',
  'src/settings.js': 'export const settings = {}\n',
  'test/settings.test.js': "import { test } from 'node:test'\ntest('settings', () => {})\n",
  'tools/agent.sh': AGENT,
  'bosun.yaml': [
    'agents:',
    ...['maker', 'mender', 'critic'].map(
      (name) => `  ${name}: { protocol: command, command: [sh, tools/agent.sh, ${name}] }`,
    ),
    'roles: { developer: maker, fixer: mender, reviewer: critic }',
    '',
  ].join('\n'),
})
afterAll(() => lab.dispose())

const SMALL = ['--type', 'feature_request', '--scope', 'small'] as const

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>)

describe('a sentence', () => {
  test('is understood, done by one developer, checked and handed over as a branch that nobody has read', async () => {
    const sentence = 'Add dark mode toggle to settings page'
    const { exit, stdout, stderr } = await lab.bosun('start', sentence, ...SMALL, '--no-input', '--json')
    expect(exit, stderr).toBe(0)
    const lines = linesOf(stdout)
    expect(documentProblems(lines[0], ['start intake line'])).toEqual([])
    expect(lines.slice(1, -1).flatMap((line) => documentProblems(line, ['start line']))).toEqual([])
    expect(documentProblems(lines.at(-1), ['start'])).toEqual([])
    expect(lines[0]).toMatchObject({
      schema: 'bosun.start/v1',
      intake: {
        type: 'feature_request',
        scope: 'small',
        workflow: 'direct',
        summary:
          "one task for a developer (the fixer's agent), gates, a branch; no brain, so nobody reads it",
        judged_by: null,
        not_judged: 'not judged: no model',
        work: { criteria: [sentence] },
        questions: [{ id: 'criteria', by: 'lines', default: '' }],
        next: 'one_task',
      },
    })
    const branch = 'feat/add-dark-mode/working'
    expect(lines.at(-1)).toMatchObject({ schema: 'bosun.start/v1', outcome: 'released', branch })
    expect(lab.git('show', `${branch}:src/settings.js`)).toContain('dark: true')
    expect(lab.git('rev-list', '--count', 'main')).toBe('1')
    const workers = lab.activity().filter(({ event }) => event === 'worker_registered')
    expect(workers.map(({ data }) => data['agent'])).toEqual(['mender'])
    const dispatched = lab.activity().filter(({ event }) => event === 'task_dispatched')
    expect(dispatched.map(({ data }) => data['role'])).toEqual(['developer'])
    const reviewed = lab.activity().filter(({ event }) => event === 'review_approved')
    expect(reviewed.map(({ data }) => [data['by'], data['summary']])).toEqual([
      ['nobody', expect.stringContaining('not judged: no model; checked by code alone: 1 file changed')],
    ])
  })

  test('started again attaches to its plan until that is signed off', async () => {
    const sentence = 'Add dark mode toggle to settings page'
    const again = await lab.bosun('start', sentence, ...SMALL, '--no-input', '--json')
    expect(linesOf(again.stdout).at(-1)).toMatchObject({
      plan: 'add-dark-mode',
      outcome: 'released',
    })
  })
})

test.each([
  [['start', ''], 2, 'the request is empty'],
  [['start', 'src'], 2, 'src is a directory'],
  [['start', 'missing.md'], 3, 'no such file: missing.md'],
  [['start', '%% 99 ??', '--no-input'], 10, 'What should be done?'],
  [
    ['start', 'harbour lights', '--no-input'],
    10,
    'Say it with --type new_project|feature_request|bug_fix and --scope trivial|small|medium|large.',
  ],
  [['start', 'harbour lights', '--yes'], 10, 'not judged: no model'],
  [['start', 'harbour lights', '--type', 'bug_fix', '--no-input'], 10, 'Say it with --scope trivial|'],
  [['start', 'fix typo', '--scope', 'tiny'], 2, 'invalid --scope "tiny"'],
])('%j ends with %d: %s', async (args, exit, message) => {
  const ended = await lab.bosun(...args)
  expect({ exit: ended.exit, stderr: ended.stderr }).toMatchObject({
    exit,
    stderr: expect.stringContaining(message),
  })
})

test('work that needs an interview begins one, and without a person it ends with 10', async () => {
  const sentence = 'Let users upload a picture: store it, resize it, show it in the profile and in comments'
  const larger = ['--type', 'feature_request', '--scope', 'medium']
  const { exit, stdout } = await lab.bosun('start', sentence, ...larger, '--no-input', '--json')
  expect(exit).toBe(10)
  expect(linesOf(stdout).at(-1)).toMatchObject({ outcome: 'needs_person', interview: { session_id: '1.1' } })
  expect(documentProblems(linesOf(stdout).at(-1), ['start interview'])).toEqual([])
  const looked = await lab.bosun('interview', '--no-input', '--json')
  expect(documentProblems(JSON.parse(looked.stdout), ['interview'])).toEqual([])
})

test('each error of a spec names the file and the line', async () => {
  lab.write({ 'broken.md': '# Feature: Greeting\n\n## Requirements\n\n### R-001: Greet\n' })
  const { exit, stderr } = await lab.bosun('start', 'broken.md', '--no-input')
  expect(exit).toBe(1)
  expect(stderr).toContain('broken.md:1: error: no front matter')
  expect(stderr).toContain('broken.md:5: error: requirement R-001 has no acceptance criterion')
})

test('a person corrects what was understood before anything is spent', async () => {
  const sitting = lab.sit(['start', 'fix typo in README'])
  await sitting.type('What is it?', '2')
  await sitting.type('How much does it change?', 'trivial')
  await sitting.type('What must be true', 'It says “Hello”')
  await sitting.type('> ', '')
  await sitting.until('done when It says “Hello”')
  await sitting.type('Start?', 'scope=large title=Greet properly')
  await sitting.until('scope     large')
  await sitting.type('Start?', 'q')
  expect(await sitting.end()).toBe(0)
  expect((await lab.bosun('status', '--json')).stdout).not.toContain('fix-typo-in-readme')
})

test('without an agent nothing is started, and the install line is named', async () => {
  const bare = new Lab({ 'README.md': '# Helo\n' })
  onTestFinished(() => bare.dispose())
  bare.write({ 'plan.md': '# Plan\n\n### Task 1: Greet\n\n- [ ] it says hello\n' })
  for (const args of [
    ['start', 'fix typo in README', '--type', 'bug_fix', '--scope', 'trivial'],
    ['run', 'plan.md'],
  ]) {
    const { exit, stderr } = await bare.bosun(...args, '--no-input')
    expect(exit, stderr).toBe(14)
    expect(stderr).toContain('npm install -g')
  }
  expect(JSON.parse((await bare.bosun('status', '--json')).stdout)).toMatchObject({ plans: [] })
})
