import { describe, expect, test } from 'vitest'
import type { RunEvidence } from '../../event-schemas/evidence.ts'
import { verdict } from '../verdicts.ts'
import { listingAfter, restoredManifest, noteRestored } from './restore-protected.ts'

describe('a restored manifest', () => {
  test('has the commands and settings of the base, and the dependencies of the work', () => {
    const base = JSON.stringify({ name: 'a', scripts: { test: 'vitest run' }, jest: { bail: true } })
    const work = JSON.stringify({
      name: 'a',
      scripts: { test: 'true' },
      vitest: {},
      dependencies: { b: '1' },
    })
    expect(JSON.parse(restoredManifest(base, work) ?? '')).toEqual({
      name: 'a',
      scripts: { test: 'vitest run' },
      jest: { bail: true },
      dependencies: { b: '1' },
    })
  })

  test('is restored as a whole if one side cannot be parsed', () => {
    expect(restoredManifest('{}', '{')).toBeNull()
    expect(restoredManifest('[]', '{}')).toBeNull()
  })
})

test('commands are looked for in what is left after putting back', () => {
  const tree = { files: new Set(['Makefile', 'new.mk', 'a.c']), read: () => 'of the work' }
  const base = { files: new Set(['Makefile', 'gone.mk']), read: () => 'of the base' }
  const after = listingAfter(['Makefile', 'new.mk', 'gone.mk'], tree, base)
  expect([...after.files].sort()).toEqual(['Makefile', 'a.c', 'gone.mk'])
  expect([after.read('Makefile'), after.read('a.c')]).toEqual(['of the base', 'of the work'])
})

describe('a verdict on a tree with restored files', () => {
  const run: RunEvidence = {
    command: 'npm test',
    tree: 't',
    on: 'tree',
    ending: { kind: 'exited', code: 0 },
    durationMs: 1,
    counts: null,
    keyLines: [],
    outputSha256: null,
    storedAt: null,
    commandSha256: null,
  }

  test('never says that the tests of the work pass', () => {
    const passed = verdict('unit', 'passed', '3 of 3 tests passed', { runs: [run] })
    expect(noteRestored(passed, ['a.test.js'])).toMatchObject({ outcome: 'failed' })
    expect(noteRestored(passed, [])).toBe(passed)
  })

  test('of a linter stays and lists the restored files', () => {
    const clean = verdict('lint', 'passed', 'clean', { runs: [run] })
    const noted = noteRestored(clean, ['.eslintrc.json'])
    expect([noted.outcome, noted.evidence.findings[0]?.file]).toEqual(['passed', '.eslintrc.json'])
  })

  test('that rests on no run is left alone', () => {
    const none = verdict('unit', 'not_applicable', 'there is no test command')
    expect(noteRestored(none, ['a.test.js'])).toBe(none)
  })
})
