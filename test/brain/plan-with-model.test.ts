/** A plan whose brain is a model: what it is asked, what that costs, and where its key is not. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlanRow } from '../../src/protocol/answers.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { always, say, signedOut, type Script } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'

const KEY = 'sk-brain-0123456789abcdef'
const ADVICE = 'Write the value before the test.'

let server: ModelServer
let lab: Lab
beforeEach(async () => {
  server = await startModelServer(always(say('')))
})
afterEach(async () => {
  await lab.dispose()
  await server.close()
})

/** Its first worker forgets the value, so that its gates fail once. */
const FORGETFUL = 'work; if [ "$BOSUN_ATTEMPT" = 1 ]; then rm "src/m$id/value"; fi; report'
const settings = () =>
  `brain: { provider: openai, base_url: "${server.url}/v1", large: gpt-5.5, small: gpt-5.5-mini, prices: { gpt-5.5: { input: 10, output: 100 } } }\n`

const APPROVED = '{"verdict":"approve","summary":"it is what was asked for","issues":[]}'
const answers: Script = (request) =>
  say(
    JSON.stringify(request.messages).includes('Review a small change')
      ? APPROVED
      : JSON.stringify(request.messages).includes('do less')
        ? '{"focus":["Write the value before the test."],"leave_out":[]}'
        : '{"move":"reduce_scope","note":"it forgot the value","advice":null}',
  )

function project(agent: string): void {
  lab = smallProject({ agent, settings: settings() })
  lab.variables = { OPENAI_API_KEY: KEY }
}

test('while workers merely run, the model is not asked; it reads low work once that has passed its gates', async () => {
  let asked: readonly string[] = []
  server.play(() => {
    asked = lab.activity().map(({ event }) => event)
    return say(APPROVED)
  })
  project('work; report')
  expect((await lab.deliver()).last.outcome).toBe('released')
  expect(server.asked()).toHaveLength(1)
  expect(JSON.stringify(server.asked()[0]?.request)).toContain('+test -e src/m1/value')
  expect(asked).toContain('worker_completed')
  const reviewed = lab.activity().find(({ event }) => event === 'review_approved')
  expect(reviewed?.data).toMatchObject({ by: 'openai/gpt-5.5-mini', summary: 'it is what was asked for' })
})

test('a revision that the model asks for goes to the next worker with its reason', async () => {
  const issue = {
    severity: 'major',
    description: 'the value has no unit',
    location: 'src/m1/value:1',
    how_to_fix: 'add one',
  }
  let rounds = 0
  server.play((request) => {
    if (!JSON.stringify(request.messages).includes('Review a small change'))
      return say('{"move":"retry","note":"it can be fixed","advice":null}')
    const isFirst = rounds++ === 0
    return say(
      JSON.stringify({
        verdict: isFirst ? 'revision' : 'approve',
        summary: 'read',
        issues: isFirst ? [issue] : [],
      }),
    )
  })
  project('work; [ "$BOSUN_ATTEMPT" = 1 ] || echo EUR >> "src/m$id/value"; report')
  const done = await lab.deliver()
  expect(done.last.outcome, done.stderr).toBe('released')
  expect(lab.briefOf('w-small-1-2')).toContain('the value has no unit')
  expect(rounds).toBe(2)
})

test('after a failed attempt the model is asked; its advice reaches the next worker, and its cost the status', async () => {
  server.play(answers)
  project(FORGETFUL)
  const done = await lab.deliver()
  expect(done.last.outcome, done.stderr).toBe('released')
  expect(server.asked().map(({ request }) => request.model)).toEqual(['gpt-5.5', 'gpt-5.5', 'gpt-5.5-mini'])
  expect(lab.briefOf('w-small-1-2')).toContain(
    'A suggestion from the project manager, which changes neither the contract nor the gates: Reduce the scope',
  )
  expect(lab.briefOf('w-small-1-2')).toContain(ADVICE.slice(0, -1))
  const events = lab.activity().filter(({ event }) => /brain_answered|failure_assessed/.test(event))
  expect(events.map(({ event, data }) => [event, data['question'] ?? data['proposal']])).toEqual([
    ['brain_answered', 'handle_failure'],
    ['brain_answered', 'reduce_scope'],
    ['failure_assessed', 'reduce_scope'],
    ['brain_answered', 'review_artifact'],
  ])
  const status = JSON.parse((await lab.bosun('status', '--json')).stdout) as { plans: readonly PlanRow[] }
  expect(status.plans[0]?.thinking).toMatchObject({ calls: 3, requests: 3, fallbacks: 0 })
  expect(status.plans[0]?.thinking?.usage).toMatchObject({ tokens: 570, usd: 0.0092 })
  expect((await lab.bosun('status')).stdout).toContain('thinking: 3 questions, under $0.01, 570 tokens')
  expect((await lab.bosun('task', 'show', '1')).stdout).toContain('of that, thinking: under $0.01')
  expect(filesWith(KEY)).toEqual([expect.stringMatching(/^environments\//)])
})

test('a refused key leaves the plan to the rules, and the log says why without the key', async () => {
  server.play(always(signedOut()))
  project(FORGETFUL)
  expect((await lab.deliver()).last.outcome).toBe('released')
  // After the failed attempt, and for the review.
  expect(server.requests).toHaveLength(2)
  const [answered] = lab.activity().filter(({ event }) => event === 'brain_answered')
  expect(answered?.data).toMatchObject({ by: 'nobody', requests: 1 })
  expect(answered?.data['fallback']).toMatch(/^openai refused the key \(401\)/)
  expect((await lab.bosun('status')).stdout).toContain('2 not judged')
  expect(filesWith(KEY)).toEqual([expect.stringMatching(/^environments\//)])
  expect(filesWith(KEY.slice(0, 10))).toHaveLength(1)
})

/** Files of the state root that hold this text. */
function filesWith(text: string): readonly string[] {
  return globSync('**/*', { cwd: lab.home }).filter((name) => {
    const file = join(lab.home, name)
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file).includes(text)
  })
}
