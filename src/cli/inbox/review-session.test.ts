import { describe, expect, test } from 'vitest'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { ReviewAnswer } from '../../protocol/task-answer.ts'
import { reviewAll, reviewOne } from './review-session.ts'
import { styleOf, type Terminal } from '../terminal/terminal.ts'

const item = (id: string, keys: readonly string[]): InboxEntry => ({
  id,
  kind: 'escalation',
  plan: 'shop',
  task: '7',
  task_title: null,
  problem: 'unit still fails',
  impact: 'task 8 cannot go on',
  options: keys.map((key) => ({ key, label: `to ${key} it`, consequence: `${key} happens` })),
  recommended: keys[0] ?? '',
  blocking: true,
  since: '2026-01-05T09:00:00.000Z',
  repo: '/one',
  blocks: ['7', '8'],
  evidence: [],
  group: [],
  scopes: [],
  reason_needed: [],
  feedback_needed: [],
})

const review = (entry: InboxEntry): ReviewAnswer => ({
  item: entry,
  reason_needed: ['approve'],
  feedback_needed: entry.id.startsWith('A') ? ['revise'] : [],
  task: {
    id: '7',
    title: 'Log in',
    tier: 'critical',
    attempt: 2,
    revisions: { used: 1, most: 3 },
    worker: 'w-shop-7-2',
    files: ['src/login.ts'],
    claim: { explanation: 'I did\u001b[2J it', self_assessment: 'confident', blockers: [] },
    criteria: [
      { criterion: 'it logs in', word: 'PASS', place: 'src/login.ts:1', by: 'worker', why: '' },
      { criterion: 'it logs out', word: 'FAIL', place: null, by: null, why: 'line 3 is blank' },
      { criterion: 'it waits', word: 'UNTESTED', place: null, by: null, why: 'no place is known' },
    ],
    review: null,
    decisions: [],
  },
  gates: [
    {
      gate: 'unit',
      title: 'unit tests',
      outcome: 'failed',
      summary: '1 of 2 tests failed',
      findings: [],
      runs: [
        {
          command: 'npm test',
          on: 'tree',
          must_fail: false,
          ended: 'exit 1',
          counts: null,
          key_lines: ['expected 1, got 2'],
          output_sha256: null,
          output: '/evidence/ab.txt',
        },
      ],
    },
  ],
  overrides: [],
  risks: [],
  blocks: ['8', '9'],
  diff: {
    text: '--- a/src/login.ts\n+++ b/src/login.ts\n@@ -1 +1 @@\n-old\n+new\n',
    is_cut: false,
    command: 'git',
  },
})

interface Sitting {
  readonly typed: readonly string[]
  readonly inbox?: readonly InboxEntry[]
  readonly height?: number
  readonly editor?: string
  readonly refuse?: Refusal
}

/** A person who types these lines at a daemon that has these items. */
function openSession({
  typed,
  inbox = [item('E-1', ['revise', 'approve'])],
  height = 200,
  editor,
  refuse,
}: Sitting) {
  const answers: Record<string, unknown>[] = []
  const asked: string[] = []
  let open = inbox
  let printed = ''
  const lines = [...typed]
  const daemon: Pick<Daemon, 'get' | 'post'> = {
    get: async (_path, asked) => {
      const { id }: { readonly id?: string } = { ...asked }
      if (id === undefined) return { inbox: open } as never
      const entry = open.find((one) => one.id === id)
      if (entry === undefined) throw new Refusal({ code: 'conflict', message: `${id} is over`, remedy: '' })
      return review(entry) as never
    },
    post: async (_path, body, { id = '' } = {}) => {
      if (refuse !== undefined) throw refuse
      const { choice } = { choice: null, ...body }
      answers.push({ id, ...body })
      if (choice !== 'pause') open = open.filter((one) => one.id !== id)
      return { id, plan: 'shop', choice } as never
    },
  }
  const terminal: Pick<Terminal, 'print' | 'style' | 'width' | 'height'> = {
    print: async (text) => {
      printed += text
      return 'written'
    },
    style: styleOf('plain'),
    width: 100,
    height,
  }
  const dialogue = {
    ask: async (question: string) => {
      asked.push(question)
      return lines.shift() ?? null
    },
    edit: async (text: string) => (editor === undefined ? null : `${editor}${text}`),
    close: () => undefined,
  }
  const session = {
    daemon: daemon as Daemon,
    terminal: terminal as Terminal,
    dialogue,
    by: 'Ann',
    repo: undefined,
  }
  return { session, answers, asked, printed: () => printed }
}

