import { afterEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import type { WorkDiff, WorkDiffs } from '../../ports/checkouts.ts'
import { diffAnswer } from '../../protocol/task-answer.ts'
import { showTask } from './show-task.ts'
import { taskDiff } from './task-diff.ts'

let testing: TestHost
afterEach(() => testing.dispose())

const diff = (head: string): WorkDiff => ({
  base: 'base',
  head,
  files: [{ path: 'src/a.ts', from: null, change: 'added', added: 1, removed: 0, isBinary: false }],
  patch: '+a\n',
  isCut: false,
  command: null,
})
const diffs: WorkDiffs = {
  between: async (base, head) => diff(`${base} to ${head}`),
  ofCommit: async (sha) => diff(`commit ${sha}`),
  ofDraft: async ({ worker }) => diff(`draft of ${worker}`),
  ofWorker: async ({ worker }) => diff(`files of ${worker}`),
}

async function played(outcome: 'passed' | 'failed', workMs?: null) {
  testing = await new TestHost({
    gates: { outcome: (gate) => (gate === 'unit' ? outcome : 'passed') },
    ...(workMs === null ? { worker: () => ({ workMs }) } : {}),
  }).open()
  testing.diffs = diffs
  return (await testing.register([low('a')])).plan
}

test('landed work is shown from its commit', async () => {
  const plan = await played('passed')
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'completed')
  const shown = diffAnswer.parse(await taskDiff(testing.host, { id: 'a' }))
  expect(shown).toMatchObject({ of: 'landed', files: [{ path: 'src/a.ts', binary: false }] })
  expect(shown.head).toBe(`commit ${plan.state.tasks.get('a')?.commit?.sha ?? ''}`)
})

test('work that waits for a person is shown from its draft, with the findings on its lines', async () => {
  const plan = await played('failed')
  await testing.until(plan, ({ state }) => state.inbox.size > 0)
  const task = plan.state.tasks.get('a')
  const [unit] = task?.verdicts?.filter(({ gate }) => gate === 'unit') ?? []
  if (task === undefined || unit === undefined) throw new Error('no verdict')
  const finding = { weight: 'blocks', text: 'wrong \u202Eline', file: 'src/a.ts', line: 3 } as const
  task.verdicts = [
    { ...unit, evidence: { ...unit.evidence, findings: [finding, { ...finding, file: null, line: null }] } },
  ]
  const shown = await taskDiff(testing.host, { id: 'a' })
  expect(shown).toMatchObject({ of: 'proposed', head: `draft of ${task.draft?.worker ?? ''}` })
  expect(shown.notes).toEqual([
    { path: 'src/a.ts', line: 3, by: 'unit', blocks: true, earlier: false, text: 'wrong ⟨U+202E⟩line' },
  ])
  expect(await showTask(testing.host, { id: 'a' })).toMatchObject({
    item: 'E-1',
    criteria: [{ criterion: 'a works', word: 'UNTESTED' }],
  })
})

test('work in progress is shown as its worker has it, and nothing where there is no git', async () => {
  const plan = await played('passed', null)
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
  expect(await taskDiff(testing.host, { id: 'a' })).toMatchObject({
    of: 'so_far',
    head: 'files of w-shop-a-1',
  })
  testing.diffs = null
  expect(await taskDiff(testing.host, { id: 'a' })).toMatchObject({ of: 'nothing', patch: '', notes: [] })
})

test('findings about an earlier attempt are marked as such, since their lines may be others now', async () => {
  const plan = await played('failed')
  await testing.until(plan, ({ state }) => state.inbox.size > 0)
  const task = plan.state.tasks.get('a')
  const [unit] = task?.verdicts?.filter(({ gate }) => gate === 'unit') ?? []
  if (task === undefined || unit === undefined) throw new Error('no verdict')
  const finding = { weight: 'blocks', text: 'wrong', file: 'src/a.ts', line: 3 } as const
  const verdicts = [{ ...unit, evidence: { ...unit.evidence, findings: [finding] } }]
  const issues = [
    { severity: 'major', description: 'unclear', location: 'src/a.ts:3', howToFix: '' } as const,
  ]
  const review = {
    round: 1,
    by: 'critic',
    agent: null,
    isOwnAgent: false,
    summary: '',
    remark: null,
    issues,
    verdict: 'changes_requested',
  } as const
  const earlier = async (change: Partial<typeof task>) => {
    Object.assign(task, { verdicts, review: { ...review, attempt: task.attempt } }, change)
    return (await taskDiff(testing.host, { id: 'a' })).notes.map((note) => [note.by, note.earlier])
  }
  const [now, before] = [task.attempt, { ...review, attempt: task.attempt - 1 }]
  expect(now).toBeGreaterThan(1)
  expect(await earlier({})).toEqual([
    ['unit', false],
    ['critic', false],
  ])
  // Gates ran on the new work, which is not reviewed yet.
  expect(await earlier({ review: before })).toEqual([
    ['unit', false],
    ['critic', true],
  ])
  // The new work was refused before any gate ran on it.
  expect(await earlier({ review: before, cause: { kind: 'refused', reason: 'too large' } })).toEqual([
    ['unit', true],
    ['critic', true],
  ])
})
