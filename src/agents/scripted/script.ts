/** Reads the script of the scripted agent. */
import { crewScriptSchema, type Attempt, type CrewScript } from '../../core/dry-run/crew-script.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'

export type ReadScript =
  | { readonly ok: true; readonly script: CrewScript }
  | { readonly ok: false; readonly why: string }

export function parseScript(text: string): ReadScript {
  const { value, errors, lineOf } = parseYamlText(text)
  const [mistake] = errors
  if (mistake !== undefined) return { ok: false, why: `line ${mistake.line}: ${mistake.message}` }
  const parsed = crewScriptSchema.safeParse(value ?? {})
  if (parsed.success) return { ok: true, script: parsed.data }
  const [issue] = parsed.error.issues
  const keys = (issue?.path ?? []).filter((key) => typeof key !== 'symbol')
  return { ok: false, why: `line ${lineOf(keys)}: ${keys.join('.')}: ${issue?.message ?? 'invalid value'}` }
}

/** What a worker does now; null where the script says nothing about its task. */
export function attemptFor(
  script: CrewScript,
  worker: { readonly task: string; readonly role: string; readonly number: number },
): Attempt | null {
  const rows = (worker.role === 'reviewer' ? script.reviews : script.tasks)[worker.task]
  return rows?.[Math.min(worker.number, rows.length) - 1] ?? null
}
