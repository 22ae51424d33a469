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

describe('layer', () => {
  it('is read from a folder that bears its name', () => {
    expect(layerOfFiles(['src/core/grid.cpp', 'src/core/cell.cpp', 'tests/grid_test.cpp'])).toBe('core')
    expect(layerOfFiles(['infra/main.tf'])).toBe('infrastructure')
  })

  it('is not guessed where files lie in several or none', () => {
    expect(layerOfFiles(['src/core/a.ts', 'src/web/b.ts'])).toBeNull()
    expect(layerOfFiles(['src/a.ts'])).toBeNull()
    expect(layerOfFiles([])).toBeNull()
  })
})
