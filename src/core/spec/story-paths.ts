/** Which paths a story may name: files of the repository that are neither git's nor Bosun's own. */
import { isPattern, normalPath, segmentsOf } from '../languages/paths.ts'
import { leavesRepository } from '../planning/readers/outside.ts'

/** Settings that decide what workers may do and which checks run. */
const SETTINGS = /^bosun\.ya?ml$/i
/** Records that only Bosun writes. */
const RECORD = /-(review\.md|release\.yaml|notes\.md)$/i

/** Why a story may not name this path; null where it may. */
export function pathObjection(path: string): string | null {
  if (path.trim() === '') return 'is empty'
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001F\u007F]/.test(path)) return 'contains control characters'
  const segments = segmentsOf(path)
  if (leavesRepository(path.trim()) || segments.includes('..')) return 'leaves the repository'
  if (segments.length === 0) return 'is the whole repository'
  if (segments.some(isGitsOwn)) return "is part of git's own data"
  if (isPattern(path)) return 'is a pattern; name single files'
  if (segments.some((segment) => SETTINGS.test(segment.trim())))
    return 'holds the settings of Bosun, which only the user changes'
  if (/^docs\/(reviews|releases)\//i.test(normalPath(path)) && RECORD.test(path))
    return 'is a record that Bosun writes'
  return null
}

/** `.git` in every spelling that a file system may take for it. */
const isGitsOwn = (segment: string): boolean =>
  /^\.git$/i.test(segment.replace(/[\s.]+$/, '').normalize('NFKC')) || /^git~\d+$/i.test(segment)
