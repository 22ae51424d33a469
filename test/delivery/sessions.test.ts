/** Attempts that continue the session of the one before, with the real program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const AGENT = join(import.meta.dirname, '../fixtures/agents/acp-worker.mjs')

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

function project(agent: string): { readonly lab: Lab; readonly sessions: string } {
  const made = smallProject({ agent })
  const sessions = join(made.folder, 'sessions')
  const command = JSON.stringify([process.execPath, AGENT, '-', 'sh', 'tools/agent.sh', made.repo])
  made.write({
    'bosun.yaml': `agents: { crew: { protocol: acp, command: ${command}, env: { SESSIONS: ${sessions} } } }\n`,
  })
  lab = made
  return { lab: made, sessions }
}
const promptsIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string)

const FAILS_FIRST = 'work; report; if [ "$BOSUN_ATTEMPT" = 1 ]; then echo false > test/m1.t; fi'

test('a fix attempt gets the evidence in the session of the attempt before, and not its brief again', async () => {
  const { lab, sessions } = project(FAILS_FIRST)
  const { last } = await lab.deliver()
  expect(last.outcome).toBe('released')
  expect(readdirSync(sessions)).toEqual(['session-w-small-1-1'])
  const [brief = '', fix = '', ...more] = promptsIn(join(sessions, 'session-w-small-1-1'))
  expect([brief.includes('## Definition of done'), fix.includes('## Definition of done'), more]).toEqual([
    true,
    false,
    [],
  ])
  expect(fix).toContain('Bosun checked your work, and it does not pass yet.')
  expect(fix).toContain('These gates failed: tests_to_add, tests_to_run, unit.')
  const kept = /it is in `([^`]+)`/.exec(fix)?.[1] ?? ''
  expect(kept).toMatch(/brief\.md$/)
  const events = lab.activity().filter(({ event }) => event.startsWith('session_'))
  expect(events.map(({ event, data }) => [event, data['session'], data['agent']])).toEqual([
    ['session_opened', 'session-w-small-1-1', 'crew'],
    ['session_continued', 'session-w-small-1-1', 'crew'],
  ])
})

test('an attempt whose session is lost begins a new one, and uses no further attempt', async () => {
  const { lab, sessions } = project(`${FAILS_FIRST}; rm -f "$SESSIONS"/*-1-1`)
  const { last } = await lab.deliver()
  expect(last.outcome).toBe('released')
  expect(existsSync(join(sessions, 'session-w-small-1-2'))).toBe(true)
  expect(promptsIn(join(sessions, 'session-w-small-1-2'))[0]).toContain('## Definition of done')
  expect(lab.activity().filter(({ event }) => event === 'task_dispatched')).toHaveLength(2)
  const lost = lab.activity().find(({ event, data }) => event === 'session_opened' && 'lost' in data)
  expect(lost?.data).toMatchObject({
    lost: 'session-w-small-1-1',
    why: expect.stringContaining('no session'),
  })
})

test('the transcript of a worker can be read afterwards, without a daemon', async () => {
  const { lab } = project('work; report')
  await lab.deliver()
  await lab.stop()
  const { exit, stdout } = await lab.bosun('worker', 'log', 'w-small-1-1')
  expect(exit).toBe(0)
  expect(stdout).toContain('bosun  ## Task 1: Add value 1')
  expect(stdout).toContain('agent  That is all.')
  const json = JSON.parse((await lab.bosun('worker', 'log', 'w-small-1-1', '--json')).stdout) as {
    readonly schema: string
    readonly ended: boolean
    readonly entries: readonly { readonly kind: string; readonly text: string }[]
  }
  expect([json.schema, json.ended, json.entries.find(({ kind }) => kind === 'message')?.text]).toEqual([
    'bosun.worker/v1',
    true,
    'That is all.',
  ])
  expect((await lab.bosun('worker', 'log', 'w-small-9-1')).exit).toBe(3)
})

const WAITS_FIRST = 'work; report; if [ "$BOSUN_ATTEMPT" = 1 ]; then sleep 600; fi'
const begun = (lab: Lab) =>
  expect
    .poll(() => lab.activity().some(({ event }) => event === 'session_opened'), { timeout: 60_000 })
    .toBe(true)

test('a worker whose supervisor is killed is followed by one that goes on in its session', async () => {
  const { lab, sessions } = project(WAITS_FIRST)
  const running = lab.deliver()
  await begun(lab)
  const supervisor = lab.processes().find((line) => line.includes('supervise w-small-1-1'))
  process.kill(Number(supervisor?.split(' ')[0]), 'SIGKILL')
  expect((await running).last.outcome).toBe('released')
  const [, again = '', ...more] = promptsIn(join(sessions, 'session-w-small-1-1'))
  expect([again.includes('You were interrupted: its supervisor died.'), more]).toEqual([true, []])
})

test('a transcript is followed until the worker ends, and the worker shows its session', async () => {
  const { lab } = project('sleep 3; work; report')
  const running = lab.deliver()
  await begun(lab)
  const { exit, stdout } = await lab.bosun('worker', 'log', 'w-small-1-1', '--follow', '--json')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind?: string; readonly text?: string })
  expect(lines.slice(0, -1).flatMap((line) => documentProblems(line, ['worker log --follow line']))).toEqual(
    [],
  )
  expect(documentProblems(lines.at(-1), ['worker log --follow'])).toEqual([])
  expect([exit, lines.at(-1)]).toEqual([0, { schema: 'bosun.worker/v1', ended: true }])
  expect(lines.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['session', 'prompt', 'message', 'turn_ended']),
  )
  const { stdout: whole } = await lab.bosun('worker', 'log', 'w-small-1-1', '--json')
  expect(documentProblems(JSON.parse(whole), ['worker log'])).toEqual([])
  const { stdout: shown } = await lab.bosun('worker', 'show', 'w-small-1-1')
  expect(shown).toContain('session: session-w-small-1-1 of crew (can be continued)')
  await running
})
