/** Workers whose agent speaks the Agent Client Protocol, as well as it may, by a real supervisor each. */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/event-schemas/watch.ts'
import { AcpLab, until } from './acp-lab.ts'

const lab = new AcpLab()
const message = (id: number, kind: Message['kind'], text: string) =>
  ({ kind: 'prompt', message: { id, kind, text, about: 'x', by: 'ada' } }) as const
const instruct = (id: number, instruction: NonNullable<Message['instruction']>, text: string) =>
  ({ kind: 'prompt', message: { ...message(id, 'instruction', text).message, instruction } }) as const
const inFolder = (name: string) => join(lab.root, 'workers', 'w-1', name)
const inWorkspace = (name: string) => join(lab.root, 'clones', 'w-1', name)

describe('a worker that does its work', () => {
  test('ends as done, and its session is reported as it goes', async () => {
    await lab.open()
    const { end, usage } = await lab.run('works')
    const used = { tokensIn: 160, tokensOut: 30, tokensCached: 40, usd: 0.01 }
    expect([end, usage]).toMatchObject([{ kind: 'done' }, { ...used, turns: [used] }])
    expect(await readFile(inWorkspace('work.txt'), 'utf8')).toBe('work\n')
    expect(lab.of('session')).toHaveLength(1)
    expect(lab.of('tool_started')).toMatchObject([{ tool: 'edit', title: 'Write work.txt' }])
    expect(lab.of('tool_ended')).toMatchObject([{ outcome: 'completed', call: expect.any(String) }])
    expect(lab.of('usage').at(-1)).toMatchObject({
      tokensIn: 160,
      tokensOut: 30,
      tokensCached: 40,
      usd: 0.01,
    })
    expect(lab.of('turn_ended')).toMatchObject([{ reason: 'end_turn' }])
    expect(lab.of('text').map(({ of, text }) => [of, text])).toContainEqual([
      'message',
      'I do the task. It is done.',
    ])
  })

  test('leaves a transcript that separates thoughts, messages and tool calls', async () => {
    await lab.open()
    await lab.run('works')
    const lines = (await readFile(inFolder('transcript.jsonl'), 'utf8')).trim().split('\n')
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(told.map(({ kind }) => kind)).toEqual([
      'session',
      'prompt',
      'thought',
      'message',
      'tool_started',
      'tool_ended',
      'message',
      'usage',
      'turn_ended',
    ])
  })

  test('gets its brief as the prompt of a session in its workspace', async () => {
    await lab.open()
    await lab.run('works')
    expect(lab.received('session/new')).toMatchObject([
      { params: { cwd: join(lab.root, 'clones', 'w-1'), additionalDirectories: [inFolder('desk')] } },
    ])
    expect(lab.received('session/prompt')).toMatchObject([
      { params: { prompt: [{ type: 'text', text: 'Do 1.\n' }] } },
    ])
    expect(lab.received('session/close')).toHaveLength(1)
  })

  test("gets Bosun's MCP server with the token of its attempt, and the transcript does not", async () => {
    await lab.open()
    await lab.run('works')
    const headers = [{ name: 'Authorization', value: 'Bearer token-of-w-1' }]
    expect(lab.received('session/new')).toMatchObject([
      { params: { mcpServers: [{ type: 'http', name: 'bosun', url: 'http://127.0.0.1:1/mcp', headers }] } },
    ])
    expect(readFileSync(inFolder('transcript.jsonl'), 'utf8')).not.toContain('token-of-w-1')
  })

  test("gets Bosun's MCP server as a command where its agent takes none over HTTP", async () => {
    await lab.open()
    await lab.run('takes_no_http')
    const env = expect.arrayContaining([{ name: 'BOSUN_TOKEN', value: 'token-of-w-1' }])
    expect(lab.received('session/new')).toMatchObject([
      { params: { mcpServers: [{ name: 'bosun', args: ['mcp', '--worker'], env }] } },
    ])
  })

  test('gets no MCP server where its agent takes none', async () => {
    await lab.open({ acp: { mcp: 'none' } })
    await lab.run('works')
    expect(lab.received('session/new')).toMatchObject([{ params: { mcpServers: [] } }])
  })

  test('is signed in, and has its mode set, as its agent wants it', async () => {
    await lab.open({ acp: { authenticate: 'login', mode: 'code' } })
    expect((await lab.run('works')).end).toEqual({ kind: 'done' })
    expect(lab.received('authenticate')).toMatchObject([{ params: { methodId: 'login' } }])
    expect(lab.received('session/set_mode')).toMatchObject([{ params: { modeId: 'code' } }])
  })
})

