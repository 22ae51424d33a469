import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaOfFiles, areasConflict } from './areas.ts'

describe('area of a task', () => {
  it.each([
    ['src/slug', ['src/slug.js', 'test/slug.test.js']],
    ['src/slug', ['src/slug.js', 'README.md', 'package-lock.json']],
    ['packages/admin-api', ['packages/admin-api/src/a.py', 'packages/admin-api/pyproject.toml']],
    ['apps/desktop', ['apps/desktop/.../AgentIconPicker/options.ts']],
    ['src/phases', ['src/phases/verify.py', 'tests/test_verify.py']],
    ['src', ['src/a.ts', 'src/b.ts']],
    ['packages', ['packages/a/x.ts', 'packages/b/y.ts']],
    ['.', ['src/a.ts', 'lib/b.ts']],
    ['.', ['package.json', 'src/a.ts']],
    ['README.md', ['README.md']],
    ['docs/testing', ['docs/testing.md']],
    ['docs/plans', ['docs/plans/a.md', 'docs/plans/b.md']],
    ['tests/brainstorm-server', ['tests/brainstorm-server/server.test.js']],
    ['evals', ['evals/']],
    ['packages/admin-ui', ['packages/admin-ui/src/']],
    ['.', ['docs/testing.md', 'README.md', '.gitignore']],
    ['.', []],
  ])('is %s for %j', (area, paths) => {
    expect(areaOfFiles(paths)).toBe(area)
  })
})

describe('areas', () => {
  it('conflict when equal or when one lies within the other', () => {
    expect(areasConflict('src/a', 'src/a')).toBe(true)
    expect(areasConflict('src', 'src/a')).toBe(true)
    expect(areasConflict('src/a', 'src/ab')).toBe(false)
    expect(areasConflict('src/a', 'src/b')).toBe(false)
    expect(areasConflict('./src/', 'src')).toBe(true)
  })

  it('conflict with the whole repository, always', () => {
    expect(areasConflict('.', 'src/a')).toBe(true)
    expect(areasConflict('backend', '.')).toBe(true)
  })

  it('conflict both ways', () => {
    const area = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }).map((parts) => parts.join('/') || '.')
    fc.assert(
      fc.property(area, area, (a, b) => {
        expect(areasConflict(a, b)).toBe(areasConflict(b, a))
      }),
    )
  })
})
