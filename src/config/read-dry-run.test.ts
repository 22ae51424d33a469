import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { parseDryRun, refuseStrayNames } from './read-dry-run.ts'
import { aTask } from '../../test/helpers/plan-builder.ts'

const EXAMPLE = join(import.meta.dirname, '../../examples/dry-run.yaml')

/** What is wrong with it, a line each. */
function faultsOf(text: string, tasks: readonly string[] | null = null): readonly string[] {
  try {
    const script = parseDryRun(text, 'script.yaml')
    const plan = { tasks: (tasks ?? []).map((id) => aTask(id)), integration: [] }
    if (tasks !== null) refuseStrayNames({ script, text }, 'script.yaml', plan)
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
      brain: {},
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
      'script.yaml:3: gates.all.unit: expected a number of failures, or always',
      expect.stringMatching(/^script\.yaml:5: person\.0\.choice: /),
      expect.stringMatching(/^script\.yaml:\d+: .*brian/),
    ])
  })

  test('names the line of what is not YAML', () => {
    expect(faultsOf('gates: {\n')[0]).toMatch(/^script\.yaml:[12]: /)
  })

  test('may name only tasks, gates and integration tests that the plan has, and those that Bosun adds', () => {
    const text =
      'gates:\n  all: { unti: 1 }\n  tasks:\n    "9": { unit: 1 }\n    remediation-01: { unit: 1 }\nintegration:\n  it-9: 1\nspecialist:\n  tasks: { "1": [{}], "8": [{}] }\n'
    expect(faultsOf(text, ['1'])).toEqual([
      'script.yaml:9: specialist.tasks.8: the plan has no task 8',
      'script.yaml:2: gates.all.unti: unknown gate unti',
      'script.yaml:4: gates.tasks.9: the plan has no task 9',
      'script.yaml:7: integration.it-9: the plan has no integration test it-9',
    ])
    expect(faultsOf('gates: { tasks: { "1": { unit: 1 } } }', ['1'])).toEqual([])
  })
})
