import { describe, expect, test } from 'vitest'
import { headingOf, isPhase, isTaskList, numberedHeadingOf, taskHeadingOf } from './marks.ts'

const task = (line: string) => {
  const heading = headingOf(line)
  const found = heading === null ? null : taskHeadingOf(heading)
  return found === null ? null : [found.id, found.title]
}

describe('task headings', () => {
  test.each([
    ['## Task 1: X', '1', 'X'],
    ['### Task 1.2: X y', '1.2', 'X y'],
    ['#### Task 10a: X', '10a', 'X'],
    ['### Task 1 — X', '1', 'X'],
    ['### Task 1 - X', '1', 'X'],
    ['### Task 1. X', '1', 'X'],
    ['### Task 3 Build it', '3', 'Build it'],
    ['### Task 4.3 (optional): X', '4.3', 'X'],
    ['### Task 4 (backend): X', '4', 'X (backend)'],
    ['### Task T-1: x', 'T-1', 'x'],
    ['### T-01: title', 'T-01', 'title'],
    ['### T001 - title', 'T001', 'title'],
    ['### **Task 2:** `code` here', '2', '`code` here'],
    ['### Task #7: x', '7', 'x'],
    ['### TASK 8: x ###', '8', 'x'],
    ['### ✅ Task 9: x', '9', 'x'],
    ['### [x] Task 10: x', '10', 'x'],
    ['### Task A: x', 'A', 'x'],
    ['   ### Task 5: x', '5', 'x'],
    ['### Task 6', '6', 'Task 6'],
    ['### Task 7: Write `__init__.py` and __main__.py', '7', 'Write `__init__.py` and __main__.py'],
  ])('%s', (line, id, title) => {
    expect(task(line)).toEqual([id, title])
  })

  test.each([
    '# Task 1: level one',
    '##### Task 1: level five',
    '## Tasks',
    '## Task list',
    '### Task breakdown: all of them',
    '###Task 1: no blank',
    '    ### Task 1: indented code',
    '### Tasks 1-3',
    '### Testing: x',
    '### The third task',
  ])('%s starts no task', (line) => {
    expect(task(line)).toBeNull()
  })
})

test('a number before a title is its id', () => {
  const read = (line: string) => {
    const heading = headingOf(line)
    const found = heading === null ? null : numberedHeadingOf(heading)
    return found === null ? null : [found.id, found.title]
  }
  expect(read('## 1. Title')).toEqual(['1', 'Title'])
  expect(read('### 1.2 Title')).toEqual(['1.2', 'Title'])
  expect(read('### 2) Title')).toEqual(['2', 'Title'])
  expect(read('## 2026 in numbers')).toEqual(['2026', 'in numbers'])
  expect(read('## 3D models')).toBeNull()
})

test('headings of phases and task lists are recognised', () => {
  const heading = (line: string) => headingOf(line) ?? { level: 0, text: '' }
  expect(
    ['## Phase 1: X', '## Chunk 2: Y', '## Milestone Z', '### Sprint 3'].map((line) =>
      isPhase(heading(line)),
    ),
  ).toEqual([true, true, true, true])
  expect(isPhase(heading('## Tasks (smallest first)'))).toBe(false)
  expect(isTaskList(heading('## Tasks (smallest first)'))).toBe(true)
  expect(isTaskList(heading('## 2. Implementation plan'))).toBe(true)
  expect(isTaskList(heading('## Background'))).toBe(false)
})
