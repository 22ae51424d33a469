import { expect, test } from 'vitest'
import { readLines } from './lines.ts'
import { readTasks } from './task-sections.ts'

const read = (text: string) => readTasks(readLines(text).lines)
const tasks = (text: string) =>
  read(text).tasks.map(({ id, phase, description }) => ({ id, phase, body: description }))
const numbered = (text: string) => read(text).tasks.map(({ id }) => id)

test('a heading of the same or a higher level ends a task, a lower one belongs to it', () => {
  expect(tasks('### Task 1: a\nx\n#### Notes\ny\n### Other\nz')).toEqual([
    { id: '1', phase: null, body: 'x\nNotes\ny' },
  ])
  expect(tasks('### Task 1: a\nx\n## Summary\nz')).toEqual([{ id: '1', phase: null, body: 'x' }])
})

test('a task heading below a task starts another task', () => {
  expect(tasks('## Task 10: a\nx\n### Task 10a: b\ny\n## Task 11: c')).toEqual([
    { id: '10', phase: null, body: 'x' },
    { id: '10a', phase: null, body: 'y' },
    { id: '11', phase: null, body: '' },
  ])
})

test('tasks have the phase above them until another section begins', () => {
  const text = '## Phase 1: A\n### Task 1: a\n## Chunk 2: B\n### Task 2: b\n## Notes\n### Task 3: c'
  expect(tasks(text).map(({ phase }) => phase)).toEqual(['Phase 1: A', 'Chunk 2: B', null])
})

test('a heading for tasks is not a phase', () => {
  expect(tasks('## Tasks (small first)\n### Task 1: a')).toMatchObject([{ phase: null }])
  expect(tasks('## File Map\n### Task 1: a')).toMatchObject([{ phase: null }])
})

test('headings in code and comments start nothing', () => {
  expect(tasks('```\n### Task 1: a\n```\n<!--\n### Task 2: b\n-->\n### Task 3: c')).toMatchObject([
    { id: '3' },
  ])
})

test('lines outside tasks are returned', () => {
  const { others } = read('# T\n\n### Task 1: a\nx\n## End\ny')
  expect(others.map((line) => line.text)).toEqual(['# T', '', '## End', 'y'])
})

test('numbered headings are tasks below a heading for tasks', () => {
  expect(numbered('## 1. Background\nx\n## 2. Tasks\n### 2.1 A\n### 2.2 B\n## 3. Risks')).toEqual([
    '2.1',
    '2.2',
  ])
  expect(numbered('## Implementation\n### 1. A\n### 2. B\n## Notes\n### 3. C')).toEqual(['1', '2'])
})

test('numbered headings are tasks where they contain files, steps or criteria', () => {
  expect(
    numbered('## 1. Intro\nwords\n## 2. Parser\n**Files:** `a.ts`\n## 3. Lexer\n- [ ] write it'),
  ).toEqual(['2', '3'])
  expect(numbered('## 1. Intro\nwords\n## 2. More\nwords')).toEqual([])
})

test('a numbered heading that only groups others is not a task', () => {
  expect(numbered('## Tasks\n### 1. Backend\n#### 1.1 A\n#### 1.2 B\n### 2. C')).toEqual(['1.1', '1.2', '2'])
})
