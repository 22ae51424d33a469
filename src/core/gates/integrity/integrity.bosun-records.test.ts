import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { integrity } from './integrity.ts'

const NO_TREES = { before: () => null, after: () => null }
const ADDED: BeforeAfter = [null, 'a\n']
const judged = (files: Readonly<Record<string, BeforeAfter>>, modify: readonly string[] = []) =>
  integrity({
    change: aChange(files),
    spec: { files: { create: [], modify, delete: [] }, testsToAdd: [], inferred: [] },
    trees: NO_TREES,
    gateScripts: [],
    ownFolders: ['docs/reviews', './docs/releases/'],
  })

describe('a worker', () => {
  test('may not write where Bosun writes its reviews and manifests', () => {
    expect(judged({ 'docs/reviews/task-2-review.md': ADDED })).toMatchObject({
      outcome: 'failed',
      summary:
        'docs/reviews/task-2-review.md is where Bosun writes its own records (docs/reviews); remove it',
    })
    expect(judged({ 'docs/releases/shop-release.yaml': ['a\n', 'b\n'] }).summary).toContain('restore it')
    expect(judged({ 'docs/reviews/task-1-review.md': ['a\n', null] }).outcome).toBe('failed')
    expect(judged({ 'Docs/Reviews/x.md': ADDED }).outcome).toBe('failed')
  })

  test('may not put a file in the place of those folders', () => {
    expect(judged({ 'docs/reviews': ADDED }).outcome).toBe('failed')
    expect(judged({ docs: ADDED }).outcome).toBe('failed')
  })

  test('may write a page there that the contract names, unless it has the name of a record', () => {
    const page = 'docs/releases/v2.md'
    expect(judged({ [page]: ADDED }).outcome).toBe('failed')
    expect(judged({ [page]: ADDED }, [page]).outcome).toBe('passed')
    const record = 'docs/releases/shop-release.yaml'
    expect(judged({ [record]: ADDED }, [record]).outcome).toBe('failed')
  })

  test('may write beside them', () => {
    expect(judged({ 'docs/guide.md': ADDED, 'docs/reviews-of-books.md': ADDED }).outcome).toBe('passed')
  })
})
