import { expect, test } from 'vitest'
import type { EventMessage } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { followerFor } from './follow.ts'
import { styleOf } from './terminal/terminal.ts'

const PLAN = 'fix-typo-in-readme-md-teh-should-be-the'
const message = (task: string | null, text: string, plan = PLAN): EventMessage =>
  ({ timestamp: '2026-01-05T09:00:00.000Z', plan, task, text, details: [], activity: [] }) as never

async function printed(isOnePlan: boolean, messages: readonly EventMessage[]): Promise<readonly string[]> {
  let shown = ''
  const print = async (text: string) => {
    shown += text
    return 'written' as const
  }
  const call = { json: false, terminal: { output: 'pipe', style: styleOf('plain'), print } }
  const follower = followerFor(call as unknown as Call, { command: null, block: () => [], isOnePlan })
  for (const one of messages) await follower.show(one)
  return shown
    .trimEnd()
    .split('\n')
    .map((line) => line.slice('09:00:00 '.length))
}

test('of one plan the first line names it whole, and no other does', async () => {
  expect(
    await printed(true, [message(null, 'started'), message('1', 'gating'), message(null, 'released')]),
  ).toEqual([`${PLAN}: started`, 'task 1: gating', 'released'])
})

test('of several plans every line names its plan briefly', async () => {
  expect(await printed(false, [message('1', 'gating'), message('2', 'gating', 'shop')])).toEqual([
    'fix-typo-in-r…be-the 1: gating',
    'shop 2: gating',
  ])
})

test('who works is said where it changes for a role, and not for every worker', async () => {
  const dispatched = (worker: string, role: 'developer' | 'reviewer') => {
    const event = role === 'reviewer' ? 'review_dispatched' : 'task_dispatched'
    const data = role === 'reviewer' ? {} : { role }
    return { ...message('1', `dispatched ${worker}`), activity: [{ event, worker_id: worker, data }] }
  }
  const began = (worker: string, agent: string, effort: string) => {
    const data = { agent, protocol: 'acp', model: 'm-1', effort }
    const activity = [{ event: 'worker_registered', worker_id: worker, data }]
    return { ...message('1', `${worker} is ${agent}`), activity }
  }
  const workers = [
    ['w-1', 'developer', 'claude', 'medium'],
    ['w-1-review-1', 'reviewer', 'codex', 'low'],
    ['w-2', 'developer', 'claude', 'low'],
    ['w-3', 'developer', 'codex', 'low'],
    ['w-3-review-1', 'reviewer', 'codex', 'low'],
  ] as const
  const messages = workers.flatMap(([worker, role, agent, effort]) => [
    dispatched(worker, role),
    began(worker, agent, effort),
  ])
  const lines = await printed(true, [message(null, 'started'), ...(messages as never)])
  expect(lines.filter((line) => line.includes(' is '))).toEqual([
    'task 1: w-1 is claude',
    'task 1: w-1-review-1 is codex',
    'task 1: w-3 is codex',
  ])
})
