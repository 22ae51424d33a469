import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { parseDryRun } from './read-dry-run.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/dry-run.yaml')

/** What is wrong with it, a line each. */
function faultsOf(text: string): readonly string[] {
  try {
    parseDryRun(text, 'script.yaml')
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`)
  }
}

describe('the file of a dry run', () => {
  test('scripts nothing when it is empty: gates pass and the user answers', () => {
    expect(parseDryRun('', 'script.yaml')).toEqual({
      specialist: { tasks: {}, reviews: {}, stand_in: 'placeholder' },
      gates: { all: {}, tasks: {}, release: {} },
      integration: {},
      brain: [],
    })
  })

  test('is read as the example shows it', () => {
    const script = parseDryRun(readFileSync(EXAMPLE, 'utf8'), 'dry-run.yaml')
    expect(script.gates.tasks['2']).toEqual({ tests_to_run: 2 })
    expect(script.person).toEqual([
      { choice: 'revise', feedback: 'keep it smaller', by: 'the script' },
      { choice: 'approve', feedback: 'as scripted', by: 'the script' },
    ])
  })

  test('takes always for a gate that never passes', () => {
    expect(parseDryRun('gates: { all: { unit: always } }', 'script.yaml').gates.all['unit']).toBe(Infinity)
  })

  test('names every mistake with its line and key', () => {
    const text = 'gates:\n  all:\n    unit: often\nperson:\n  - choice: ""\nbrian: []\n'
    expect(faultsOf(text)).toEqual([
      'script.yaml:3: gates.all.unit: expected how often it fails: a number, or always',
      expect.stringMatching(/^script\.yaml:5: person\.0\.choice: /),
      expect.stringMatching(/^script\.yaml:\d+: .*brian/),
    ])
  })

  test('names the line of what is not YAML', () => {
    expect(faultsOf('gates: {\n')[0]).toMatch(/^script\.yaml:[12]: /)
  })
})
