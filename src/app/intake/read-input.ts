/** Reads what the user wants to start: an argument, a file or standard input. Refuses what is no text, by name. */
import { statSync, type Stats } from 'node:fs'
import { basename, resolve } from 'node:path'
import { isTakenAsItIs } from '../../core/intake/intake.ts'
import { formOf } from '../../core/intake/request-form.ts'
import { readRequest } from '../../core/intake/request-text.ts'
import { fileBytes } from '../../lib/files/read-if-exists.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import { decoded } from '../plans/read-text.ts'

/** Longer requests are pasted data; a plan may have as much. */
export const MOST_INPUT = 20 * 1024 * 1024

export interface StartInput {
  readonly text: string
  /** The path as given; null for an argument or standard input. */
  readonly path: string | null
  /** The last segment of the path. */
  readonly fileName: string | null
}

/** A plan and a spec say themselves what they are: no model is asked. */
export const saysItself = ({ text }: Pick<StartInput, 'text'>): boolean =>
  isTakenAsItIs(formOf(text, readRequest(text)))

export interface InputSource {
  /** A text, the path of a file, or `-`. */
  readonly given: string
  readonly cwd: string
  readonly readInput: (maxBytes: number) => Promise<Uint8Array>
}

/** A path is one where a file exists; anything else is the request itself. */
export async function readStartInput({ given, cwd, readInput }: InputSource): Promise<StartInput> {
  if (given === '-') return checked(textOf(await readInput(MOST_INPUT), 'standard input'), null)
  const found = given.trim() === '' ? null : fileAt(resolve(cwd, given), given)
  if (found === null) return checked(given, null)
  refuseOddFile(found, given)
  const bytes = await fileBytes(resolve(cwd, given), MOST_INPUT)
  if (bytes === 'too_long') throw tooLong(given)
  return checked(textOf(bytes, given), given)
}

function checked(text: string, path: string | null): StartInput {
  if (text.trim() !== '') return { text, path, fileName: path === null ? null : basename(path) }
  throw refusal(
    'usage',
    path === null ? 'the request is empty' : `${path} is empty`,
    'Say what should be done, for example: bosun start "fix typo in README"',
  )
}

/** Null where nothing is there. A sentence is often too long or too odd to be a path, which is no error. */
function fileAt(file: string, given: string): Stats | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found !== undefined) return found
  } catch {
    // Too long for a name, or a folder that may not be read: not a file that was meant.
  }
  if (!looksLikePath(given)) return null
  throw refusal(
    'not_found',
    `no such file: ${given}`,
    'Check the path; it is relative to the current directory. A request in words goes in quotes.',
  )
}

/** One word that ends like a document, or starts like a path. */
const looksLikePath = (given: string): boolean =>
  !/\s/.test(given) && (/\.(md|markdown|mdx|ya?ml|json|txt)$/i.test(given) || /^(\.{0,2}\/|~\/)/.test(given))

function refuseOddFile(found: Stats, given: string): void {
  if (found.isFile() || found.isFIFO()) return
  const kind = found.isDirectory() ? 'a directory' : found.isSocket() ? 'a socket' : 'a device'
  throw refusal(
    'usage',
    `${given} is ${kind}`,
    'Give the path of one text file, or the request itself in quotes.',
  )
}

const textOf = (bytes: Uint8Array, name: string): string =>
  decoded(
    bytes,
    refusal('usage', `${name} is not a text`, 'Give a request, a spec or a plan as text in UTF-8.'),
  )

const tooLong = (given: string): Refusal =>
  refusal(
    'usage',
    `${given} is larger than ${MOST_INPUT / 1024 / 1024} MB`,
    'Give the request without logs and data; name the files that hold them.',
  )
