import { expect, test } from 'vitest'
import { documentProblems } from '../../../test/helpers/json-documents.ts'
import type { Call } from '../command.ts'
import { styleOf } from '../terminal/terminal.ts'
import { runInbox } from './inbox.ts'

const REVIEW = {
  item: {
    id: 'E-1',
    kind: 'escalation',
    plan: 'shop',
    task: null,
    problem: 'unit still fails',
    impact: 'task 8 cannot go on',
    options: [{ key: 'retry', label: 'retry it', consequence: 'a worker tries again' }],
    recommended: 'retry',
    blocking: true,
    since: '2026-01-05T09:00:00.000Z',
    repo: '/one',
    blocks: [],
    evidence: [],
    group: [],
    scopes: [],
    reason_needed: [],
    feedback_needed: [],
  },
  reason_needed: [],
  feedback_needed: [],
  task: null,
  gates: [],
  overrides: [],
  risks: [],
  blocks: [],
  diff: null,
}

/** A person at a terminal who types these lines. */
function sitting(typed: readonly string[], args: readonly string[] = []): Call {
  const lines = [...typed]
  let inbox = [REVIEW.item]
  const daemon = {
    get: async (path: string) => (path === '/api/inbox' ? { inbox } : REVIEW),
    post: async () => {
      inbox = []
      return { id: 'E-1', plan: 'shop', choice: 'retry' }
    },
  }
  const terminal = {
    cwd: '/',
    env: { USER: 'ann' },
    input: 'terminal',
    output: 'terminal',
    width: 100,
    height: 200,
    style: styleOf('plain'),
    print: async () => 'written',
    printMessage: () => undefined,
    converse: async () => ({
      ask: async () => lines.shift() ?? null,
      edit: async () => null,
      close: () => undefined,
    }),
  }
  const call = {
    terminal,
    services: { runningDaemon: async () => daemon },
    args,
    json: false,
    mayAsk: true,
    flag: () => false,
    option: () => undefined,
    all: () => [],
  }
  return call as unknown as Call
}

test.each([
  ['one after another', []],
  ['by its id', ['E-1']],
])('what a person decided at the inbox, %s, is a document', async (_how, args) => {
  const { document } = await runInbox(sitting(['retry', 'q'], args))
  expect(document).toEqual({ decided: [{ id: 'E-1', choice: 'retry' }] })
  expect(documentProblems({ schema: 'bosun.inbox/v1', ...document }, ['inbox decided'])).toEqual([])
})
