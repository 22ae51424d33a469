/** How much is put before people at once, and how often they send the same work back. */
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

const sent = (of: Lab): readonly (string | undefined)[] =>
  of
    .activity()
    .filter(({ event }) => event === 'task_dispatched')
    .map(({ task_id }) => task_id)

test('no worker starts while the most results wait for people, and one starts after a decision', async () => {
  lab = smallProject({
    agent: 'work; report',
    tasks: 2,
    sideBySide: true,
    settings:
      'approval: each_task\npm: { max_parallel_agents: 1 }\nscheduling: { max_waiting_for_review: 1 }\n',
  })
  const { exit, last } = await lab.deliver()
  expect([exit, last.inbox.map(({ task }) => task)]).toEqual([10, ['1']])
  expect(sent(lab)).toEqual(['1'])
  const status = JSON.parse((await lab.bosun('status', '--json')).stdout) as {
    readonly plans: readonly { readonly why: string }[]
  }
  expect(status.plans[0]?.why).toContain('max_waiting_for_review')

  expect((await lab.bosun('answer', 'A-1', 'approve')).exit).toBe(0)
  const next = await lab.deliver()
  expect([next.exit, next.last.inbox.map(({ task }) => task)]).toEqual([10, ['2']])
  expect(sent(lab)).toEqual(['1', '2'])
})

test('work is sent back three times, always with feedback, and the fourth time the plan is paused', async () => {
  lab = smallProject({
    agent: 'grep -o "number [0-9]" | tail -1 >> "$repo/received"; work; report',
    settings: 'approval: each_task\n',
  })
  const asked = async (of: Lab): Promise<string> => {
    const { exit, last } = await of.deliver()
    expect([exit, last.inbox.length]).toEqual([10, 1])
    return last.inbox[0]?.id ?? ''
  }
  const first = await asked(lab)
  const bare = await lab.bosun('answer', first, 'revise')
  expect([bare.exit, bare.stderr]).toEqual([2, expect.stringContaining('--feedback')])
  for (const round of [1, 2, 3]) {
    const revised = await lab.bosun('answer', await asked(lab), 'revise', '--feedback', `number ${round}`)
    expect(revised.exit, revised.stderr).toBe(0)
  }
  expect(lab.briefOf('w-small-1-2')).toContain('do what a person asks for, and nothing else\n\n- number 1')
  const fourth = await lab.bosun('answer', await asked(lab), 'revise', '--feedback', 'number 4')
  expect(fourth.exit, fourth.stderr).toBe(0)
  const paused = await lab.bosun('run', 'small', '--no-input')
  expect(paused.exit).toBe(10)
  expect(paused.stdout).toContain('small is paused: task 1 was revised 3 times and is still not approved')
  expect(paused.stdout).toContain('bosun resume small')
  expect(sent(lab)).toEqual(['1', '1', '1', '1'])
})
