/** Each real agent as developer, reviewer and fixer of a small plan: from the brief to the commit. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { userText } from '../agents/model-server/request.ts'
import { act, edit, play, read, say, write, type Script } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { artifactOf, reviewProject } from '../delivery/review-project.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { note, type Form } from './matrix.ts'
import { reportStep, type ReportedBy, type ReportStep } from './report-step.ts'

const REPORT = {
  explanation: 'wrote the value',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/value.js', line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
}
const ISSUE = { description: 'it says bad', location: 'src/value.js:1', how_to_fix: 'say good' }
const OBJECTION = {
  verdict: 'changes_requested',
  summary: 'not good yet',
  critical: [],
  major: [ISSUE],
  minor: [],
}
const APPROVAL = { verdict: 'approved', summary: 'reads well', critical: [], major: [], minor: [] }

interface StoredJob {
  readonly worker: string
  readonly brief: string
  readonly acp?: { readonly session: { readonly prompt: string } | null } | null
}

/** Agents may put their own line breaks around it. */
const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/**
 * A first attempt, a review that wants a change, the change, and a review that approves it. Each by what its brief says:
 * some agents ask their model more after the end of a turn, and would take the steps of the next one.
 */
const script = (onReport: (by: ReportedBy) => void): Script => {
  const report = (type: ReportStep['type'], text: object) => reportStep({ type, report: text, onReport })
  return play([
    {
      about: /This is round 1;/,
      steps: [report('review_changes_requested', OBJECTION), say('It is not good yet.')],
    },
    { about: /This is round 2;/, steps: [report('review_approved', APPROVAL), say('It is fine.')] },
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
}

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let lab: Lab | null = null
  let reported: Set<ReportedBy>
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    reported = new Set()
    server = await startModelServer(script((by) => reported.add(by)))
    home = await openAgentHome(agent, server)
  })
  afterEach(async () => {
    await lab?.dispose()
    lab = null
    await server.close()
    await home.dispose()
  })

  const deliver = async (form: Form, builder: object): Promise<void> => {
    const roles = '{ developer: builder, fixer: builder, reviewer: builder }'
    lab = reviewProject({ builder: JSON.stringify(builder), reviewer: '', roles })
    const { exit, last, stderr } = await lab.deliver()
    const problems = last.inbox.map(({ problem }) => problem).join('\n')
    expect([exit, last.commits.length], `${stderr}\n${problems}`).toEqual([0, 1])
    expect(artifactOf(lab)).toContain(APPROVAL.summary)
    expect(server.requests.flatMap(({ missing }) => missing)).toEqual([])
    for (const column of ['edits', 'reviews'] as const) note(agent.name, form, column, 'yes')
    for (const by of reported) note(agent.name, form, 'reports', by)
    expect(workersWithoutBrief(lab)).toEqual([])
    const isContinued = isFixContinued()
    if (agent.continues !== 'unreliably') expect(isContinued).toBe(form === 'acp')
    note(agent.name, form, 'resume', isContinued ? 'fix continues' : 'fix begins anew')
  }
  /** Those whose brief, or what they got instead in a continued session, did not come before the model as it was written. */
  const workersWithoutBrief = (one: Lab): readonly string[] => {
    const asked = server.asked().map(({ request }) => plain(userText(request)))
    const jobs = globSync(join(one.home, 'repos/*/workers/*/job.json')).map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as StoredJob,
    )
    expect(jobs).toHaveLength(4)
    return jobs.flatMap(({ worker, brief, acp }) =>
      [brief, acp?.session?.prompt ?? brief].some((text) => asked.some((all) => all.includes(plain(text))))
        ? []
        : [worker],
    )
  }
  /** Whether the model of the fixer had its first attempt before it. */
  const isFixContinued = (): boolean =>
    server
      .asked()
      .some(
        ({ request }) =>
          request.tools.length > 0 &&
          userText(request).includes(ISSUE.description) &&
          request.messages.some(({ role, text }) => role === 'assistant' && text.includes('It is done.')),
      )
  const ownEnv = () => {
    const { PATH: _, ...env } = home.env
    return env
  }

  test('develops, reviews and fixes as a command', async () => {
    await deliver('command', { protocol: 'command', command: agent.command(home.place), env: ownEnv() })
  })

  test('develops, reviews and fixes over ACP', async () => {
    const { argv, env } = agent.acp(home.place)
    await deliver('acp', { protocol: 'acp', command: argv, env: { ...ownEnv(), ...env } })
  })
})
