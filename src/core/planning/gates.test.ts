import { describe, expect, it } from 'vitest'
import { gatesFor, layerOfFiles } from './gates.ts'

describe('gates of a task', () => {
  it.each([
    ['core', ['src/grid.cpp'], ['build', 'unit', 'lint', 'contract']],
    ['core', [], ['build', 'unit', 'lint', 'contract']],
    ['core', ['src/slug.js'], ['unit', 'lint']],
    ['workflow', ['flows/a.py'], ['unit', 'lint']],
    ['infrastructure', [], ['unit', 'lint']],
    ['algorithm', ['solve.py'], ['unit', 'lint']],
    ['integration', ['it/energy.py'], ['unit', 'numeric']],
    [null, ['src/a.ts'], ['unit', 'lint']],
    ['billing', ['src/a.ts'], ['unit', 'lint']],
    [null, ['README.md', 'docs/a.md'], ['lint']],
  ])('of layer %s with %j are %j', (layer, paths, gates) => {
    expect(gatesFor({ layer, paths })).toEqual(gates)
  })
})

it('a task that exposes or may break interfaces gets the contract gate once', () => {
  expect(gatesFor({ layer: null, paths: ['src/a.py'], isPublic: true })).toEqual(['unit', 'lint', 'contract'])
  expect(gatesFor({ layer: 'core', paths: ['a.cpp'], isPublic: true })).toEqual([
    'build',
    'unit',
    'lint',
    'contract',
  ])
})

describe('layer', () => {
  it('is taken from a folder of the same name', () => {
    expect(layerOfFiles(['src/core/grid.cpp', 'src/core/cell.cpp', 'tests/grid_test.cpp'])).toBe('core')
    expect(layerOfFiles(['infra/main.tf'])).toBe('infrastructure')
  })

  it('is not guessed for files in several layers or none', () => {
    expect(layerOfFiles(['src/core/a.ts', 'src/web/b.ts'])).toBeNull()
    expect(layerOfFiles(['src/a.ts'])).toBeNull()
    expect(layerOfFiles([])).toBeNull()
  })
})