describe('an inbox session', () => {
  test('shows criteria, gates, evidence, the claim, blocked tasks and the recommendation', async () => {
    const { session, printed } = openSession({ typed: ['q'] })
    await reviewOne(session, 'E-1')
    for (const shown of [
      'PASS     it logs in (src/login.ts:1)',
      'FAIL     it logs out',
      'UNTESTED it waits',
      'failed unit: 1 of 2 tests failed',
      'expected 1, got 2',
      'full output: less /evidence/ab.txt',
      'Claimed by the worker (not evidence)',
      'Blocks:      8, 9',
      'Since:       2026-01-05T09:00:00.000Z',
      '1 revise   to revise it (recommended)',
    ])
      expect(printed()).toContain(shown)
    expect(printed()).not.toContain('\u001b')
  })

  test('accepts an option name or its number as a decision, but no empty line', async () => {
    const { session, answers } = openSession({ typed: ['', 'r', 'yes', '1', 'keep the old route'] })
    await reviewOne(session, 'E-1')
    expect(answers).toEqual([
      {
        id: 'E-1',
        choice: 'revise',
        feedback: 'keep the old route',
        by: 'Ann',
        diff_opened: false,
        repo: undefined,
      },
    ])
  })

  test('requires a reason for an override', async () => {
    const { session, answers, asked } = openSession({ typed: ['approve', ' ', 'approve', 'a known flake'] })
    await reviewOne(session, 'E-1')
    expect(answers).toMatchObject([{ choice: 'approve', feedback: 'a known flake', by: 'Ann' }])
    expect(asked.filter((question) => question.includes('recorded under the name Ann'))).toHaveLength(2)
  })

  test('requires feedback to send back work that passed', async () => {
    const inbox = [item('A-1', ['approve', 'revise'])]
    const { session, answers } = openSession({
      inbox,
      typed: ['revise', ' ', 'revise', 'keep the old route'],
    })
    await reviewOne(session, 'A-1')
    expect(answers).toMatchObject([{ choice: 'revise', feedback: 'keep the old route' }])
  })

  test('takes feedback from an editor, without comment lines', async () => {
    const { session, answers } = openSession({ typed: ['revise', 'e'], editor: 'first\nsecond\n' })
    await reviewOne(session, 'E-1')
    expect(answers).toMatchObject([{ feedback: 'first\nsecond' }])
  })

  test('shows the diff a screen at a time', async () => {
    const { session, printed, asked } = openSession({ typed: ['q', 'd', '', 'q'], height: 5 })
    await reviewOne(session, 'E-1')
    expect(asked[0]).toMatch(/more lines/)
    expect(printed()).toContain('+new')
  })

  test('asks about every item once, and skips those left with next', async () => {
    const inbox = [item('E-1', ['revise']), item('E-2', ['retry']), item('R-3', ['sign'])]
    const { session, answers, printed } = openSession({ inbox, typed: ['revise', '', 'next', 'sign'] })
    expect(await reviewAll(session)).toEqual([
      { id: 'E-1', choice: 'revise' },
      { id: 'R-3', choice: 'sign' },
    ])
    expect(answers.map(({ id }) => id)).toEqual(['E-1', 'R-3'])
    expect(printed()).toContain('3 items need you')
  })

  test('a pause leaves the item open and does not ask again', async () => {
    const { session, printed } = openSession({ typed: ['pause', 'back on Monday'] })
    expect(await reviewAll(session)).toEqual([{ id: 'E-1', choice: 'pause' }])
    expect(printed()).toContain('paused shop; E-1 stays open')
  })

  test('shows the answer that another person gave first', async () => {
    const refuse = new Refusal({
      code: 'conflict',
      message: 'E-1 was already answered: Bob chose retry',
      remedy: '',
    })
    const { session, printed } = openSession({ typed: ['revise', ''], refuse })
    expect(await reviewOne(session, 'E-1')).toEqual({ kind: 'gone' })
    expect(printed()).toContain('Bob chose retry')
  })

  test('ends at the end of input', async () => {
    expect(await reviewOne(openSession({ typed: [] }).session, 'E-1')).toEqual({ kind: 'quit' })
  })
})
