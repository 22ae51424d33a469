import { describe, expect, test } from 'vitest'
import type { JournalFact } from '../../worker-folder.ts'
import { PermissionRequests } from './permission-requests.ts'
import { SessionLog } from './session-log.ts'
import { permissionParamsSchema, toolCallSchema } from './updates.ts'

const POLICY = {
  outsideWorkspace: 'ask',
  network: 'deny',
  gitPush: 'deny',
  agentSettings: 'deny',
  roots: ['/clones/w-1'],
} as const
const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

function opened() {
  const noted: JournalFact[] = []
  const log = new SessionLog({ note: (fact) => noted.push(fact), transcribe: () => undefined, now: () => 0 })
  const requests = new PermissionRequests(POLICY, log)
  const abort = new AbortController()
  const ask = (toolCall: object, known: object | null = null) =>
    requests.ask(
      permissionParamsSchema.parse({
        sessionId: 's',
        toolCall: { toolCallId: 'c', ...toolCall },
        options: OPTIONS,
      }),
      known === null ? null : toolCallSchema.parse({ toolCallId: 'c', ...known }),
      abort.signal,
    )
  const asked = () => noted.filter((fact) => fact.kind === 'permission_asked')
  return { requests, ask, asked, noted, abort }
}
const choice = async (answered: ReturnType<ReturnType<typeof opened>['ask']>): Promise<string> => {
  const { outcome } = await answered
  return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
}

describe('a request', () => {
  test.each([
    [{ kind: 'execute', rawInput: { command: 'npm test' } }, 'npm test'],
    [{ kind: 'execute', rawInput: { command: ['bash', '-lc', 'npm test'] } }, 'bash -lc npm test'],
    [{ kind: 'other', rawInput: { cmd: 'ls' } }, 'ls'],
    [{ kind: 'execute', title: 'npm test' }, 'npm test'],
    [{ kind: 'edit', title: 'Write a.ts', rawInput: { path: 'a.ts' } }, null],
  ])('names its command, wherever the agent puts it: %j', async (toolCall, command) => {
    const { ask, asked } = opened()
    expect(await choice(ask(toolCall))).toBe('yes')
    expect(asked()).toMatchObject([{ command }])
  })

  test.each([
    [{ locations: [{ path: '/clones/w-1/a.ts' }] }],
    [{ rawInput: { file_path: '/clones/w-1/a.ts' } }],
    [{ rawInput: { path: 'a.ts' } }],
    [{ content: [{ type: 'diff', path: '/clones/w-1/a.ts', newText: '' }] }],
  ])('names its paths, wherever the agent puts them: %j', async (toolCall) => {
    const { ask, asked } = opened()
    expect(await choice(ask({ kind: 'edit', ...toolCall }))).toBe('yes')
    expect(asked()).toMatchObject([{ paths: ['/clones/w-1/a.ts'] }])
  })

  test('without details takes them from its earlier tool call', async () => {
    const { ask, asked } = opened()
    await ask({}, { kind: 'execute', title: 'Shell', rawInput: { command: 'git push' } })
    expect(asked()).toMatchObject([{ tool: 'execute', command: 'git push', decision: 'deny' }])
  })

  test.each([
    ['mcp__bosun__report_to_pm', 'yes'],
    ['bosun.checkin', 'yes'],
    ['bosun: report to pm', 'yes'],
    ['bosun_get_instructions', 'yes'],
    ['mcp.bosun.checkin', 'yes'],
    ['checkin (bosun MCP Server)', 'yes'],
    ['mcp__github__create_issue', 'cancelled'],
  ])('for the tool %s gets %s', async (title, expected) => {
    const { requests, ask } = opened()
    const answered = choice(ask({ kind: 'other', title, rawInput: { text: 'x' } }))
    setImmediate(() => requests.cancel())
    expect(await answered).toBe(expected)
  })

  test('cannot pass a command off as a tool of Bosun', async () => {
    const { ask } = opened()
    expect(
      await choice(ask({ kind: 'execute', title: 'bosun.checkin', rawInput: { command: 'git push' } })),
    ).toBe('no')
  })
})

describe('a question', () => {
  const OUTSIDE = { kind: 'edit', locations: [{ path: '/elsewhere/a' }] }
  /** Waits until the paths have been resolved. */
  const waiting = async (asked: () => readonly unknown[], count: number) =>
    expect.poll(() => asked().length).toBe(count)

  test('waits for its own answer', async () => {
    const { requests, ask, asked } = opened()
    const answers = [choice(ask(OUTSIDE)), choice(ask(OUTSIDE))]
    await waiting(asked, 2)
    expect(requests.isWaiting).toBe(true)
    requests.answer('p2', 'allow')
    requests.answer('p1', 'deny')
    requests.answer('p9', 'allow')
    expect(await Promise.all(answers)).toEqual(['no', 'yes'])
    expect(requests.isWaiting).toBe(false)
  })

  test('is cancelled with its turn, or when the agent withdraws it', async () => {
    const { requests, ask, asked, abort } = opened()
    const first = choice(ask(OUTSIDE))
    await waiting(asked, 1)
    requests.cancel()
    const second = choice(ask(OUTSIDE))
    await waiting(asked, 2)
    abort.abort()
    expect([await first, await second]).toEqual(['cancelled', 'cancelled'])
  })

  test('beyond the most that may wait at once is denied, with the reason', async () => {
    const { requests, ask, asked } = opened()
    const open = Array.from({ length: 4 }, () => ask(OUTSIDE))
    await waiting(asked, 4)
    const { refused } = await ask({ ...OUTSIDE, title: 'Write a' })
    expect(refused).toBe('Write a (too many questions: outside its workspace: /elsewhere/a)')
    requests.cancel()
    await Promise.all(open)
  })
})
