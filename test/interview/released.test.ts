/** From a sentence, and from a spec, to a released plan: the real program at a terminal, with an agent that edits files. */
import { existsSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { TraceAnswer } from '../../src/protocol/plan-views.ts'
import { Lab } from '../delivery/lab.ts'
import { documentProblems } from '../helpers/json-documents.ts'
import { GREETING_SPEC } from './greeting-spec.ts'

/** Writes what its brief asks for: a file of code and the tests that the brief names. */
const AGENT = `
import { readFileSync, writeFileSync } from 'node:fs'
const { BOSUN_ROLE: role, BOSUN_REPORT: report, BOSUN_TASK_ID: task } = process.env
const brief = readFileSync(0, 'utf8')
const criteria = [...brief.matchAll(/^([0-9]+)\\. /gm)].map(([, number]) => Number(number))
const say = (data) => writeFileSync(report, JSON.stringify(data))
if (brief.includes("'hello Ann'")) say({ explanation: 'stopped', blockers: ['visitors are not on first-name terms'] })
else if (role === 'reviewer') say({ verdict: 'approved', summary: 'fine', critical: [], major: [], minor: [] })
else {
  const name = task.toLowerCase().replaceAll('.', '-')
  const file = 'src/' + name + '.js'
  writeFileSync(file, 'export const done = ' + criteria.length + '\\n')
  for (const [, path] of brief.matchAll(/^- Add: \`([^\`]+)\`/gm))
    writeFileSync(path, [
      "import assert from 'node:assert'",
      "import { test } from 'node:test'",
      "import { done } from '../" + file + "'",
      "test('" + task + "', () => assert.equal(done, " + criteria.length + "))",
      '',
    ].join('\\n'))
  say({
    explanation: 'done',
    criteria: criteria.map((criterion) => ({ criterion, file, line: 1 })),
    review_note: { summary: 'as asked', risks: [], rollback: 'revert' },
  })
}
`
const lab = new Lab({
  'README.md': '# Shop\n',
  'package.json': '{"name":"shop","type":"module","scripts":{"test":"node --test"}}',
  'src/settings.js': 'export const settings = {}\n',
  'test/settings.test.js': "import { test } from 'node:test'\ntest('settings', () => {})\n",
  'tools/agent.mjs': AGENT,
  'bosun.yaml':
    'agents: { crew: { protocol: command, command: [node, tools/agent.mjs] } }\nroles: { developer: crew, fixer: crew, reviewer: crew }\n',
})
afterAll(() => lab.dispose())

const CTRL_C = '\u0003'
const atTerminal = test.skipIf(!existsSync('/usr/bin/script'))

atTerminal('a sentence is asked about, previewed, submitted, planned, built and released', async () => {
  const sentence = 'Let users upload a picture and see it in their profile and in comments'
  const sitting = lab.sit(['start', sentence, '--type', 'feature_request', '--scope', 'medium'])
  await sitting.until('scope     medium')
  await sitting.type('Start?', '')
  await sitting.until('1/6 ')
  await sitting.type('> ', '')
  await sitting.type('> ', '')
  await sitting.until('3/6 ')
  await sitting.type('> ', 'A profile shows the picture')
  for (let line = 0; line < 4; line++) await sitting.type('> ', '')
  await sitting.until('### R-001: ')
  await sitting.until('2 Submit for Development')
  await sitting.type('1 or 2> ', '2')
  await sitting.until('The spec is with the architect.')
  await sitting.type('Start it (s), edit it (e), refuse it (r)', 's')
  await sitting.until(' is released on feat/let-users-upload')
  expect(await sitting.end()).toBe(0)

  const trace = await json<TraceAnswer>('trace', 'R-001')
  expect(documentProblems(trace, ['trace'])).toEqual([])
  const { requirements } = trace
  const commits = requirements.flatMap(({ tasks }) => tasks.map(({ commit_sha }) => commit_sha))
  expect(requirements).toMatchObject([{ id: 'R-001', tasks: [{ status: 'completed', tests_pass: null }] }])
  const { plans } = await json<{ plans: readonly [{ id: string }] }>('status')
  const [{ id }] = plans
  expect(lab.briefOf(`w-${id}-s-001-1-1`)).not.toContain('spec.yaml')
  expect(lab.git('rev-list', `feat/${id}/working`).split('\n')).toEqual(expect.arrayContaining(commits))
  expect((await lab.bosun('release', 'verify', id)).stdout).toMatch(/ok +trace +1 requirement traced/)
  expect((await lab.bosun('release', 'show', id)).stdout).toContain('R-001')
})

atTerminal(
  'a changed spec of a running plan shows its difference, and is released when accepted',
  async () => {
    lab.write({ 'spec.md': GREETING_SPEC })
    const first = lab.sit(['start', 'spec.md', '--yes'])
    await first.type('1 or 2> ', '2')
    await first.type('waiting for you', CTRL_C)
    expect(await first.end()).toBe(130)

    lab.write({ 'spec.md': GREETING_SPEC.replace("'hello Ann'", "'good day, Ann'") })
    const second = lab.sit(['start', 'spec.md', '--yes'])
    await second.until('Submitting it changes plan greeting-by-name:')
    await second.until('~ R-001  changed: acceptance criteria')
    await second.until('Tasks that are replaced or removed: S-001.1 (R-001)')
    await second.type('1 or 2> ', '2')
    await second.until('greeting-by-name is released on feat/greeting-by-name/working')
    expect(await second.end()).toBe(0)
  },
)

async function json<T>(...args: readonly string[]): Promise<T> {
  const { stdout, stderr, exit } = await lab.bosun(...args, '--json')
  expect(exit, stderr).toBe(0)
  return JSON.parse(stdout) as T
}
