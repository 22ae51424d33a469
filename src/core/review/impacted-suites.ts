/** Which test suites a change can break: those that import it, directly or not. */
import { isDocPath, isTestPath } from '../languages/paths.ts'
import { importers, isGraphed, type TreeTexts } from '../languages/import-graph.ts'

export type Impact =
  /** Every suite, because the affected ones cannot be determined. */
  | { readonly kind: 'all'; readonly why: string }
  | { readonly kind: 'some'; readonly suites: readonly string[] }

/** With more files, running every suite is cheaper than reading them. */
const MOST_FILES = 8_000

export function impactedSuites(changed: readonly string[], tree: TreeTexts): Impact {
  const relevant = changed.filter((path) => !isDocPath(path))
  const strange = relevant.find((path) => !isGraphed(path))
  if (strange !== undefined) return { kind: 'all', why: `imports do not show which suites use ${strange}` }
  if (tree.files.size > MOST_FILES) return { kind: 'all', why: 'too many files to follow imports' }
  // Deleted files count too: a suite may still import them.
  const users = importers({ files: new Set([...tree.files, ...relevant]), read: (path) => tree.read(path) })
  const reached = new Set(relevant)
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  const suites = [...reached].filter((path) => isSuite(path) && tree.files.has(path)).sort()
  return { kind: 'some', suites }
}

/** Excludes helpers in test folders. */
const isSuite = (path: string): boolean =>
  isTestPath(path) &&
  /(?:[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|_test\.(?:go|py)$|(?:^|\/)tests?\/[^/]+\.\w+$)/i.test(
    path,
  )

/** Suites missing from a test report; null where the report does not name the file of every test. */
export function notReported(
  suites: readonly string[],
  tests: readonly { readonly name: string; readonly file: string | null }[] | null,
): readonly string[] | null {
  const files = new Set((tests ?? []).map(fileOf))
  if (files.size === 0 || files.has(null)) return null
  return suites.filter((suite) => ![...files].some((file) => file === suite || file?.endsWith(`/${suite}`)))
}

/** Some runners put the file into the name: `tests/test_a.py::test_it`. */
const fileOf = ({ name, file }: { readonly name: string; readonly file: string | null }): string | null =>
  file ?? /^([^\s:]+\.\w+)::/.exec(name)?.[1] ?? null
