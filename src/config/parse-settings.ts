/** Parses bosun.yaml into settings. Reports every problem at once, each with its key and line. */
import type { Problem } from '../core/planning/plan.ts'
import { isMapping } from '../core/planning/readers/located.ts'
import { brainProblems } from '../core/settings/brain-settings.ts'
import { settingsSchema, type Settings } from '../core/settings/settings.ts'
import { unsupportedSettings } from '../core/settings/unsupported-settings.ts'
import { parseYamlText } from '../lib/files/yaml-text.ts'
import { DEFAULT_SETTINGS } from './default-settings.ts'
import { describeIssues, keyText, type Path } from './settings-issues.ts'

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
