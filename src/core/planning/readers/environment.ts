/** The `environment:` of a plan, in front matter or YAML. */
import type { Environment, Problem } from '../plan.ts'
import { environmentKeys, environmentSchema } from '../../settings/settings.ts'
import { problemsOf } from './zod-problems.ts'

export interface EnvironmentRead {
  readonly value: Partial<Environment>
  readonly problems: readonly Problem[]
}

export function environmentOf(
  file: string,
  value: unknown,
  lineOf: (path: readonly (string | number)[]) => number,
): EnvironmentRead {
  if (value === undefined || value === null) return { value: {}, problems: [] }
  const parsed = environmentSchema.safeParse(value)
  if (parsed.success) return { value: parsed.data, problems: [] }
  const keys = (path: readonly (string | number)[]) => environmentKeys(path[0])
  return {
    value: {},
    problems: problemsOf({ file, error: parsed.error, lineOf, under: 'environment', keys }),
  }
}
