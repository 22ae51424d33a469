/** Parses bosun.yaml into settings. Reports every problem at once, each with its key and line. */
import type { Problem } from '../core/planning/plan.ts'
import { isMapping } from '../core/planning/readers/schema-problems.ts'
import { brainProblems } from '../core/settings/brain-settings.ts'
import { settingsSchema, type Settings } from '../core/settings/settings.ts'
import { unsupportedSettings } from '../core/settings/unsupported-settings.ts'
import { parseYamlText } from '../lib/files/yaml-text.ts'
import { DEFAULT_SETTINGS } from './default-settings.ts'
import { z } from 'zod'
import { closest } from '../lib/text/closest.ts'

export type ParsedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly written: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** An older name of the section `pm`. */
const OLD_PM = 'pm_config'

export function parseSettings(text: string, file: string): ParsedSettings {
  const yaml = parseYamlText(text)
  const problem = (line: number, message: string, remedy: string): Problem => {
    return { severity: 'error', file, line, message, remedy }
  }
  if (yaml.errors.length > 0) {
    const remedy = 'Fix the YAML syntax.'
    return { ok: false, problems: yaml.errors.map((error) => problem(error.line, error.message, remedy)) }
  }

  const written = yaml.value ?? {}
  const usesOldName = isMapping(written) && OLD_PM in written
  const lineOf = (path: Path): number =>
    yaml.lineOf(usesOldName && path[0] === 'pm' ? [OLD_PM, ...path.slice(1)] : path)

  const problems: Problem[] = []
  if (usesOldName && 'pm' in written) {
    const remedy = 'Remove pm_config; it is an older name of pm.'
    problems.push(problem(yaml.lineOf([OLD_PM]), 'pm and pm_config are both set', remedy))
  }
  const named = usesOldName ? withNewName(written) : written
  const parsed = settingsSchema.safeParse(named, { reportInput: true })
  if (!parsed.success) {
    for (const issue of describeIssues(settingsSchema, parsed.error.issues)) {
      problems.push(problem(lineOf(issue.path), issue.message, issue.remedy))
    }
  }
  if (parsed.success) {
    for (const { path, remedy } of unsupportedSettings(parsed.data, DEFAULT_SETTINGS)) {
      problems.push(problem(lineOf(path), `${keyText(path)} is not supported yet`, remedy))
    }
    for (const { path, message, remedy } of brainProblems(parsed.data, DEFAULT_SETTINGS)) {
      problems.push(problem(lineOf(path), message, remedy))
    }
  }
  if (parsed.success && problems.length === 0) return { ok: true, settings: parsed.data, written: named }
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line) }
}

function withNewName(written: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [OLD_PM]: pm, ...rest } = written
  return { pm, ...rest }
}

/** Formats zod issues of bosun.yaml: the key, the valid values, and the probable intention. */
export type Path = readonly (string | number)[]

export interface SettingsIssue {
  readonly path: Path
  readonly message: string
  readonly remedy: string
}

export function describeIssues(
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
): readonly SettingsIssue[] {
  return issues.flatMap((issue) => describeIssue(schema, issue))
}

function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue): readonly SettingsIssue[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const key = keyText(path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => unknownKey(schema, path, name))
    case 'invalid_value':
      return [{ path, message: `${key} has an invalid value`, remedy: oneOf(issue) }]
    case 'invalid_type': {
      const message =
        issue.input === undefined ? `${key} is missing` : `${key} must be ${article(issue.expected)}`
      return [{ path, message, remedy: `Write ${article(issue.expected)}.` }]
    }
    case 'invalid_union': {
      const forms = issue.errors.flatMap((branch) => branch.map(unionForm))
      const wanted = [...new Set(forms), ...(mayBeNull(schema, path) ? ['null'] : [])].join(', or ')
      const message = issue.input === undefined ? `${key} is missing` : `${key} has an invalid form`
      return [{ path, message, remedy: `Write ${wanted}.` }]
    }
    case 'invalid_key':
      return issue.issues.map((inner) => ({
        path,
        message: `${key}: ${inner.message}`,
        remedy: 'Rename it.',
      }))
    case 'too_small': {
      const orNull = mayBeNull(schema, path) ? ', or null for none' : ''
      if (issue.origin === 'array')
        return [{ path, message: `${key} is an empty list`, remedy: `Write at least one entry${orNull}.` }]
      if (issue.origin === 'string')
        return [{ path, message: `${key} is empty`, remedy: `Write a text${orNull}.` }]
      return [{ path, message: `${key} is too small`, remedy: `The minimum is ${String(issue.minimum)}.` }]
    }
    case 'too_big':
      return [{ path, message: `${key} is too large`, remedy: `The maximum is ${String(issue.maximum)}.` }]
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
    case 'custom':
      return [{ path, message: `${key}: ${issue.message}`, remedy: 'Correct the value.' }]
  }
}

function unknownKey(schema: z.ZodType, parent: Path, name: string): SettingsIssue {
  const path = [...parent, name]
  const known = keysAt(schema, parent)
  const meant = closest(name, known)
  return {
    path,
    message: `unknown key ${keyText(path)}`,
    remedy:
      meant === null ? `Known keys: ${known.join(', ')}.` : `Did you mean ${keyText([...parent, meant])}?`,
  }
}

function oneOf(issue: z.core.$ZodIssueInvalidValue): string {
  const values = issue.values.map(String)
  const meant = typeof issue.input === 'string' ? closest(issue.input, values) : null
  return `${meant === null ? '' : `Did you mean ${meant}? `}Use one of ${values.join(', ')}.`
}

function unionForm(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' ? article(issue.expected) : issue.message
}

/** The keys of the section at a path; none without a fixed set. */
function keysAt(schema: z.ZodType, path: Path): readonly string[] {
  const inner = unwrap(schemaAt(schema, path))
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

function mayBeNull(schema: z.ZodType, path: Path): boolean {
  const at = schemaAt(schema, path)
  return at instanceof z.ZodType && at.safeParse(null).success
}

/** Undefined for an unknown path. */
function schemaAt(schema: z.ZodType, path: Path): unknown {
  let at: unknown = schema
  for (const part of path) {
    const inner = unwrap(at)
    if (inner instanceof z.ZodObject) at = inner.shape[part]
    else if (inner instanceof z.ZodRecord) at = inner.valueType
    else return undefined
  }
  return at
}

function unwrap(schema: unknown): unknown {
  let at = schema
  while (
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPrefault ||
    at instanceof z.ZodOptional ||
    at instanceof z.ZodNullable ||
    at instanceof z.ZodLazy
  ) {
    at = at.unwrap()
  }
  if (at instanceof z.ZodUnion) return at.options.map(unwrap).find((option) => option instanceof z.ZodObject)
  return at
}

export function keyText(path: Path): string {
  return path.length === 0
    ? 'the file'
    : path
        .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
        .join('')
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section of keys',
  record: 'a section of keys',
  null: 'null',
}

function article(expected: string): string {
  return NAMES[expected] ?? expected
}
