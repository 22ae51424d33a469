/** Which suites a change can break: those from which imports lead to it. */
import { isDocPath, isTestPath } from '../languages/paths.ts'
import { importers, isGraphed, type TreeTexts } from '../languages/import-graph.ts'

export type Impact =
  /** Every one, since nobody can tell which. */
  | { readonly kind: 'all'; readonly why: string }
  | { readonly kind: 'some'; readonly suites: readonly string[] }

/** More files are not read for this: running everything is cheaper. */
const MOST_FILES = 8_000

export function impactedSuites(changed: readonly string[], tree: TreeTexts): Impact {
  const relevant = changed.filter((path) => !isDocPath(path))
  const strange = relevant.find((path) => !isGraphed(path))
  if (strange !== undefined) return { kind: 'all', why: `imports do not tell who uses ${strange}` }
  if (tree.files.size > MOST_FILES) return { kind: 'all', why: 'there are too many files to follow imports' }
  // Whoever still imports what is gone is impacted too.
  const users = importers({ files: new Set([...tree.files, ...relevant]), read: (path) => tree.read(path) })
  const reached = new Set(relevant)
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  const suites = [...reached].filter((path) => isSuite(path) && tree.files.has(path)).sort()
  return { kind: 'some', suites }
}

/** A helper in a folder of tests is no suite. */
const isSuite = (path: string): boolean =>
  isTestPath(path) &&
  /(?:[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|_test\.(?:go|py)$|(?:^|\/)tests?\/[^/]+\.\w+$)/i.test(
    path,
  )

/** Suites that a report that names its files does not name; null where it does not name them all. */
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
