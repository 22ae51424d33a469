import { expect, test } from 'vitest'
import type { EventMessage } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { followerFor } from './follow.ts'
import { styleOf } from './terminal/style.ts'

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