describe('an end of a turn is judged, not believed', () => {
  const LIMITED = { kind: 'limited' }
  const signIn = { kind: 'limited', until: null, signIn: expect.any(String) }
  test.each([
    ['ends_without_tokens', LIMITED],
    ['ends_with_error_as_text', { kind: 'limited', until: expect.any(Number) }],
    ['ends_with_error_in_meta', LIMITED],
    ['is_limited', LIMITED],
    ['is_over_usage_limit', LIMITED],
    ['is_signed_out', signIn],
    ['signs_out_in_turn', signIn],
    ['refuses', { kind: 'failed', reason: expect.stringContaining('refused the task') }],
    ['cancels_itself', { kind: 'failed', reason: expect.stringContaining('cancelled the turn') }],
    ['fails', { kind: 'failed', reason: expect.stringContaining('Internal error') }],
    ['fails_oddly', { kind: 'failed' }],
    ['exits', { kind: 'failed', reason: expect.stringContaining('exited with code 3') }],
    ['exits_as_if_done', { kind: 'failed', reason: expect.stringContaining('in the middle of its work') }],
    ['is_killed', { kind: 'failed', reason: expect.stringContaining('killed by SIGKILL') }],
    ['closes_stream', { kind: 'failed', reason: expect.stringContaining('closed the connection') }],
    ['has_another_version', { kind: 'failed', reason: expect.stringContaining('version 99') }],
    ['answers_initialize_wrongly', { kind: 'failed' }],
    ['has_no_session_id', { kind: 'failed' }],
  ] as const)('%s', async (behaviour, end) => {
    await lab.open()
    expect((await lab.run(behaviour)).end).toMatchObject(end)
  })

  test('a turn without any update is probed, and in the end trouble with the provider', async () => {
    await lab.open({ idleMs: 900 })
    const { end } = await lab.run('is_silent')
    expect(end).toMatchObject({ kind: 'limited', until: null })
    expect(lab.of('sign').some(({ of }) => of?.includes('session'))).toBe(true)
    expect(lab.received('session/cancel')).toHaveLength(1)
  })

  test('a model that takes its time is waited for', async () => {
    await lab.open({ idleMs: 2000 })
    expect((await lab.run('is_late')).end).toEqual({ kind: 'done' })
  })
})

describe('invalid input from an agent does no harm', () => {
  test.each([
    'works_without_usage',
    'updates_after_end',
    'sends_twice',
    'sends_unknown_updates',
    'sends_unknown_requests',
    'has_wrong_session',
    'has_wrong_ids',
    'sends_wrong_json',
    'sends_wrong_types',
    'sends_huge_line',
    'floods',
    'storms_for_permission',
    'asks_and_ends',
    'runs_out_of_tokens',
    'ends_for_no_reason',
    'prints_garbage',
    'stays_after_end',
    'leaves_child',
    'never_closes_session',
  ])('%s', async (behaviour) => {
    await lab.open({ permissions: { outsideWorkspace: 'deny' } })
    expect((await lab.run(behaviour)).end).toEqual({ kind: 'done' })
  })

  test('unknown requests are answered as unknown', async () => {
    await lab.open()
    await lab.run('sends_unknown_requests')
    const notes = lab.log.split('\n').filter((line) => line.includes('"asked"'))
    expect(notes.length).toBe(4)
    for (const note of notes) expect(note).toContain('-32601')
  })

  test('a flood of text is a few entries in the journal', async () => {
    await lab.open()
    await lab.run('floods')
    expect(lab.of('text').length).toBeLessThan(20)
  })

  test('files are written for it inside its workspace only, and none is read for it', async () => {
    await lab.open()
    await lab.run('writes_by_client')
    const notes = lab.log
      .split('\n')
      .filter((line) => /"(written|read)"/.test(line))
      .map((line) => JSON.parse(line) as { readonly answer: object })
    expect(notes.map(({ answer }) => 'result' in answer)).toEqual([true, false, false, false])
    expect(await readFile(inWorkspace('by-client.txt'), 'utf8')).toBe('by the client\n')
  })
})

