/** Has the daemon understand a request, with what the person decided and answered so far. */
import type { StartInput } from '../../app/intake/read-input.ts'
import type { Daemon } from '../../client/daemon.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import { intakeRequest, type IntakeAnswer, type IntakeRequest } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { closest } from '../../lib/text/closest.ts'
import { usageRefusal } from '../../lib/refusal.ts'

/** What the person has said beside the request. */
export interface Said {
  readonly decided: Overrides
  readonly answers: readonly { readonly question: string; readonly answer: string }[]
  /** What they saw when they gave the last of these answers. */
  readonly understood: IntakeRequest['understood']
  /** How often questions were answered. */
  readonly round: number
  /** False: no model is asked. */
  readonly judge: boolean
}

export type Understand = (said: Said) => Promise<IntakeAnswer>

/** An agent reads the code before it answers. */
const PATIENCE_MS = 6 * 60_000

export function understanding(
  call: Call,
  daemon: Daemon,
  { text, fileName }: StartInput,
  /** Hangs up on a model that is asked. */
  interruption: () => AbortSignal | undefined = () => undefined,
): Understand {
  return async ({ decided, answers, understood, round, judge }) => {
    const { cwd, env } = call.terminal
    const { path, variables } = await environmentHere(cwd, env)
    const request: IntakeRequest = {
      cwd,
      text,
      file_name: fileName,
      ...decided,
      answers,
      understood,
      round,
      judge,
      // Agents are looked for where the caller would find them.
      variables: { ...variables, PATH: path },
    }
    return daemon.post('/api/intake', request, {
      patienceMs: PATIENCE_MS,
      signal: judge ? interruption() : undefined,
    })
  }
}

/** What the person sees before they answer; null where no model judged it: then it is in their words already. */
export const seenIn = ({ judged_by, title, work }: IntakeAnswer): Said['understood'] =>
  judged_by === null ? null : { ...work, title }

/** The defaults of its questions as answers; null where one has none. */
export function defaultsOf({ questions }: Pick<IntakeAnswer, 'questions'>): Said['answers'] | null {
  const taken = questions
    .filter(({ by }) => by !== 'lines')
    .map(({ text, options, default: usual }) => {
      const option = options.find(({ key }) => key === usual)
      return option === undefined ? null : { question: text, answer: option.label }
    })
  return taken.some((one) => one === null) ? null : taken.filter((one) => one !== null)
}

/** What the user decides about a request, from options or from words such as `scope=medium`. */
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
