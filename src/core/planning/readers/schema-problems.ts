/** The input of a reader, and issues of zod as problems with a line and a remedy. */
import type { z } from 'zod'
import { closest } from '../../../lib/text/closest.ts'
import { environmentKeys, environmentSchema } from '../../settings/settings.ts'
import type { Environment, Problem } from '../plan.ts'
import { errorAt } from '../problems.ts'

export type Path = readonly (string | number)[]

export interface SchemaFindings {
  readonly file: string
  readonly error: z.ZodError
  readonly lineOf: (path: Path) => number
  /** The name of the value in messages. */
  readonly under: string
  /** The known keys at a path, for suggestions. */
  readonly keys: (path: Path) => readonly string[]
}

export function problemsOf({ file, error, lineOf, under, keys }: SchemaFindings): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol')
    const name = nameOf(path, under)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        unknownKey(file, lineOf([...path, key]), { key, name, known: keys(path) }),
      )
    }
    return [errorAt(file, lineOf(path), `${name}: ${messageOf(issue)}`, remedyOf(issue, path))]
  })
}

function nameOf(path: Path, under: string): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('')
  const name = `${under}${parts}`.replace(/^\./, '')
  return name === '' ? 'the plan' : name
}

function unknownKey(
  file: string,
  line: number,
  { key, name, known }: { readonly key: string; readonly name: string; readonly known: readonly string[] },
): Problem {
  const meant = closest(key, known)
  const remedy = meant === null ? `known keys are ${known.join(', ')}` : `did you mean "${meant}"?`
  return errorAt(file, line, `${name}: unknown key "${key}"`, remedy)
}

/** Rewords zod's messages about types. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined && issue.message.endsWith('received undefined')
      ? 'is missing'
      : `is not ${article(issue.expected)}`
  }
  if (issue.code === 'invalid_union') return unionMessage(issue)
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return issue.message
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const first = issue.errors[0]?.[0]?.message ?? ''
  if (first.endsWith('received undefined')) return 'is missing'
  return issue.message === 'Invalid input' ? 'has the wrong shape' : issue.message
}

function article(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    array: 'a list',
    object: 'a mapping',
    record: 'a mapping',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
  }
  return names[expected] ?? `a ${expected}`
}

const REMEDIES: Readonly<Record<string, string>> = {
  id: 'write id: "1"',
  time_budget: 'write a duration, for example time_budget: 30m',
  security_flags: 'write some of auth, schema, billing, secrets',
  migrations: 'write migrations: { up: "command", down: "command" }; down: null without a rollback',
  test: 'write test: "command", a list, or { command, report: auto | junit:PATH | tap | exit }',
}

function remedyOf(issue: z.core.$ZodIssue, path: Path): string {
  const key = path.findLast((part) => typeof part === 'string') ?? 'tasks'
  if (Object.hasOwn(REMEDIES, key)) return REMEDIES[key] ?? ''
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'array') return `write ${key} as a list, like [a, b] or lines that start with "- "`
    if (issue.expected === 'string') return `write ${key}: "text"`
    if (issue.expected === 'object') return 'write "key: value" lines here'
    return `give ${key} ${article(issue.expected)}`
  }
  if (issue.code === 'invalid_value') return `write one of ${issue.values.map(String).join(', ')}`
  return `correct ${key}`
}

/** The `environment:` of a plan, in front matter or YAML. */
export function environmentOf(
  file: string,
  plan: Readonly<Record<string, unknown>>,
  lineOf: (path: Path) => number,
): { readonly value: Partial<Environment>; readonly problems: readonly Problem[] } {
  const given = plan['environment'] ?? null
  if (given === null) return { value: {}, problems: [] }
  const parsed = environmentSchema.safeParse(given, { jitless: true })
  if (parsed.success) return { value: parsed.data, problems: [] }
  const problems = problemsOf({
    file,
    error: parsed.error,
    lineOf: (path) => lineOf(['environment', ...path]),
    under: 'environment',
    keys: (path) => environmentKeys(path[0]),
  })
  return { value: {}, problems }
}

export interface PlanText {
  /** The path as the user gave it. */
  readonly source: string
  readonly text: string
}

/** A value parsed from YAML or JSON, with the line of every path in it. */
export interface LocatedValue {
  readonly value: unknown
  readonly lineOf: (path: readonly (string | number)[]) => number
  /** The number at a path as written; null where there is none. */
  readonly numberText: (path: readonly (string | number)[]) => string | null
  readonly errors: readonly { readonly line: number; readonly message: string }[]
}

export interface TextParsers {
  readonly yaml: (text: string) => LocatedValue
  readonly json: (text: string) => LocatedValue
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
