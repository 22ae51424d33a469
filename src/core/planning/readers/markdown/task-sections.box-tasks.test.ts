import { expect, test } from 'vitest'
import { readTasks } from './task-sections.ts'
import { readLines } from './lines.ts'

const read = (text: string) => readTasks(readLines(text).lines)
const heads = (text: string) => read(text).tasks.map(({ id, title, phase }) => ({ id, title, phase }))

test('below a heading for tasks, each box is a task', () => {
  expect(heads('## Why\n- [ ] not this\n## Tasks\n- [x] A\n- [ ] B.\n## Done when\n- [ ] nor this')).toEqual([
    { id: '1', title: 'A', phase: null },
    { id: '2', title: 'B', phase: null },
  ])
})

test('without a heading for tasks all boxes count except those of criteria and the like', () => {
  expect(
    heads('## Phase 1: X\n- [ ] A\n## Success criteria\n- [ ] no\n## Phase 2: Y\n- [ ] B'),
  ).toMatchObject([
    { title: 'A', phase: 'Phase 1: X' },
    { title: 'B', phase: 'Phase 2: Y' },
  ])
})

test('a box keeps its own id', () => {
  expect(heads('## 1. Setup\n- [ ] 1.1 A\n- [ ] 1.2 B')).toMatchObject([
    { id: '1.1', title: 'A', phase: '1. Setup' },
    { id: '1.2', title: 'B' },
  ])
  expect(heads('- [ ] 1. A\n- [ ] 2. B').map(({ id }) => id)).toEqual(['1', '2'])
  expect(heads('- [ ] **AB-1:** A').map(({ id, title }) => [id, title])).toEqual([['AB-1', 'A']])
})

test('indented lines below a box belong to its task', () => {
  const [task] = read(
    '- [ ] A\n  - [ ] a\n  - [x] b\n\n  Run: `npm test`\n\n  Depends on: none\n- [ ] B',
  ).tasks
  expect(task?.steps.map((step) => step.title)).toEqual(['a', 'b'])
  expect(task?.dependsOn).toEqual({ ids: [], line: 7 })
})

test('a box that commits or pushes is not a task and is reported', () => {
  const { tasks, removed } = read('- [ ] A\n- [ ] Commit\n- [ ] B\n- [ ] Push to origin')
  expect(tasks.map((task) => task.title)).toEqual(['A', 'B'])
  expect(removed).toMatchObject([
    { task: '1', line: 2 },
    { task: '2', line: 4 },
  ])
})
