/** What the user decides about a request, from options or from words such as `scope=medium`. */
import { closest } from '../../lib/text/closest.ts'
import { Refusal } from '../../lib/refusal.ts'
import { intakeAnswer, type IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'

export type Overrides = Partial<Pick<IntakeAnswer, 'type' | 'scope' | 'workflow'>>
type Key = keyof Overrides

const KEYS: readonly Key[] = ['type', 'scope', 'workflow']

/** Throws a refusal for a value that is none. */
export function overridesIn(call: Pick<Call, 'option'>): Overrides {
  return KEYS.reduce<Overrides>((found, key) => {
    const value = call.option(key)
    return value === undefined ? found : { ...found, ...override(key, value, `--${key}`) }
  }, {})
}

/** Of a line that a person typed: `scope=medium type=bug_fix`, or the values alone. */
export function overridesFrom(line: string): Overrides {
  return line
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .reduce<Overrides>((found, word) => {
      const [first = '', second] = word.split('=')
      const key = KEYS.find((one) => one === first)
      if (second !== undefined && key !== undefined) return { ...found, ...override(key, second, key) }
      const named = KEYS.find((one) => valuesOf(one).includes(word))
      if (named === undefined)
        throw new Refusal({
          code: 'usage',
          message: `unknown word "${word}"`,
          remedy: 'Write for example scope=medium, type=bug_fix or workflow=direct.',
        })
      return { ...found, ...override(named, word, named) }
    }, {})
}

const valuesOf = (key: Key): readonly string[] => intakeAnswer.shape[key].options

function override(key: Key, value: string, name: string): Overrides {
  const known = valuesOf(key)
  if (known.includes(value)) return { [key]: value }
  const near = closest(value, known)
  throw new Refusal({
    code: 'usage',
    message: `invalid ${name} "${value}" (use ${known.join(', ')})`,
    remedy:
      near === null || near === undefined
        ? `For example: ${name} ${known[1] ?? ''}`
        : `Did you mean ${near}?`,
  })
}
