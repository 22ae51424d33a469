import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCall, readList } from './list.ts'

describe('the commits to replay', () => {
  it('are a plan each, or one plan as a chain', () => {
    expect(readCall(['repo', 'a1', 'b2']).wanted.map(({ commits }) => commits)).toEqual([['a1'], ['b2']])
    expect(readCall(['repo', 'a1', 'b2', '--chain']).wanted.map(({ commits }) => commits)).toEqual([
      ['a1', 'b2'],
    ])
  })

  it('come from a list too, with the checks that a person would set', () => {
    const list =
      '# half\n\n/repos/a.git a1 --test "CI=1 npm test" --lint none\n/repos/b.git b1 b2 --tier low\n'
    expect(readList(list)).toEqual([
      { repository: '/repos/a.git', commits: ['a1'], checks: { test: 'CI=1 npm test', lint: null } },
      { repository: '/repos/b.git', commits: ['b1'], checks: {}, tier: 'low' },
      { repository: '/repos/b.git', commits: ['b2'], checks: {}, tier: 'low' },
    ])
  })

  it('are kept in a folder that is the same wherever a command runs', () => {
    expect(readCall(['repo', 'a1', '--keep', 'kept']).keep).toBe(join(process.cwd(), 'kept'))
  })

  it('are refused with an option that does not exist', () => {
    expect(() => readCall(['repo', 'a1', '--tset', 'x'])).toThrow('--tset')
  })
})
