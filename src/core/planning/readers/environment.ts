/** The `environment:` of a plan, in front matter or YAML. */
import type { Environment, Problem } from '../plan.ts'
import { environmentKeys, environmentSchema } from '../../settings/settings.ts'
import { problemsOf, type Path } from './zod-problems.ts'

export interface EnvironmentRead {
  readonly value: Partial<Environment>
  readonly problems: readonly Problem[]
}

export function environmentOf(
  file: string,
  plan: Readonly<Record<string, unknown>>,
  lineOf: (path: Path) => number,
): EnvironmentRead {
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
