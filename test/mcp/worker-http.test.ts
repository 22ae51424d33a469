/** The worker's MCP tools over HTTP, called by a real client in both eras of the protocol. */
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readActivity } from '../../src/app/activity/read-activity.ts'
import { sendRaw } from '../helpers/raw-http.ts'
import { callTool, clientOf, openMcpDoor, WORKER, type McpDoor } from './mcp-door.ts'

let door: McpDoor
const own = () => ({ Authorization: `Bearer ${door.token}` })
const requests = () => door.plan.state.tasks.get('a')?.live?.watch.requests ?? []
const noted = async (event: string) => {
  const { activity } = await readActivity(door.testing.host, { limit: 1000, event, worker: WORKER })
  return activity
}
const openDoor = (): void => {
  beforeAll(async () => void (door = await openMcpDoor()))
  afterAll(() => door[Symbol.asyncDispose]())
}

describe.each(['legacy', 'auto'] as const)('a worker with a client in mode %s', (era) => {
  openDoor()
  let client: Client
  beforeEach(async () => void (client = await clientOf(door, own(), era)))
  afterEach(() => client.close())

  const report = async (message_type: string, payload: object, component?: string) => {
    const said = { agent_role: 'developer', message_type, payload, ...(component && { component }) }
    return callTool(client, 'report_to_pm', said)
  }

  test('finds four tools with small schemas', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'report_to_pm',
      'checkin',
      'request_help',
      'get_instructions',
    ])
    expect(JSON.stringify(tools).length).toBeLessThan(3000)
  })

  test('hands in its report, and again with the same effect', async () => {
    const payload = { explanation: `written (${era})`, files: { created: ['a.ts'] } }
    for (let times = 0; times < 2; times++) {
      const { isError, text } = await report('work_completed', payload, 'shop')
      expect([isError, JSON.parse(text)]).toMatchObject([false, { accepted: true }])
    }
    expect(door.reports.slice(-2)).toEqual([
      { ...payload, component: 'shop' },
      { ...payload, component: 'shop' },
    ])
  })

  test.each([
    ['review_approved', 'approved'],
    ['review_changes_requested', 'changes_requested'],
  ])('reports its review: %s', async (type, verdict) => {
    await report(type, { summary: 'looked', major: [] })
    expect(door.reports.at(-1)).toEqual({ summary: 'looked', major: [], verdict })
  })

  test.each([
    ['work_blocked', { text: 'no database' }, { kind: 'blocked', text: 'no database' }],
    ['needs_clarification', { text: 'which one?' }, { kind: 'need_clarification', text: 'which one?' }],
    ['request_human_input', { text: 'may I?' }, { kind: 'need_clarification', text: 'may I?', to: 'human' }],
  ])('asks, once however often it repeats itself: %s', async (type, payload, expected) => {
    const words = { ...payload, text: `${expected.text} ${era}` }
    const before = requests().length
    expect(JSON.parse((await report(type, words)).text)).toMatchObject({ accepted: true })
    expect(JSON.parse((await report(type, words)).text)).toMatchObject({ accepted: false })
    expect(requests().slice(before)).toMatchObject([{ ...expected, text: words.text }])
  })

  test.each([
    ['tests_failed', 70, { failed: 1, failing: ['adds an item'] }],
    ['tests_passed', 85, { passed: 12 }],
  ])('tells its progress and the results of its tests: %s', async (type, percent, results) => {
    expect((await report(type, { text: `12 tests ${era}`, ...results }, 'shop')).isError).toBe(false)
    expect((await noted('checkin_received')).at(-1)?.data).toMatchObject({
      progress_pct: percent,
      current_step: `shop: ${type.replace('_', ' ')}: 12 tests ${era}`,
    })
    const task = door.plan.state.tasks.get('a')
    const outcome = type.replace('tests_', '')
    expect(task?.tests).toEqual({ worker: WORKER, outcome, component: 'shop', ...results })
    expect((await noted(type)).at(-1)?.data).toMatchObject(results)
  })

  test('checks in', async () => {
    const said = { status: 'in_progress', progress_pct: era === 'auto' ? 86 : 40, current_step: 'tests' }
    expect(JSON.parse((await callTool(client, 'checkin', said)).text)).toMatchObject({ instructions: [] })
    expect((await noted('checkin_received')).at(-1)?.data).toMatchObject(said)
  })

  test('gets each instruction once', async () => {
    const about = { worker: WORKER, task: 'a', attempt: 1 }
    const id = (door.plan.state.tasks.get('a')?.live?.watch.messages ?? 0) + 1
    const message = {
      id,
      kind: 'instruction',
      text: `leave the docs ${era}`,
      about: `it ${era}`,
      by: 'ada',
    } as const
    await door.plan.propose({ type: 'worker.told', v: 1, ...about, message, why: 'a test' })
    const heard = async () => JSON.parse((await callTool(client, 'get_instructions', {})).text) as unknown
    expect(await heard()).toEqual({
      instructions: expect.arrayContaining([{ kind: 'instruction', text: message.text }]) as unknown,
    })
    expect(await heard()).toEqual({ instructions: [] })
  })

  test.each([
    ['report_to_pm', { message_type: 'all_fine', payload: {} }, /message_type/],
    ['report_to_pm', { message_type: 'work_completed', payload: 'done' }, /payload/],
    ['report_to_pm', { message_type: 'work_blocked', payload: {} }, /work_blocked: payload\.text/],
    ['report_to_pm', { message_type: 'tests_passed', payload: { progress_pct: 'most' } }, /progress_pct/],
    [
      'report_to_pm',
      { message_type: 'tests_failed', payload: { text: 'some' } },
      /payload\.failing: name the tests/,
    ],
    ['report_to_pm', { message_type: 'tests_passed', payload: { failed: 2 } }, /send tests_failed/],
    [
      'report_to_pm',
      { message_type: 'work_completed', payload: { files: { created: 'a.ts' } } },
      /payload\.files\.created/,
    ],
    ['report_to_pm', { message_type: 'review_approved', payload: { major: ['slow'] } }, /payload\.major\.0/],
    [
      'report_to_pm',
      { message_type: 'request_human_input', payload: { text: 'x', urgent: true } },
      /payload: .*urgent/,
    ],
    [
      'report_to_pm',
      { agent_role: 'reviewer', message_type: 'work_completed', payload: {} },
      /you are the developer/,
    ],
    ['checkin', { status: 'asleep', progress_pct: 4 }, /status/],
    ['request_help', { type: 'need_coffee', text: 'now' }, /type/],
    ['request_help', { type: 'need_time', text: 'slow', minutes: 1e9 }, /minutes/],
  ])('is told what is wrong with its input: %s %j', async (name, input, problem) => {
    expect(await callTool(client, name, input)).toEqual({
      isError: true,
      text: expect.stringMatching(problem) as string,
    })
  })

  test('asks for help', async () => {
    const { text } = await callTool(client, 'request_help', { text: 'the parser', to: 'tester' })
    expect(JSON.parse(text)).toMatchObject({ accepted: true })
    expect(requests().at(-1)).toMatchObject({ kind: 'need_help', text: 'the parser', to: 'tester' })
  })

  test('gets an error for a tool that does not exist', async () => {
    await expect(client.callTool({ name: 'approve', arguments: {} })).rejects.toThrow(/approve/)
  })
})

