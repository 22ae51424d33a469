/** What the user decides about a request, from options or from words such as `scope=medium`. */
import { closest } from '../../lib/text/closest.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import { intakeRequest, type IntakeRequest } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'

export type Overrides = Partial<Pick<IntakeRequest, 'type' | 'scope' | 'workflow' | 'title' | 'criteria'>>
type Key = 'type' | 'scope' | 'workflow'

const KEYS: readonly Key[] = ['type', 'scope', 'workflow']
const LONGEST_TITLE = 200

/** Throws a refusal for a value that is none. */
export function overridesIn(call: Pick<Call, 'option'>): Overrides {
  return KEYS.reduce<Overrides>((found, key) => {
    const value = call.option(key)
    return value === undefined ? found : { ...found, ...override(key, value, `--${key}`) }
  }, {})
}

/** Of a line that a person typed: `scope=medium type=bug_fix`, the values alone, or `title=…` up to its end. */
export function overridesFrom(line: string): Overrides {
  const [words = '', ...title] = line.split(/\btitle\s*=/)
  const named = title.join('title=').trim().slice(0, LONGEST_TITLE)
  return words
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .reduce<Overrides>(
      (found, word) => ({ ...found, ...overrideOf(word) }),
      named === '' ? {} : { title: named },
    )
}

function overrideOf(word: string): Overrides {
  const [first = '', second] = word.split('=')
  const key = KEYS.find((one) => one === first)
  if (second !== undefined && key !== undefined) return override(key, second, key)
  const named = KEYS.find((one) => valuesOf(one).includes(word))
  if (named !== undefined) return override(named, word, named)
  throw usageRefusal(
    `unknown word "${word}"`,
    'Write for example scope=medium, type=bug_fix, workflow=direct or title=Fix the footer.',
  )
}

export const valuesOf = (key: Key): readonly string[] => intakeRequest.shape[key].unwrap().options

function override(key: Key, value: string, name: string): Overrides {
  const known = valuesOf(key)
  if (known.includes(value)) return { [key]: value }
  const near = closest(value, known)
  throw usageRefusal(
    `invalid ${name} "${value}" (use ${known.join(', ')})`,
    near === null || near === undefined ? `For example: ${name} ${known[1] ?? ''}` : `Did you mean ${near}?`,
  )
}
