/** A person overrides failing gates after other work has landed: asked again only if something new fails. */
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

const SETTINGS = 'pm: { retry_budget: 0, max_parallel_agents: 1 }\n'

/** Task 1 fails its own test and is escalated; task 2 lands after that. Then the failing gates are overridden. */
async function overrideAfterLanding(testOf2: string): Promise<Awaited<ReturnType<Lab['deliver']>>> {
  const agent = `work; report; case $id in 1) echo false > test/m1.t ;; 2) ${testOf2} ;; esac`
  lab = smallProject({ agent, tasks: 2, sideBySide: true, settings: SETTINGS })
  const { last, stderr } = await lab.deliver()
  expect(last.inbox, stderr).toMatchObject([{ kind: 'escalation', task: '1' }])
  expect(landed(lab)).toEqual(['2'])
  const [item] = last.inbox
  const answered = await lab.bosun('answer', item?.id ?? '', 'approve', '--feedback', 'known', '--by', 'Ann')
  expect(answered.exit, answered.stderr).toBe(0)
  return lab.deliver()
}

const landed = (of: Lab): unknown[] =>
  of
    .activity()
    .filter(({ event }) => event === 'task_committed')
    .map(({ task_id: id }) => id)

test('overridden failures are not asked about again on top of landed work', async () => {
  const { last, stderr } = await overrideAfterLanding(':')
  expect(
    last.inbox.map(({ task }) => task),
    stderr,
  ).not.toContain('1')
  expect(landed(lab as Lab)).toEqual(['2', '1'])
  const summaries = (lab as Lab)
    .activity()
    .filter(({ event, task_id: id }) => event === 'gate_failed' && id === '1')
    .map((line) => JSON.stringify(line))
    .join('\n')
  // The counts differ, the failing test is the same.
  expect(summaries).toContain('1 of 2 tests passed')
  expect(summaries).toContain('2 of 3 tests passed')
})

test('an override lapses where another test fails on top of landed work', async () => {
  const { last, stderr } = await overrideAfterLanding(
    'echo "test -e src/m2/value && test ! -e src/m1/value" > test/m2.t',
  )
  expect(last.inbox, stderr).toMatchObject([{ kind: 'escalation', task: '1' }])
  expect(landed(lab as Lab)).toEqual(['2'])
})

test('a TODO that a person let through opens no remediation at the release', async () => {
  lab = smallProject({
    agent: 'work; report; echo "# TODO the rest" >> src/m1/value',
    tasks: 1,
    settings: SETTINGS,
  })
  const [item] = (await lab.deliver()).last.inbox
  const answer = ['answer', item?.id ?? '', 'approve', '--feedback', 'later', '--by', 'Ann'] as const
  expect((await lab.bosun(...answer)).exit).toBe(0)
  const { last, stderr } = await lab.deliver()
  expect(last, stderr).toMatchObject({ outcome: 'released' })
  expect(landed(lab)).toEqual(['1'])
})

test('a remediation task lands only when the check that it repairs passes on the whole of the work', async () => {
  const leaves = 'case $id in 1) echo "# TODO(task-2) the rest" >> src/m1/value ;; esac'
  lab = smallProject({ agent: `work; report; ${leaves}`, tasks: 2, settings: SETTINGS })
  const { last, stderr } = await lab.deliver()
  expect(landed(lab), stderr).toEqual(['1', '2'])
  expect(last.inbox, stderr).toMatchObject([{ kind: 'escalation', task: 'remediation-01' }])
  expect(last.inbox[0]?.problem).toContain('TODO check')
})
