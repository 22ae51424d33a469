/**
 * Marks files that Bosun wrote for the service manager with a hash of their content, which shows later edits without
 * storing anything elsewhere.
 */
import { createHash } from 'node:crypto'

const MARK = /Written by bosun service install, sha256 ([0-9a-f]{64})/
const PLACE = '@mark@'

/** `@mark@` in the text becomes the mark. */
export function marked(text: string): string {
  return text.replace(PLACE, `Written by bosun service install, sha256 ${hashOf(text)}`)
}

/** Whether a file is as Bosun wrote it, whichever version of Bosun that was. */
export function isAsWritten(text: string): boolean {
  const [mark, hash] = MARK.exec(text) ?? []
  return mark !== undefined && hashOf(text.replace(mark, PLACE)) === hash
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
