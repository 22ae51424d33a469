import { expect, test } from 'vitest'
import { labelOf, labelOfHeading } from './task-fields.ts'

test.each([
  ['**Files:** `a`', 'files', '`a`'],
  ['**Files**: `a`', 'files', '`a`'],
  ['Files:', 'files', ''],
  ['**Files**', 'files', ''],
  ['__Depends on:__ 3', 'depends_on', '3'],
  ['Depends on: Task 3', 'depends_on', 'Task 3'],
  ['DEPENDENCIES: none', 'depends_on', 'none'],
  ['**Non-goals:** x', 'non_goals', 'x'],
  ['Out of scope: x', 'non_goals', 'x'],
  ['**Tech Stack:** TypeScript', 'tech_stack', 'TypeScript'],
  ['Run: `npm test`', 'run', '`npm test`'],
  ['**Verify:** it runs', 'check', 'it runs'],
])('%s', (text, name, rest) => {
  expect(labelOf(text)).toMatchObject({ name, rest })
})

test.each([
  'Note: x',
  '**Files are here** and there',
  'A sentence without one',
  'https://x.y/z',
  '**Bold** Files:',
  '',
])('%s has no known label', (text) => {
  expect(labelOf(text)).toBeNull()
})

test('a heading can be a label', () => {
  expect(labelOfHeading('Acceptance Criteria')).toBe('acceptance_criteria')
  expect(labelOfHeading('**Out of scope:**')).toBe('non_goals')
  expect(labelOfHeading('Notes')).toBeUndefined()
})
