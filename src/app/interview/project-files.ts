/**
 * The file tools of an interview. They see the newest commit, from which the plan will start: no path and no link in it leads out
 * of the project. A refusal is an answer to the PM.
 */
import { mayHoldKeys } from '../../core/intake/files-about.ts'
import type { InterviewParts } from './interview-parts.ts'

export interface FileAnswer {
  readonly ok: boolean
  /** The text, or why the call was refused. */
  readonly result: string
}

type Committed = Awaited<ReturnType<InterviewParts['committedIn']>>

/** Characters of a file, and names of a folder. */
const MOST_SHOWN = 32 * 1024
const MOST_NAMES = 400

const refused = (result: string): FileAnswer => ({ ok: false, result })

/** The beginning of a text file. */
export async function readProjectFile({ files, texts }: Committed, path: string): Promise<FileAnswer> {
  const file = placeOf(path)
  if (!files.includes(file)) return refused(`there is no file ${path} in the newest commit of the project`)
  if (mayHoldKeys(file)) return refused(`${path} may hold keys and is not read`)
  const text = (await texts([file])).get(file)
  if (text === undefined) return refused(`${path} is a binary file, or too large to be read`)
  if (text.length <= MOST_SHOWN) return { ok: true, result: text }
  // A character that the limit cuts is left out.
  const shown = text.slice(0, MOST_SHOWN).replace(/[\uD800-\uDBFF]$/, '')
  return { ok: true, result: `${shown}\n[cut: the first ${shown.length} of ${text.length} characters]` }
}

/** The names in a folder, in which a folder ends in a slash; or all files below it. */
export function listProjectFiles(
  { files }: Pick<Committed, 'files'>,
  { path, recursive }: { readonly path: string; readonly recursive: boolean },
): FileAnswer {
  const folder = placeOf(path)
  const prefix = folder === '' ? '' : `${folder}/`
  const below = files.flatMap((file) => (file.startsWith(prefix) ? [file.slice(prefix.length)] : []))
  if (below.length === 0)
    return folder === ''
      ? { ok: true, result: '(empty)' }
      : refused(`there is no folder ${path} in the newest commit of the project`)
  const names = recursive ? below : [...new Set(below.map((file) => file.replace(/\/.*/s, '/')))]
  const cut = names.length > MOST_NAMES ? [`[cut: the first ${MOST_NAMES} names]`] : []
  return { ok: true, result: [...names.slice(0, MOST_NAMES), ...cut].join('\n') }
}

/** As git names it. */
const placeOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
