import { expect, test } from 'vitest'
import { aTask } from '../../../test/helpers/plan-builder.ts'
import type { Plan } from '../planning/plan.ts'
import { defaultSettings } from '../settings/settings.ts'
import { outputsOf, type FinishedDependency } from './dependency-outputs.ts'

const plan = {
  tasks: [aTask('1', { title: 'Design it', role: 'designer', interfaces: ['add(item)'] })],
} as unknown as Plan
const commit = { sha: 'abcdef0123456789', tree: 't', branch: 'b', artifacts: [] }
const change = {
  base: 'tree',
  files: [
    {
      path: 'docs/design/cart.md',
      kind: 'added' as const,
      added: [{ line: 1, text: '# Cart' }],
      removed: [],
      lines: ['# Cart'],
      isBinary: false,
    },
  ],
}
const outputs = (dependency: FinishedDependency, landed = [{ sha: commit.sha, subject: 'Design', change }]) =>
  outputsOf([dependency], { plan, settings: defaultSettings(), landed })

test('an output is what really changed, not what was planned', () => {
  expect(outputs({ task: '1', commit, explanation: 'kept it small' })).toEqual([
    {
      taskId: '1',
      title: 'Design it',
      summary: 'landed as abcdef012345: 1 file, +1 -0',
      files: ['docs/design/cart.md'],
      changes: ['`docs/design/cart.md` added +1 -0'],
      names: [],
      explanation: 'kept it small',
      interfaces: ['add(item)'],
      isDesign: true,
    },
  ])
})

test('of a commit that was not read, the planned files are named', () => {
  expect(outputs({ task: '1', commit }, [])).toMatchObject([
    { summary: 'landed as abcdef012345', files: ['src/1.ts'], changes: [], explanation: null },
  ])
})

test('work that existed before has no commit', () => {
  expect(outputs({ task: '1', commit: null })).toMatchObject([{ summary: 'existed before the plan' }])
})
