import { expect, test } from 'vitest'
import { readLines } from './lines.ts'
import { readTasks } from './task-sections.ts'

const read = (text: string) => readTasks(readLines(text).lines)

test('Spec Kit is recognised by its ids', () => {
  expect(read('- [ ] T001 x').format).toBe('spec-kit')
  expect(read('- [ ] Tidy x\n```\n- [ ] T001 x\n```').format).toBe('markdown')
})

test('marks are removed from titles, and the phase is the heading above', () => {
  expect(
    read('## Phase 1: A\n### Tests\n- [x] T001 [P] [US1] Do it\n## Notes\n- [ ] T002 More').tasks,
  ).toMatchObject([
    { id: 'T001', title: 'Do it', phase: 'Phase 1: A' },
    { id: 'T002', title: 'More', phase: null },
  ])
})

test('paths in the line are the task’s files, new or not by its verb', () => {
  const [create, change, trial, remove] = read(
    '- [ ] T001 Create A in src/a.py\n- [ ] T002 Extend `src/a.py`, src/b.py.\n- [ ] T003 Test GET /a in tests/test_a.py\n- [ ] T004 Remove src/c.py',
  ).tasks
  expect(create?.files?.create).toEqual(['src/a.py'])
  expect(change?.files?.modify).toEqual(['src/a.py', 'src/b.py'])
  expect(trial?.files?.test).toEqual(['tests/test_a.py'])
  expect(remove?.files?.delete).toEqual(['src/c.py'])
})

test('dependencies in parentheses are read and removed from the title', () => {
  expect(read('- [ ] T003 Wire it (depends on T001, T002)').tasks).toMatchObject([
    { title: 'Wire it', dependsOn: { ids: ['T001', 'T002'], line: 1 } },
  ])
})

test('a path outside the repository is reported', () => {
  expect(read('- [ ] T001 Copy to ~/x/y.txt').removed).toMatchObject([{ task: 'T001', text: '~/x/y.txt' }])
})
