/** Whether the file that a report names is a file of the tree. */
import { isPattern, stemOf } from '../../languages/paths.ts'
import { covers } from '../plan-alignment/expected-files.ts'

/** Compiled tests have another folder and extension; then the name is compared. */
export function isFileOf(reported: string, path: string): boolean {
  if (isPattern(path) || path.endsWith('/')) return covers(path, reported)
  if (reported === path || reported.endsWith(`/${path}`) || path.endsWith(`/${reported}`)) return true
  return !reported.endsWith(path.slice(path.lastIndexOf('.'))) && stemOf(reported) === stemOf(path)
}
