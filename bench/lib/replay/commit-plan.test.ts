import { describe, expect, it } from 'vitest'
import { changesOf, firstLines, type Commit } from './commit.ts'
import { placesOf, planOf, reportOf, taskOf } from './commit-plan.ts'

const COMMIT: Commit = {
  sha: 'b'.repeat(40),
  parent: 'a'.repeat(40),
  subject: 'fix(parser): keep comments (#12)',
  body: 'Comments were lost at the end of a line.\nThey are kept now.\n\nCloses: #11\nSigned-off-by: Ann <ann@example.org>',
  changes: [
    { path: 'test/comments.test.ts', kind: 'create', line: 1 },
    { path: 'test/fixtures/comments.json', kind: 'create', line: 1 },
    { path: 'src/comments.ts', kind: 'create', line: 1 },
    { path: 'src/parser.ts', kind: 'modify', line: 40 },
    { path: 'test/parser.test.ts', kind: 'modify', line: 7 },
    { path: 'src/old.ts', kind: 'delete', line: null },
  ],
}

describe('a commit as a task', () => {
  it('has the subject as its title and the body without its trailers as its description', () => {
    const { title, description } = taskOf(COMMIT, 1)
    expect(title).toBe('fix(parser): keep comments (#12)')
    expect(description).toBe('Comments were lost at the end of a line.\nThey are kept now.')
  })

  it('names the test files that the commit adds as tests to add, and all others as files', () => {
    const { files, tests_to_add: tests } = taskOf(COMMIT, 1)
    expect(tests).toEqual(['test/comments.test.ts'])
    expect(files).toEqual({
      create: ['test/fixtures/comments.json', 'src/comments.ts'],
      modify: ['src/parser.ts', 'test/parser.test.ts'],
      delete: ['src/old.ts'],
    })
  })

  it('has the subject and the first sentence of the body as its criteria', () => {
    expect(taskOf(COMMIT, 1).acceptance_criteria).toEqual([
      'Keep comments',
      'Comments were lost at the end of a line.',
    ])
    expect(taskOf({ ...COMMIT, body: '- a list\n- of things' }, 1).acceptance_criteria).toEqual([
      'Keep comments',
    ])
  })

  it('has a tier only where one was chosen', () => {
    expect(taskOf(COMMIT, 1)).not.toHaveProperty('tier')
    expect(taskOf(COMMIT, 1, 'low').tier).toBe('low')
  })

  it('depends on the commit before it in a chain', () => {
    const { tasks } = planOf([COMMIT, COMMIT, COMMIT])
    expect(tasks.map(({ id, depends_on: on }) => [id, on])).toEqual([
      ['1', []],
      ['2', ['1']],
      ['3', ['2']],
    ])
  })

  it('is met at the lines it adds, in its source first', () => {
    expect(placesOf(COMMIT).slice(0, 3)).toEqual([
      { file: 'src/comments.ts', line: 1 },
      { file: 'src/parser.ts', line: 40 },
      { file: 'test/comments.test.ts', line: 1 },
    ])
    expect(reportOf(COMMIT).review_note.summary).toBe('Keep comments')
  })

  it('is met nowhere where it only deletes', () => {
    expect(placesOf({ ...COMMIT, changes: COMMIT.changes.filter(({ kind }) => kind === 'delete') })).toEqual(
      [],
    )
  })
})

describe('what git prints of a commit', () => {
  it('is read as the changes of each path', () => {
    const names = 'A\0new file.ts\0M\0src/a.ts\0D\0old.ts\0T\0link\0'
    expect(changesOf(names, new Map([['src/a.ts', 3]]))).toEqual([
      { path: 'new file.ts', kind: 'create', line: null },
      { path: 'src/a.ts', kind: 'modify', line: 3 },
      { path: 'old.ts', kind: 'delete', line: null },
      { path: 'link', kind: 'modify', line: null },
    ])
  })

  it('gives the first line with text that a file gets, also where lines look like a diff', () => {
    const diff = [
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -2 +1,0 @@',
      '-gone',
      '@@ -8,0 +8,3 @@ function f() {',
      '+  ',
      '+++ b/other.ts',
      '+@@ -1 +99 @@',
      'diff --git a/b c.ts b/b c.ts',
      '--- /dev/null',
      '+++ b/b c.ts\t',
      '@@ -0,0 +1 @@',
      '+first',
    ]
    expect([...firstLines(diff.join('\n'))]).toEqual([
      ['src/a.ts', 9],
      ['b c.ts', 1],
    ])
  })
})
