import { describe, expect, test } from 'vitest'
import { compareSpecs, isSpecChanged, mergeTasks } from './compare-specs.ts'
import type { WrittenTask } from '../planning/readers/yaml-schema.ts'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'

type Marked = Pick<WrittenTask, 'id' | 'role'> & {
  readonly requirements: readonly string[]
  readonly depends_on: readonly string[]
  readonly mark: string
}
const task = (id: string, requirements: readonly string[], given: Partial<Marked> = {}): Marked => ({
  id,
  requirements,
  depends_on: [],
  role: 'developer',
  mark: 'before',
  ...given,
})
const fresh = (id: string, requirements: readonly string[], given: Partial<Marked> = {}): Marked =>
  task(id, requirements, { mark: 'after', ...given })
const shown = (tasks: readonly Marked[]) => tasks.map(({ id, mark, depends_on }) => [id, mark, depends_on])

describe('the tasks after a change of the spec', () => {
  test('are kept where their requirements did not change, and replaced where they did', () => {
    const before = [task('a', ['R-001']), task('b', ['R-002'], { depends_on: ['a'] })]
    const after = [fresh('a', ['R-001']), fresh('b', ['R-002'], { depends_on: ['a'] })]
    expect(shown(mergeTasks(before, after, { unchanged: ['R-001'] }))).toEqual([
      ['a', 'before', []],
      ['b', 'after', ['a']],
    ])
  })

  test('follow each other under new ids', () => {
    const before = [task('x', ['R-001']), task('y', ['R-002'], { depends_on: ['x'] })]
    const after = [fresh('p', ['R-001']), fresh('q', ['R-002'], { depends_on: ['p'] })]
    expect(shown(mergeTasks(before, after, { unchanged: ['R-002'] }))).toEqual([
      ['p', 'after', []],
      ['y', 'before', ['p']],
    ])
    expect(shown(mergeTasks(before, after, { unchanged: ['R-001'] }))).toEqual([
      ['x', 'before', []],
      ['q', 'after', ['x']],
    ])
  })

  test('get another id where theirs is taken by a task that is kept', () => {
    const before = [task('1', ['R-001']), task('2', ['R-001'], { depends_on: ['1'] })]
    const after = [fresh('1', ['R-002']), fresh('2', ['R-001'])]
    expect(shown(mergeTasks(before, after, { unchanged: ['R-001'] }))).toEqual([
      ['1', 'before', []],
      ['1-2', 'after', []],
      ['2', 'before', ['1']],
    ])
  })

  test('keep what the user added, without dependencies on what is gone', () => {
    const before = [task('a', ['R-001']), task('own', [], { depends_on: ['a'] })]
    expect(shown(mergeTasks(before, [fresh('b', ['R-002'])], { unchanged: [] }))).toEqual([
      ['b', 'after', []],
      ['own', 'before', []],
    ])
  })

  test('have a new design where one of its requirements changed', () => {
    const before = [
      task('D-1.1', ['R-001', 'R-002'], { role: 'designer' }),
      task('a', ['R-001'], { depends_on: ['D-1.1'] }),
    ]
    const after = [
      fresh('D-1.1', ['R-001', 'R-002'], { role: 'designer' }),
      fresh('a', ['R-001'], { depends_on: ['D-1.1'] }),
    ]
    expect(shown(mergeTasks(before, after, { unchanged: ['R-001'] }))).toEqual([
      ['D-1.1', 'after', []],
      ['a', 'before', ['D-1.1']],
    ])
  })
})

describe('two specs', () => {
  test('are the same but for white space', () => {
    const spec = aSpec([aRequirement('R-001', { description: 'One  two' })])
    const spaced = aSpec([aRequirement('R-001', { description: 'One\ntwo' })])
    expect(isSpecChanged(compareSpecs(spec, spaced))).toBe(false)
  })

  test('differ by requirement and field', () => {
    const before = aSpec([aRequirement('R-001'), aRequirement('R-002')])
    const after = aSpec(
      [aRequirement('R-001', { title: 'Other', priority: 'could' }), aRequirement('R-003')],
      { vision: 'Other' },
    )
    expect(compareSpecs(before, after)).toEqual({
      added: ['R-003'],
      changed: [{ id: 'R-001', fields: ['title', 'priority'] }],
      removed: ['R-002'],
      unchanged: [],
      fields: ['vision'],
    })
  })
})
