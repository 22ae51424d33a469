/** Reads the file that scripts a dry run. Every error is reported with its line and key. */
import { readFile } from 'node:fs/promises'
import { dryRunSchema, strayNames, type DryRun } from '../core/dry-run/dry-run.ts'
import type { Plan } from '../core/planning/plan.ts'
import { Refusal, type Fault } from '../lib/refusal.ts'
import { parseYamlText } from '../lib/files/yaml-text.ts'

const REMEDY = 'See docs/dry-run.md for the format.'
const MAX_BYTES = 1024 * 1024

export interface ReadDryRun {
  readonly script: DryRun
  readonly text: string
}

/** `name` is the file as the user gave it, for messages. */
export async function readDryRun(path: string, name: string): Promise<ReadDryRun> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Refusal({
      code: 'not_found',
      message: `cannot read the dry-run file ${name}: ${why}`,
      remedy: `Check the path. ${REMEDY}`,
      cause: error,
    })
  }
  return { script: parseDryRun(text, name), text }
}

export function parseDryRun(text: string, file: string): DryRun {
  if (text.length > MAX_BYTES) throw refusal([fault(file, 1, 'the file is larger than 1 MB')])
  const { value, errors, lineOf } = parseYamlText(text)
  if (errors.length > 0) throw refusal(errors.map(({ line, message }) => fault(file, line, message)))
  const parsed = dryRunSchema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  throw refusal(
    parsed.error.issues.map(({ path, message }) => {
      const keys = path.filter((key) => typeof key !== 'symbol')
      const key = keys.join('.')
      return { ...fault(file, lineOf(keys), key === '' ? message : `${key}: ${message}`), key }
    }),
  )
}

/** Throws a refusal if the script names something that the plan does not have. */
export function refuseStrayNames(
  { script, text }: ReadDryRun,
  file: string,
  plan: Pick<Plan, 'tasks' | 'integration'>,
): void {
  const stray = strayNames(script, plan)
  if (stray.length === 0) return
  const { lineOf } = parseYamlText(text)
  throw refusal(
    stray.map(({ path, message }) => {
      const key = path.join('.')
      return {
        ...fault(file, lineOf([...path]), `${key}: ${message}`),
        key,
        remedy: 'To list what the plan has: bosun plan PLAN',
      }
    }),
  )
}

const fault = (file: string, line: number, message: string): Fault => ({
  file,
  line,
  message,
  remedy: REMEDY,
})

function refusal(faults: readonly Fault[]): Refusal {
  const [first] = faults
  const where = first === undefined ? '' : `${first.file}:${first.line}: ${first.message}`
  return new Refusal({ code: 'failed', message: where, remedy: REMEDY, faults })
}
