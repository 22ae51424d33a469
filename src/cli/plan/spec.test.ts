import { describe, expect, it } from 'vitest'
import { readSpec } from '../../core/spec/read-spec.ts'
import { styleOf } from '../terminal/terminal.ts'
import { specDocument, specReport } from './spec.ts'

const TEXT = `---
version: "1.0"
priority: must
created: 2026-11-16
---
# Feature: Export
## Vision
Take it with you.
## Scope
### In Scope
- CSV
## Requirements
### R-001: CSV
**Type:** functional
**Priority:** must
**Description:** As CSV.
**Acceptance Criteria:**
- [ ] one line per row
- [ ] a header
`
const shown = { style: styleOf('plain'), width: 80 }

describe('the report on a spec', () => {
  it('says in a line what a valid spec contains', () => {
    expect(specReport('s.md', readSpec(TEXT, 's.md'), shown)).toBe(
      'valid: Export (version 1.0, must), 1 requirement, 2 criteria\n',
    )
  })

  it('lists mistakes as editors read them, with the remedy below', () => {
    const broken = readSpec(TEXT.replace('must', 'high'), 's.md')
    expect(specReport('s.md', broken, shown)).toBe(
      's.md:3: error: invalid priority "high" (use must, should or could)\n' +
        '  Write priority: must, priority: should or priority: could.\n' +
        's.md: 1 error\n',
    )
  })

  it('has the whole spec as JSON, and null for an invalid one', () => {
    const document = specDocument('s.md', readSpec(TEXT, 's.md'))
    expect(Object.keys(document)).toEqual(['file', 'valid', 'spec', 'problems'])
    expect(document).toMatchObject({
      file: 's.md',
      valid: true,
      spec: {
        title: 'Export',
        requirements: [
          { id: 'R-001', dependencies: [], acceptance_criteria: ['one line per row', 'a header'], line: 13 },
        ],
      },
      problems: [],
    })
    expect(specDocument('s.md', readSpec('x', 's.md'))).toMatchObject({ valid: false, spec: null })
  })
})
