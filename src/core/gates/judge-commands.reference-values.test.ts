import { describe, expect, test } from 'vitest'
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Reference } from '../planning/plan.ts'
import { compareValues, isWithin, judgeValues } from './judge-commands.ts'

const ENERGY = { energy: { value: -1.17, abs: 1e-6 } }

describe('a value within its tolerance passes', () => {
  test.each<[string, number, Reference, boolean]>([
    ['the very value', -1.17, { value: -1.17 }, true],
    ['no tolerance, the least difference', -1.17 + 1e-15, { value: -1.17 }, false],
    ['absolute, within', -1.1700005, { value: -1.17, abs: 1e-6 }, true],
    ['absolute, beyond', -1.170002, { value: -1.17, abs: 1e-6 }, false],
    ['absolute, on the line although rounding says otherwise', 0.4, { value: 0.3, abs: 0.1 }, true],
    ['relative, within', 1010, { value: 1000, rel: 0.01 }, true],
    ['relative, beyond', 1011, { value: 1000, rel: 0.01 }, false],
    ['relative to zero is exact', 1e-9, { value: 0, rel: 0.5 }, false],
    ['relative of a negative reference', -1005, { value: -1000, rel: 0.01 }, true],
    ['either tolerance is enough', 1010, { value: 1000, abs: 1, rel: 0.01 }, true],
    ['beyond both', 1011, { value: 1000, abs: 1, rel: 0.01 }, false],
  ])('%s', (_title, actual, reference, expected) => {
    expect(isWithin(actual, reference)).toBe(expected)
  })
})

describe('values are read from what a command prints', () => {
  test.each([
    ['a line with an equals sign', 'energy = -1.17\n'],
    ['a line with a colon', 'done\n  energy: -1.17  \n'],
    ['no blanks', 'energy=-1.17'],
    ['an exponent', 'energy = -117e-2'],
    ['a Fortran exponent', 'energy = -0.117D+01'],
    ['a JSON object', '{"energy": -1.17}'],
    ['a JSON object after talk', 'starting\n{"energy": -1.17, "steps": 4}\n'],
    ['a JSON object over several lines', 'starting\n{\n  "energy": -1.17\n}\nbye\n'],
    ['a number as text in JSON', '{"energy": "-1.17"}'],
    ['the same value twice', 'energy = -1.17\nenergy = -1.170\n'],
    ['windows line ends', 'energy = -1.17\r\n'],
    ['beside other names that begin alike', 'energy_old = 3\nenergy = -1.17'],
  ])('%s', (_title, stdout) => {
    expect(compareValues(stdout, ENERGY)).toMatchObject({ outcome: 'passed' })
  })

  test('a name may lie in an object within the object', () => {
    const stdout = '{"run": {"energy": 2, "steps": [3, 5]}}'
    const reference = { 'run.energy': { value: 2 }, 'run.steps.1': { value: 5 } }
    expect(compareValues(stdout, reference).outcome).toBe('passed')
  })

  test('a name may have blanks', () => {
    expect(compareValues('total energy: 2', { 'total energy': { value: 2 } }).outcome).toBe('passed')
  })
})

describe('invalid values never pass', () => {
  test.each([
    ['nothing', '', 'failed', 'energy was not printed; the reference is -1.17 ± 0.000001'],
    ['another name', 'Energy = -1.17', 'failed', 'energy was not printed; the reference is -1.17 ± 0.000001'],
    ['a value beyond', 'energy = 2', 'failed', 'energy is 2, off by 3.17; the reference is -1.17 ± 0.000001'],
    ['NaN', 'energy = nan', 'failed', 'energy is nan; the reference is -1.17 ± 0.000001'],
    ['NaN in JSON', '{"energy": NaN}', 'failed', 'energy is NaN; the reference is -1.17 ± 0.000001'],
    ['infinity', 'energy = -inf', 'failed', 'energy is -inf; the reference is -1.17 ± 0.000001'],
    ['a word', 'energy = about -1.17', 'inconclusive', 'energy is not a number: about -1.17'],
    ['a unit', 'energy = -1.17 Ha', 'inconclusive', 'energy is not a number: -1.17 Ha'],
    ['null', '{"energy": null}', 'inconclusive', 'energy is not a number: null'],
    ['an empty value', 'energy =', 'inconclusive', 'energy is not a number: '],
    [
      'two values, one of them right',
      'energy = -1.17\nenergy = -1.2',
      'inconclusive',
      'energy was printed with different values: -1.17, -1.2',
    ],
    [
      'one value in a line and another in JSON',
      'energy = -1.17\n{"energy": 4}',
      'inconclusive',
      'energy was printed with different values: -1.17, 4',
    ],
  ])('%s', (_title, stdout, outcome, summary) => {
    expect(compareValues(stdout, ENERGY)).toMatchObject({
      outcome,
      summary,
      findings: [{ weight: 'blocks' }],
    })
  })

  test('without any reference there is nothing to pass', () => {
    expect(compareValues('energy = 1', {}).outcome).toBe('inconclusive')
  })

  test('one failing value fails the gate, and the others are still reported', () => {
    const reference = { a: { value: 1 }, b: { value: 2 } }
    expect(compareValues('a = 1\nb = 3', reference)).toEqual({
      outcome: 'failed',
      summary: 'b is 3, off by 1; the reference is 2',
      findings: [
        { weight: 'note', text: 'a is 1; the reference is 1', file: null, line: null },
        { weight: 'blocks', text: 'b is 3, off by 1; the reference is 2', file: null, line: null },
      ],
    })
  })
})

describe('a command that did not end well proves nothing by its values', () => {
  const ran = (ending: RunEvidence['ending']): RunEvidence => ({
    command: 'node energy.js',
    tree: 't',
    on: 'tree',
    ending,
    durationMs: 1,
    counts: null,
    keyLines: [],
    outputSha256: null,
    storedAt: null,
    commandSha256: null,
  })
  test.each([
    ['exit 0', { kind: 'exited', code: 0 }, 'passed'],
    ['exit 1', { kind: 'exited', code: 1 }, 'failed'],
    ['not found', { kind: 'exited', code: 127 }, 'inconclusive'],
    ['too slow', { kind: 'timed_out', afterMs: 5 }, 'inconclusive'],
  ] as const)('%s', (_title, ending, outcome) => {
    expect(judgeValues(ran(ending), 'energy = -1.17', ENERGY).outcome).toBe(outcome)
  })
})
