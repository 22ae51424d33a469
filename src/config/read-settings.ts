/** Finds and reads the bosun.yaml for a folder. */
import { lstatSync, statSync, type Stats } from 'node:fs'
import { join, relative } from 'node:path'
import type { Problem } from '../core/planning/plan.ts'
import type { Settings } from '../core/settings/settings.ts'
import { fileBytes } from '../lib/files/read-if-exists.ts'
import { Refusal } from '../lib/refusal.ts'
import { findRepositoryRoot } from './repository.ts'
import { errorCode } from '../lib/files/system-error.ts'
import { readdir } from 'node:fs/promises'
import type { Surroundings } from '../ports/machine.ts'

export const SETTINGS_FILE = 'bosun.yaml'
const MAX_BYTES = 1_000_000

export type FoundSettings =
  | { readonly kind: 'absent'; readonly file: string }
  | {
      readonly kind: 'valid'
      readonly file: string
      readonly settings: Settings
      /** The text's own values, without the defaults. */
      readonly written: unknown
    }
  | { readonly kind: 'invalid'; readonly file: string; readonly problems: readonly Problem[] }

/**
 * Looks in the root of the repository around `from`, or in `from` itself outside of one. A file that cannot be read is
 * returned as a problem, not thrown.
 */
export async function findSettings(from: string): Promise<FoundSettings> {
  const file = await settingsFile(from)
  const found = await readText(file)
  if (found.kind === 'absent') return { kind: 'absent', file }
  if (found.kind === 'unreadable') {
    const { message, remedy } = found
    return {
      kind: 'invalid',
      file,
      problems: [{ severity: 'error', file: SETTINGS_FILE, line: 1, message, remedy }],
    }
  }
  const { parseSettings } = await import('./parse-settings.ts')
  const parsed = parseSettings(found.text, SETTINGS_FILE)
  return parsed.ok
    ? { kind: 'valid', file, settings: parsed.settings, written: parsed.written }
    : { kind: 'invalid', file, problems: parsed.problems }
}

const settingsFile = async (from: string): Promise<string> =>
  join((await findRepositoryRoot(from)) ?? from, SETTINGS_FILE)

/** The settings for `from`, or the defaults without a file. Throws a refusal for a file with problems. */
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
        remedy: `Fix ${found.file}.`,
        faults: found.problems,
      })
  }
}

/** How people are notified of what happens in a folder; with problems in bosun.yaml, as by default. */
export async function notifySettingsIn(folder: string): Promise<Settings['notify']> {
  const known = knownNotify.get(folder)
  if (known !== undefined && known.stamp === stampOf(known.file)) return known.notify
  const file = await settingsFile(folder)
  const stamp = stampOf(file)
  const found = await findSettings(folder)
  const { settings } =
    found.kind === 'valid' ? found : { settings: (await import('./default-settings.ts')).DEFAULT_SETTINGS }
  knownNotify.set(folder, { file, stamp, notify: settings.notify })
  return settings.notify
}

/** By folder: a daemon looks it up with every event that may notify, and the file hardly ever changes. */
const knownNotify = new Map<string, { file: string; stamp: string; notify: Settings['notify'] }>()

/** Another one once the file was written again; the same while there is none. */
function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? 'absent' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  } catch (error) {
    return String(errorCode(error))
  }
}

type ReadText =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly message: string; readonly remedy: string }

/** Opens only regular files: a pipe would block, and a device may never end. */
async function readText(file: string): Promise<ReadText> {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) {
      if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' }
      return unreadable('it is a link to a file that does not exist', 'Fix or remove the link.')
    }
    if (!found.isFile())
      return unreadable(`it is ${kindOf(found)}`, 'Replace it with a file, or move it away.')
    const bytes = await fileBytes(file, MAX_BYTES)
    if (bytes === 'too_long')
      return unreadable(
        `it is longer than ${MAX_BYTES} bytes`,
        'Keep only settings in it, a few lines of YAML.',
      )
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return unreadable('it is not UTF-8 text', 'Save the file as UTF-8.')
    const code = String(errorCode(error) ?? error)
    if (code === 'EACCES' || code === 'EPERM')
      return unreadable('permission denied', `Make it readable: chmod u+r ${SETTINGS_FILE}`)
    return unreadable(code === 'ELOOP' ? 'it is a link to itself' : code, 'Replace it with a regular file.')
  }
}

const unreadable = (why: string, remedy: string): ReadText => ({
  kind: 'unreadable',
  message: `cannot read the settings: ${why}`,
  remedy,
})

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a named pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}

const PLANS_FOLDER = 'docs/plans'
const MAX_PLANS = 100

/** Finds plans and settings around a folder, without running anything. */
export async function lookAround(cwd: string): Promise<Surroundings> {
  const repository = await findRepositoryRoot(cwd)
  const folder = join(repository ?? cwd, PLANS_FOLDER)
  const names = await planNames(folder)
  return {
    repository,
    settings: (await findSettings(cwd)).kind,
    plans: names.map((name) => relative(cwd, join(folder, name))),
  }
}

async function planNames(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    return names.filter(isPlanName).sort().slice(0, MAX_PLANS)
  } catch {
    // Missing or unreadable folder: no plans to offer.
    return []
  }
}

/** Design documents beside plans are not plans. */
function isPlanName(name: string): boolean {
  return /\.(md|ya?ml)$/.test(name) && !name.endsWith('-design.md')
}
