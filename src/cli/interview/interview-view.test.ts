import { expect, test } from 'vitest'
import type { PreviewAnswer } from '../../protocol/interview.ts'
import { styleOf } from '../terminal/terminal.ts'
import { previewText } from './interview-view.ts'

const PREVIEW: PreviewAnswer = {
  session_id: '1.1',
  state: 'PREVIEW',
  spec_sha: 'ab'.repeat(32),
  user_spec_md: '# Feature: Clock\n',
  bootstrap_spec_md: null,
  spec_metadata: { title: 'Clock', version: '1.0', priority: 'must', requirements_count: 3 },
}

const NOTHING = { added: [], changed: [], removed: [], unchanged: [], fields: [] }

const shown = (changes?: PreviewAnswer['changes']): string =>
  previewText({ ...PREVIEW, ...(changes === undefined ? {} : { changes }) }, styleOf('plain'))

test('a spec of a plan that exists is shown with what it changes there', () => {
  const requirements = {
    added: ['R-004'],
    changed: [{ id: 'R-002', fields: ['criteria', 'priority'] }],
    removed: ['R-003'],
    unchanged: ['R-001'],
    fields: ['vision'],
  }
  const tasks = [{ id: 'S-002.1', requirements: ['R-002'] }]
  expect(shown({ plan: 'clock', requirements, tasks }).split('\n').slice(4)).toEqual([
    'Submitting it changes plan clock:',
    '  + R-004  new',
    '  ~ R-002  changed: criteria, priority',
    '  - R-003  removed',
    '  ~ the spec itself: vision',
    '  1 requirement unchanged',
    '  Tasks that are replaced or removed: S-002.1 (R-002)',
    '',
  ])
})

test('a spec that changes nothing says so, and a new one says nothing of changes', () => {
  expect(shown({ plan: 'clock', requirements: NOTHING, tasks: [] })).toContain(
    'nothing: the spec is the same',
  )
  expect(shown()).not.toContain('Submitting it changes')
})

test('a spec whose plan has ended is shown with the reason and the way out', () => {
  const warning = 'plan clock is released and cannot be changed. Give the spec another title (# Feature: …)'
  expect(previewText({ ...PREVIEW, warning }, styleOf('plain'))).toContain(`\nWarning: ${warning}\n`)
})