describe('a message', () => {
  test('is the next prompt once the turn has ended, and is acknowledged then', async () => {
    await lab.open()
    await lab.start('works_when_let')
    await lab.seen('session')
    expect(await lab.agent.send('w-1', message(1, 'answer', 'Use the second table.'))).toBe(true)
    expect(await lab.agent.send('w-1', message(1, 'answer', 'Use the second table.'))).toBe(true)
    expect(lab.of('delivered')).toEqual([])
    lab.letGo()
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect(lab.of('delivered').map(({ message }) => message)).toEqual([1])
    expect(lab.of('read').map(({ messages }) => messages)).toEqual([[1]])
    expect(lab.received('session/prompt').map((one) => JSON.stringify(one['params']))).toEqual([
      expect.stringContaining('Do 1.'),
      expect.stringContaining('Use the second table.'),
    ])
  })

  test('that it received in another way is withdrawn', async () => {
    await lab.open()
    await lab.start('works_when_let')
    await lab.seen('session')
    await lab.agent.send('w-1', message(1, 'answer', 'Use the second table.'))
    await lab.agent.send('w-1', { kind: 'withdrawn', message: 1 })
    lab.letGo()
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect([lab.of('delivered'), lab.received('session/prompt').length]).toEqual([[], 1])
  })

  test('that may interrupt cancels the turn, and the work goes on with it', async () => {
    await lab.open()
    await lab.start('works_on,works')
    await lab.seen('text')
    await lab.agent.send('w-1', instruct(1, 'revise', 'in French'))
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect(lab.received('session/cancel')).toHaveLength(1)
    expect(lab.of('delivered').map(({ message }) => message)).toEqual([1])
    expect(existsSync(inWorkspace('work.txt'))).toBe(true)
  })

  test('that is only a notice does not keep a finished worker', async () => {
    await lab.open()
    await lab.start('works_when_let')
    await lab.seen('session')
    await lab.agent.send('w-1', message(1, 'warning', '50 % of your time limit is used.'))
    lab.letGo()
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect([lab.of('delivered'), lab.received('session/prompt').length]).toEqual([[], 1])
  })

  test('that pauses makes it wait for the next one', async () => {
    await lab.open()
    await lab.start('works_on,works')
    await lab.seen('text')
    await lab.agent.send('w-1', instruct(1, 'pause', 'wait'))
    await lab.seen('delivered')
    await lab.agent.send('w-1', message(2, 'answer', 'An answer is no reason to go on.'))
    await lab.agent.send('w-1', instruct(3, 'continue', 'go on'))
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect(lab.of('delivered').map(({ message }) => message)).toEqual([1, 2, 3])
    const prompts = lab.received('session/prompt').map((one) => JSON.stringify(one['params']))
    expect(prompts).toEqual([
      expect.stringContaining('Do 1.'),
      expect.stringMatching(/no reason to go on.*go on/),
    ])
    expect(prompts.join()).not.toContain('wait')
  })
})

describe('a permission', () => {
  test('is given by policy, and logged with what it is for', async () => {
    await lab.open()
    expect((await lab.run('asks_to_push')).end).toEqual({ kind: 'done' })
    expect(lab.of('permission_asked')).toMatchObject([
      { tool: 'execute', command: 'git push origin main', decision: 'deny', why: 'pushes with git' },
    ])
    expect(lab.of('permission_answered')).toMatchObject([{ outcome: 'deny', by: 'policy' }])
    expect(lab.log).toContain('"optionId":"no"')
  })

  test('to edit in the workspace is given', async () => {
    await lab.open()
    await lab.run('asks_first')
    expect(lab.of('permission_asked')).toMatchObject([
      { decision: 'allow', paths: [inWorkspace('work.txt')] },
    ])
    expect(existsSync(inWorkspace('work.txt'))).toBe(true)
  })

  test('for what is outside waits for a person, also while Bosun is down, and every question gets its answer', async () => {
    await lab.open()
    await lab.start('asks_outside')
    await lab.seen('permission_asked')
    const [asked] = lab.of('permission_asked')
    expect(asked).toMatchObject({ id: 'p1', decision: 'ask', paths: ['/etc/passwd'] })
    await lab.agent.close()
    lab.events = []
    await lab.open()
    await lab.seen('permission_asked')
    for (let nth = 1; nth <= 5; nth++) {
      await until(() => lab.of('permission_asked').some(({ id }) => id === `p${nth}`))
      await lab.agent.send('w-1', { kind: 'permission', id: `p${nth}`, decision: 'deny', message: nth })
    }
    expect((await lab.ended()).end).toEqual({ kind: 'done' })
    expect(lab.of('permission_answered').map(({ outcome, by }) => `${outcome} ${by}`)).toContain(
      'deny person',
    )
  })
})

describe('stopping it', () => {
  test.each(['works_on', 'ignores_cancel', 'ignores_every_end', 'is_silent', 'asks_and_never_ends'])(
    '%s ends whole',
    async (behaviour) => {
      await lab.open()
      await lab.start(behaviour)
      await lab.seen('session')
      await lab.agent.stop('w-1', 'stalled')
      expect((await lab.ended()).end).toEqual({ kind: 'stopped', cause: 'stalled' })
    },
  )

  test('while it is being opened ends it too', async () => {
    await lab.open()
    await lab.start('never_initializes')
    await lab.agent.stop('w-1', 'cancelled')
    expect((await lab.ended()).end).toEqual({ kind: 'stopped', cause: 'cancelled' })
  })
})