const post = (
  headers: Readonly<Record<string, string>>,
  body: unknown = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
) =>
  fetch(`${door.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('the MCP route refuses', () => {
  openDoor()

  test.each([
    ['a caller without a token', 401, {}],
    ['a wrong token', 401, { Authorization: `Bearer ${'0'.repeat(64)}` }],
    ["the user's token", 401, { Authorization: `Bearer ${'cd'.repeat(32)}` }],
  ])('%s', async (_, status, headers) => {
    expect((await post(headers)).status).toBe(status)
    await expect(clientOf(door, headers, 'legacy')).rejects.toThrow()
  })

  test('a page of another site', async () => {
    expect((await post({ ...own(), Origin: 'http://evil.test' })).status).toBe(403)
  })

  test('what is not JSON', async () => {
    expect((await post({ ...own(), 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post(own(), '{')).status).toBe(400)
  })

  test('a stream that stays open', async () => {
    const headers = { ...own(), Accept: 'text/event-stream' }
    expect((await fetch(`${door.url}/mcp`, { headers })).status).toBe(405)
  })

  test('another Host, which only a rebound name would send', async () => {
    const { port } = new URL(door.url)
    const head = ['POST /mcp HTTP/1.1', `Host: evil.test:${port}`, `Authorization: Bearer ${door.token}`]
    const rest = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close', '', '{}']
    expect((await sendRaw(Number(port), [...head, ...rest].join('\r\n'))).status).toBe(421)
  })

  test('the token of an attempt that has ended', async () => {
    expect((await post(own())).status).toBe(200)
    await door.plan.propose({ type: 'plan.cancelled', v: 1, by: 'ada', reason: 'a test' })
    await door.testing.until(door.plan, ({ state }) => state.tasks.get('a')?.live === null)
    const late = await post(own())
    expect([late.status, await late.text()]).toEqual([
      401,
      expect.stringContaining(`attempt ${WORKER} has ended; exit now`),
    ])
    expect((await post(own())).status).toBe(401)
    expect(await noted('call_stale')).toMatchObject([{ worker_id: WORKER, data: { path: '/mcp' } }])
  })
})
