/** A coding agent as the brain: which one is asked, where it stands, what it may do, and what is left of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AgentSessions } from '../../src/agents/asking/agent-sessions.ts'
import { AgentFinder } from '../../src/agents/profiles/find-agents.ts'
import { openBrain } from '../../src/composition/crew/open-brain.ts'
import { settingsSchema } from '../../src/core/settings/settings.ts'
import { reviewSpecQuestion } from '../../src/core/thinking/questions/review-spec.ts'
import { storiesByRules } from '../../src/core/spec/stories-by-rules.ts'
import { replan } from '../../src/core/thinking/questions/replan.ts'
import { newTag, withTag } from '../agents/lab.ts'
import type { BehaviourName } from '../agents/acp-agent/behaviours.ts'
import { aThinkCall, describeBrain } from '../conformance/brain.conformance.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { aRequirement, aSpec, storiesInput } from '../helpers/specs.ts'
import { programPath } from '../helpers/program-path.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const DROP = JSON.stringify({ recommend: 'drop', note: 'nothing is left' })
const PROGRAM = programPath('test/agents/misbehaving-acp-agent.ts')
const input = (feedback: string | null = null) => ({ spec: aTask('1'), feedback })
const about = { interview: 'i-1' }

let root: string
let repository: string
let bin: string
let log: string
let tag: string
let sessions: AgentSessions
beforeEach(() => {
  root = tempFolder('asked')
  repository = join(root, 'shop')
  bin = join(root, 'bin')
  log = join(root, 'acp.log')
  tag = newTag()
  sessions = new AgentSessions()
  for (const folder of [repository, bin, join(root, 'state')]) mkdirSync(folder)
  writeFileSync(join(repository, 'answer.json'), DROP)
  git('init', '-q')
  commit()
})
afterEach(async () => {
  await sessions.close()
})

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: repository,
    encoding: 'utf8',
  })

function commit(): void {
  git('add', '--all')
  git('commit', '-q', '-m', 'Change')
}

/** A program of that name, as an agent on the PATH. */
function onPath(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nexport BOSUN_TAG=${tag}\n${script}\n`, { mode: 0o755 })
}

const acpAgent = (...behaviours: BehaviourName[]): string =>
  `exec '${process.execPath}' '${PROGRAM}' ${behaviours.join(',')} '${log}'`

/** goose speaks the protocol by itself; its provider is set, so that it counts as signed in. */
const SIGNED_IN = { GOOSE_PROVIDER: 'acme' }

function brainHere(fields: Record<string, unknown> = {}, env: Record<string, string> = SIGNED_IN) {
  const state = join(root, 'state')
  const path = [bin, process.env['PATH']].join(delimiter)
  return openBrain({
    settings: settingsSchema.parse({ sandbox: { allow: [`${root}:rw`] }, ...fields }),
    root: state,
    repository,
    env: () => ({ HOME: root, PATH: path, ...env }),
    scripted: [process.execPath],
    finder: new AgentFinder({ root: state, node: process.execPath }),
    sessions,
  })
}

interface Line {
  readonly in?: { readonly method?: string; readonly params?: Record<string, unknown> }
  readonly permission?: string
  readonly answer?: { readonly result?: { readonly outcome: { readonly optionId?: string } } }
}

const lines = (): readonly Line[] =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
    : []
const requests = (method: string) => lines().filter((line) => line.in?.method === method)
const places = (): readonly string[] =>
  existsSync(join(root, 'state', 'asking')) ? readdirSync(join(root, 'state', 'asking')) : []

describe('the agent on the PATH', () => {
  beforeEach(() => onPath('goose', acpAgent('answers')))

  describeBrain('as the brain', () => brainHere())

  test('answers from the newest commit of the repository, in a copy of it', async () => {
    writeFileSync(join(repository, 'answer.json'), 'not committed')
    const before = git('status', '--porcelain')
    const thought = await brainHere().think(replan, input(), aThinkCall({ about }))
    expect(thought).toMatchObject({ answer: JSON.parse(DROP) as object, fallback: null })
    expect(thought.by).toMatch(/^goose\//)
    const [opened] = requests('session/new')
    expect(String(opened?.in?.params?.['cwd'])).toContain(join(root, 'state', 'asking'))
    expect(git('status', '--porcelain')).toBe(before)
    expect(git('remote')).toBe('')
  })

  test('is told that it stands in a read-only copy', async () => {
    await brainHere().think(replan, input(), aThinkCall({ about }))
    expect(JSON.stringify(requests('session/prompt')[0])).toContain('read-only copy of its repository')
  })

  test('costs what it says, and its tokens are counted', async () => {
    const { usage } = await brainHere().think(replan, input(), aThinkCall({ about }))
    expect(usage).toMatchObject({ tokensOut: 30, usd: 0.01, requests: 1 })
    expect(usage?.tokensIn).toBeGreaterThan(0)
  })

  test('is not asked while it is not signed in', async () => {
    const brain = brainHere({}, {})
    expect(await brain.describe()).toEqual({ who: null, why: 'goose is not signed in' })
    expect(await brain.think(replan, input(), aThinkCall({ about }))).toMatchObject({
      by: 'nobody',
      fallback: null,
    })
    expect(lines()).toEqual([])
  })

  test('is not asked with brain.provider: none', async () => {
    const brain = brainHere({ brain: { provider: 'none' } })
    expect(await brain.think(replan, input(), aThinkCall({ about }))).toMatchObject({ by: 'nobody' })
    expect(lines()).toEqual([])
  })

  test('is described before it is asked', async () => {
    expect(await brainHere().describe()).toEqual({
      who: 'goose',
      models: null,
      cost: 'unknown before it answers',
      usualTime: '10 to 60 s',
    })
    expect(lines()).toEqual([])
  })

  test('is healthy where its session opens, and no model is asked for that', async () => {
    const { signal } = new AbortController()
    expect(await brainHere().check(signal)).toEqual([{ service: 'goose', ok: true, why: null }])
    expect(requests('session/new')).toHaveLength(1)
    expect(requests('session/prompt')).toEqual([])
    expect([places(), withTag(tag)]).toEqual([[], []])
  })
})

test('without an agent nobody judges, and nothing is started', async () => {
  const brain = brainHere()
  expect(await brain.describe()).toEqual({ who: null, why: 'no coding agent is found here' })
  const thought = await brain.think(replan, input(), aThinkCall({ about }))
  expect(thought).toMatchObject({ by: 'nobody', fallback: null, usage: null })
  expect(await brain.check(new AbortController().signal)).toEqual([])
  expect(places()).toEqual([])
})

test('an agent whose adapter is lacking is not asked, and the description says what to fetch', async () => {
  onPath('claude', 'echo 2.1.325')
  expect(await brainHere({}, { ANTHROPIC_API_KEY: 'a-key' }).describe()).toEqual({
    who: null,
    why: 'claude does not speak the Agent Client Protocol here yet: bosun crew install claude',
  })
})

test('an agent that is asked may read and do nothing else', async () => {
  onPath('goose', acpAgent('oversteps_and_answers'))
  const thought = await brainHere().think(replan, input(), aThinkCall({ about }))
  expect(thought.answer.recommend).toBe('drop')
  const answers = lines().flatMap(({ permission, answer }) =>
    permission === undefined ? [] : [[permission, answer?.result?.outcome.optionId]],
  )
  expect(answers).toEqual([
    ['Write', 'no'],
    ['touch', 'no'],
    ['Fetch', 'no'],
    ['Read', 'no'],
    ['Read', 'yes'],
    ['cat', 'yes'],
  ])
  expect(existsSync(join(repository, 'overstepped.txt'))).toBe(false)
})

describe('the session of an agent', () => {
  test('is kept for the next question about the same interview, and for no other', async () => {
    onPath('goose', acpAgent('answers'))
    const brain = brainHere()
    await brain.think(replan, input('one'), aThinkCall({ about }))
    await brain.think(replan, input('two'), aThinkCall({ about }))
    expect([requests('session/new').length, requests('session/prompt').length]).toEqual([1, 2])
    await brain.think(replan, input('two'), aThinkCall({ about: { interview: 'i-2' } }))
    await brain.think(replan, input('two'), aThinkCall({ about: { request: 'r-1' } }))
    await brain.think(replan, input('three'), aThinkCall({ about: { request: 'r-1' } }))
    expect([requests('session/new').length, requests('session/prompt').length]).toEqual([3, 5])
  })

  test('is not kept for a question about nothing', async () => {
    onPath('goose', acpAgent('answers'))
    await brainHere().think(replan, input(), aThinkCall({ about: { repository } }))
    expect([places(), withTag(tag)]).toEqual([[], []])
  })

  test('is replaced once the repository has another commit', async () => {
    onPath('goose', acpAgent('answers'))
    const brain = brainHere()
    await brain.think(replan, input('one'), aThinkCall({ about }))
    writeFileSync(join(repository, 'answer.json'), DROP.replace('drop', 'rescope'))
    commit()
    const thought = await brain.think(replan, input('two'), aThinkCall({ about }))
    expect(thought.answer.recommend).toBe('rescope')
    expect(places()).toHaveLength(1)
  })

  test('is replaced where its agent was killed: the second question is answered all the same', async () => {
    onPath('goose', acpAgent('answers'))
    const brain = brainHere()
    await brain.think(replan, input('one'), aThinkCall({ about }))
    for (const pid of withTag(tag)) process.kill(pid, 'SIGKILL')
    const thought = await brain.think(replan, input('two'), aThinkCall({ about }))
    expect(thought).toMatchObject({ answer: { recommend: 'drop' }, fallback: null })
    expect(requests('session/new')).toHaveLength(2)
  })

  test('is replaced where its agent dies over the second question', async () => {
    onPath('goose', acpAgent('answers', 'exits'))
    const brain = brainHere()
    await brain.think(replan, input('one'), aThinkCall({ about }))
    const thought = await brain.think(replan, input('two'), aThinkCall({ about }))
    expect(thought).toMatchObject({ answer: { recommend: 'drop' }, fallback: null })
  })

  test('is ended with its folder when the sessions are closed', async () => {
    onPath('goose', acpAgent('answers'))
    await brainHere().think(replan, input(), aThinkCall({ about }))
    expect(withTag(tag)).not.toEqual([])
    await sessions.close()
    expect([places(), withTag(tag)]).toEqual([[], []])
  })

  test('that failed is not kept, and its failure is not taken for an answer later', async () => {
    onPath('goose', acpAgent('fails'))
    const failed = await brainHere().think(replan, input(), aThinkCall({ about }))
    expect(failed).toMatchObject({ by: 'nobody', usage: { requests: 1, usd: null } })
    expect(failed.fallback).toContain('goose: it failed: Internal error')
    expect([places(), withTag(tag)]).toEqual([[], []])
  })

  test('is cancelled and ended when the call is aborted', async () => {
    onPath('goose', acpAgent('works_on'))
    const gone = new AbortController()
    const asked = brainHere().think(replan, input(), aThinkCall({ about, signal: gone.signal }))
    await expect.poll(() => requests('session/prompt')).toHaveLength(1)
    gone.abort(new Error('no longer owed'))
    await expect(asked).rejects.toThrow('no longer owed')
    expect(requests('session/cancel')).toHaveLength(1)
    expect([places(), withTag(tag)]).toEqual([[], []])
  })

  test('of an agent that does not listen is ended all the same', async () => {
    onPath('goose', acpAgent('ignores_every_end'))
    const thought = await brainHere({ brain: { timeout: '3s' } }).think(
      replan,
      input(),
      aThinkCall({ about }),
    )
    expect(thought).toMatchObject({ by: 'nobody', fallback: 'goose did not answer within 3 s' })
    expect([places(), withTag(tag)]).toEqual([[], []])
  })
})

describe('an agent that is a command', () => {
  const command = (script: string) => ({ mine: { protocol: 'command', command: ['sh', '-c', script] } })

  test('is asked where it is named: by its prompt, its role and its report', async () => {
    const script =
      'cat > prompt.txt; test "$BOSUN_ROLE" = brain && cat answer.json > "$BOSUN_REPORT"; echo {}'
    const brain = brainHere({ agents: command(script), brain: { provider: 'agent' } })
    const thought = await brain.think(replan, input('only the header'), aThinkCall({ about }))
    expect(thought).toMatchObject({ answer: { recommend: 'drop' }, by: 'mine/mine', usage: { usd: null } })
    expect([places(), existsSync(join(repository, 'prompt.txt'))]).toEqual([[], false])
  })

  test('answers by the last JSON on its stdout where it writes no report', async () => {
    const script = 'grep -c "only the header"; echo "I look."; cat answer.json; echo; echo Done.'
    const brain = brainHere({ agents: command(script), brain: { provider: 'agent' } })
    const thought = await brain.think(replan, input('only the header'), aThinkCall({ about }))
    expect(thought).toMatchObject({ answer: { recommend: 'drop' }, fallback: null })
  })

  test('is not asked unless the settings say so', async () => {
    const marker = join(root, 'asked')
    const brain = brainHere({ agents: command(`touch ${marker}; cat answer.json`) })
    expect(await brain.think(replan, input(), aThinkCall({ about }))).toMatchObject({ by: 'nobody' })
    expect(await brain.describe()).toEqual({
      who: null,
      why: 'mine is a command; it answers questions only with brain.provider: agent',
    })
    expect(existsSync(marker)).toBe(false)
  })

  test('that fails has judged nothing, and says why', async () => {
    const brain = brainHere({ agents: command('exit 3'), brain: { provider: 'agent' } })
    const thought = await brain.think(replan, input(), aThinkCall({ about }))
    expect(thought).toMatchObject({ by: 'nobody', fallback: 'mine: it exited with 3' })
  })
})

describe('the architect', () => {
  const spec = aSpec([aRequirement('R-001')])
  const asked = storiesInput(spec)
  const tool = (name: string, given: Record<string, unknown>): void => {
    writeFileSync(join(repository, 'tool.json'), JSON.stringify({ name, arguments: given }))
    commit()
  }
  beforeEach(() => onPath('goose', acpAgent('answers_by_tool')))

  test('sends a spec back by the tool spec_feedback of its session', async () => {
    tool('spec_feedback', { feedback: 'R-001 names no limit' })
    const { answer, fallback } = await brainHere().think(reviewSpecQuestion, asked, aThinkCall({ about }))
    expect([answer, fallback]).toEqual([
      { tool: 'spec_feedback', feedback: 'R-001 names no limit', stories: null },
      null,
    ])
  })

  test('approves it by the tool submit_stories, in a session beside that of the interview', async () => {
    const stories = storiesByRules(asked)
    tool('submit_stories', { stories })
    const { answer } = await brainHere().think(reviewSpecQuestion, asked, aThinkCall({ about }))
    expect(answer).toMatchObject({ tool: 'submit_stories', stories })
    expect(JSON.stringify(requests('session/new')[0])).toContain('--architect')
  })

  const patient = { brain: { timeout: '40s' } }

  test('has answered once a tool took it: a turn that goes on is cancelled, and its session is kept', async () => {
    onPath('goose', acpAgent('answers_by_tool_and_goes_on'))
    const brain = brainHere(patient)
    tool('spec_feedback', { feedback: 'R-001 names no limit' })
    const { answer } = await brain.think(reviewSpecQuestion, asked, aThinkCall({ about }))
    expect(answer).toMatchObject({ tool: 'spec_feedback', feedback: 'R-001 names no limit' })
    expect(requests('session/cancel')).toHaveLength(1)
    const other = storiesInput(aSpec([aRequirement('R-002')]))
    await brain.think(reviewSpecQuestion, other, aThinkCall({ about }))
    expect(requests('session/new')).toHaveLength(1)
  })

  test('has answered once a tool took it, also where its agent does not listen: its session is ended', async () => {
    onPath('goose', acpAgent('answers_by_tool_without_end'))
    tool('spec_feedback', { feedback: 'R-001 names no limit' })
    const { answer } = await brainHere(patient).think(reviewSpecQuestion, asked, aThinkCall({ about }))
    expect(answer).toMatchObject({ tool: 'spec_feedback', feedback: 'R-001 names no limit' })
    expect(withTag(tag)).toEqual([])
  })
})
