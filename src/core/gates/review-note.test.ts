import { describe, expect, test } from 'vitest'
import { reviewNote } from './review-note.ts'

const spec = { title: 'Add slugify', breakingChange: false, securityFlags: [] }
const change = {
  base: 'b',
  files: [
    { path: 'src/slug.js', kind: 'added', isBinary: false, lines: [], removed: [], added: [] } as const,
  ],
}

describe('a review note says what changed, what could go wrong and how to undo it', () => {
  test('a whole one is kept as the worker wrote it', () => {
    const written = { summary: 'Adds slugify.', risks: [], rollback: 'Revert.' }
    const { outcome, evidence } = reviewNote({ spec, change, note: written })
    expect(outcome).toBe('passed')
    expect(evidence.reviewNote).toEqual({ by: 'worker', ...written })
  })

  test('without one it is drafted from the diff and marked', () => {
    const { outcome, evidence } = reviewNote({ spec, change, note: null })
    expect(outcome).toBe('passed')
    expect(evidence.reviewNote).toEqual({
      by: 'rules',
      summary: 'Add slugify. Changes 1 file: src/slug.js.',
      risks: [],
      rollback: 'Revert the commit; nothing outside the repository has changed.',
    })
    expect(evidence.findings).toMatchObject([{ weight: 'note' }])
  })

  test('a drafted note says that nothing was changed', () => {
    const { evidence } = reviewNote({ spec, change: { base: 'b', files: [] }, note: null })
    expect(evidence.reviewNote?.summary).toBe('Add slugify. Nothing was changed.')
  })

  test('half of one is completed and marked', () => {
    const { evidence } = reviewNote({
      spec,
      change,
      note: { summary: 'Mine.', risks: ['slow'], rollback: ' ' },
    })
    expect(evidence.reviewNote).toMatchObject({ by: 'rules', summary: 'Mine.', risks: ['slow'] })
  })

  test('a migration is undone before the commit', () => {
    const files = [
      {
        path: 'db/migrations/1_add.sql',
        kind: 'added',
        isBinary: false,
        lines: [],
        removed: [],
        added: [],
      } as const,
    ]
    const { evidence } = reviewNote({ spec, change: { base: 'b', files }, note: null })
    expect(evidence.reviewNote?.rollback).toBe('Undo the migration first, then revert the commit.')
    expect(evidence.reviewNote?.risks).not.toEqual([])
  })
})
