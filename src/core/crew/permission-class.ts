/**
 * What makes two requests for permission equal, so that one answer of a person counts for both. Where a request does not say
 * all that it would do, none is equal to it: it is asked each time.
 */
import type { PermissionRequest } from './permission-policy.ts'

type Asked = Pick<PermissionRequest, 'kind' | 'title' | 'command' | 'paths'> & {
  /** Why the policy leaves it to a person. */
  readonly why: string
}

/** The supervisor cuts at these: what it cut may go on in any way. */
const CUT_COMMAND = 2000
const CUT_PATHS = 20
const LONGEST = 2000

/** A line for people; null where no other request is equal to it. */
export function permissionClass({ kind, title, command, paths, why }: Asked): string | null {
  const found = classOf({ kind, title, command, paths })
  if (found === null) return null
  const [reason = ''] = why.split(':')
  const line = `${found} (${reason.trim()})`
  return line.length > LONGEST ? null : line
}

function classOf({ kind, title, command, paths }: Omit<Asked, 'why'>): string | null {
  // The same command line, and nothing that resembles it: what a command does lies in every word of it.
  if (command !== null) return command.length >= CUT_COMMAND ? null : `run \`${command.trim()}\``
  if (paths.length > 0) {
    const folders = [...new Set(paths.map(folderOf))].sort()
    return paths.length >= CUT_PATHS || folders.includes('') ? null : `${kind} in ${folders.join(', ')}`
  }
  const isAddress = kind === 'fetch' && /\bhttps?:\/\/\S+/.test(title)
  return isAddress ? `fetch ${title.trim()}` : null
}

/** Empty for a path that is not absolute. */
const folderOf = (path: string): string =>
  path.startsWith('/') ? path.slice(0, Math.max(1, path.lastIndexOf('/'))) : ''
