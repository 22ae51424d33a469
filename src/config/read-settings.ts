/** Finds and reads the bosun.yaml that holds for a place. */
import { join } from 'node:path'
import type { Problem } from '../core/planning/plan.ts'
import type { Settings } from '../core/settings.ts'
import { fileBytes } from '../lib/file-bytes.ts'
import { Refusal } from '../lib/refusal.ts'
import { findRepositoryRoot } from './repository.ts'

export const SETTINGS_FILE = 'bosun.yaml'
const MAX_BYTES = 1_000_000

export type FoundSettings =
  | { readonly kind: 'absent'; readonly file: string }
  | { readonly kind: 'valid'; readonly file: string; readonly settings: Settings }
  | { readonly kind: 'invalid'; readonly file: string; readonly problems: readonly Problem[] }

/** Looks at the root of the repository that holds `from`, or in `from` itself outside of any. */
export async function findSettings(from: string): Promise<FoundSettings> {
  const file = join((await findRepositoryRoot(from)) ?? from, SETTINGS_FILE)
  const text = await readText(file)
  if (text === null) return { kind: 'absent', file }
  const { parseSettings } = await import('./parse-settings.ts')
  const parsed = parseSettings(text, SETTINGS_FILE)
  return parsed.ok
    ? { kind: 'valid', file, settings: parsed.settings }
    : { kind: 'invalid', file, problems: parsed.problems }
}

/** The settings that hold for `from`, the defaults where there is no file. Refuses a file with problems. */
export async function readSettings(from: string): Promise<Settings> {
  const found = await findSettings(from)
  switch (found.kind) {
    case 'valid':
      return found.settings
    case 'absent':
      return (await import('./default-settings.ts')).DEFAULT_SETTINGS
    case 'invalid':
      throw new Refusal({
        code: 'failed',
        message: `${SETTINGS_FILE} has ${found.problems.length === 1 ? 'a problem' : `${found.problems.length} problems`}`,
        remedy: `Correct ${found.file}.`,
        faults: found.problems,
      })
  }
}

/** Null when there is no such file. */
async function readText(file: string): Promise<string | null> {
  let bytes
  try {
    bytes = await fileBytes(file, MAX_BYTES)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  if (bytes !== 'too_long') return new TextDecoder().decode(bytes)
  throw new Refusal({
    code: 'failed',
    message: `${file} is longer than the ${MAX_BYTES} bytes that are read`,
    remedy: 'Is it the right file?',
  })
}
