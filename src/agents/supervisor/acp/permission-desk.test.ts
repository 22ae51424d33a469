import { describe, expect, test } from 'vitest'
import type { JournalFact } from '../../worker-folder.ts'
import { PermissionDesk } from './permission-desk.ts'
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
  const desk = new PermissionDesk(POLICY, log)
  const abort = new AbortController()
  const ask = (toolCall: object, known: object | null = null) =>
    desk.ask(
      permissionParamsSchema.parse({
        sessionId: 's',
        toolCall: { toolCallId: 'c', ...toolCall },
        options: OPTIONS,
      }),
      known === null ? null : toolCallSchema.parse({ toolCallId: 'c', ...known }),
      abort.signal,
    )
  const asked = () => noted.filter((fact) => fact.kind === 'permission_asked')
  return { desk, ask, asked, noted, abort }
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

  test('that says nothing is joined with what is known of its tool call', async () => {
    const { ask, asked } = opened()
    await ask({}, { kind: 'execute', title: 'Shell', rawInput: { command: 'git push' } })
    expect(asked()).toMatchObject([{ tool: 'execute', command: 'git push', decision: 'deny' }])
  })

  test.each([
    ['mcp__bosun__report_to_pm', 'yes'],
    ['bosun.checkin', 'yes'],
    ['mcp.bosun.checkin', 'yes'],
    ['checkin (bosun MCP Server)', 'yes'],
    ['mcp__github__create_issue', 'cancelled'],
  ])('for the tool %s gets %s', async (title, expected) => {
    const { desk, ask } = opened()
    const answered = choice(ask({ kind: 'other', title, rawInput: { text: 'x' } }))
    setImmediate(() => desk.cancel())
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
  /** Lets the desk look at the paths. */
  const waiting = async (asked: () => readonly unknown[], count: number) =>
    expect.poll(() => asked().length).toBe(count)

  test('waits for its answer, and each for its own', async () => {
    const { desk, ask, asked } = opened()
    const answers = [choice(ask(OUTSIDE)), choice(ask(OUTSIDE))]
    await waiting(asked, 2)
    expect(desk.isWaiting).toBe(true)
    desk.answer('p2', 'allow')
    desk.answer('p1', 'deny')
    desk.answer('p9', 'allow')
    expect(await Promise.all(answers)).toEqual(['no', 'yes'])
    expect(desk.isWaiting).toBe(false)
  })

  test('is cancelled with its turn, and when the agent gives it up', async () => {
    const { desk, ask, asked, abort } = opened()
    const first = choice(ask(OUTSIDE))
    await waiting(asked, 1)
    desk.cancel()
    const second = choice(ask(OUTSIDE))
    await waiting(asked, 2)
    abort.abort()
    expect([await first, await second]).toEqual(['cancelled', 'cancelled'])
  })

  test('too many at once is denied, and what was refused is said', async () => {
    const { desk, ask, asked } = opened()
    const open = Array.from({ length: 4 }, () => ask(OUTSIDE))
    await waiting(asked, 4)
    const { refused } = await ask({ ...OUTSIDE, title: 'Write a' })
    expect(refused).toBe('Write a (too many questions: outside its workspace: /elsewhere/a)')
    desk.cancel()
    await Promise.all(open)
  })
})
