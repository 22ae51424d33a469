/** Finds changes of protected files and whether the contract allows them. */
import { folderOf, isFolderPath, isTestPath, nameOf, normalPath, segmentsOf } from '../../languages/paths.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { firstLineOf, linesBefore, type Change, type ChangedFile } from '../change.ts'
import { covers } from '../plan-alignment/expected-files.ts'
import { andMore } from '../verdicts.ts'
import { changedParts } from './file-parts.ts'
import {
  isBaseTest,
  isSnapshot,
  PROTECTED_KINDS,
  protectionOf,
  type ProtectedKind,
} from './protected-names.ts'

export type NamingSpec = Pick<TaskSpec, 'files' | 'testsToAdd' | 'inferred'>

export interface ProtectedChange {
  readonly path: string
  readonly kind: ProtectedKind
  readonly became: ChangedFile['kind']
  /** The kind of protection, and the changed parts if only some are protected. */
  readonly what: string
  /** In the file as it is now. */
  readonly line: number | null
  /**
   * `named`: the contract names it. `begun`: it was added with a new project. `extended`: tests were added
   * at its end, where the plan names none. `not_named`: the contract does not name it. `not_to_go`: the contract allows
   * changing it, but it was deleted.
   */
  readonly permission: 'named' | 'begun' | 'extended' | 'not_named' | 'not_to_go'
}

/** In the order of the change. A new test file is not protected. */
export function protectedChanges(
  change: Change,
  spec: NamingSpec,
  /** Scripts that gates run (see `filesOfCommands`). */
  gateScripts: readonly string[] = [],
): readonly ProtectedChange[] {
  const begun = change.files
    .filter(({ kind, path }) => kind === 'added' && isBeginning(path) && !isTestPath(path))
    .map(({ path }) => folderOf(path))
  return change.files.flatMap((file) => {
    const found = protectedPart(file, gateScripts)
    if (found === null) return []
    const { path, kind: became } = file
    const permission = permissionOf({ file, kind: found.kind, spec, begun })
    return [{ path, became, ...found, line: firstLineOf(file), permission }]
  })
}

const MOST_PARTS = 5

function protectedPart(
  file: ChangedFile,
  gateScripts: readonly string[],
): Pick<ProtectedChange, 'kind' | 'what'> | null {
  const protection = protectionOf(file.path)
  if (protection === null) {
    if (file.kind === 'added') return null
    if (isBaseTest(file.path)) return { kind: 'base_test', what: PROTECTED_KINDS.base_test }
    return gateScripts.includes(file.path) ? { kind: 'commands', what: 'a gate script' } : null
  }
  const { kind, parts } = protection
  if (parts === null || file.isBinary) return { kind, what: PROTECTED_KINDS[kind] }
  const changed = changedParts(parts, linesBefore(file), file.lines)
  if (changed === null) return { kind, what: `${PROTECTED_KINDS[kind]}; the file could not be parsed` }
  if (changed.length === 0) return null
  const shown = changed.slice(0, MOST_PARTS).join(', ')
  return { kind, what: `${PROTECTED_KINDS[kind]}: ${shown}${andMore(changed, MOST_PARTS)}` }
}

interface PermissionFacts {
  readonly file: ChangedFile
  readonly kind: ProtectedKind
  readonly spec: NamingSpec
  /** Folders in which this change starts a project. */
  readonly begun: readonly string[]
}

function permissionOf({ file, kind, spec, begun }: PermissionFacts): ProtectedChange['permission'] {
  const { create, modify, delete: remove } = spec.files
  if (file.kind === 'deleted') {
    if (isNamed(file.path, kind, remove)) return 'named'
    return isNamed(file.path, kind, [...create, ...modify, ...spec.testsToAdd]) ? 'not_to_go' : 'not_named'
  }
  if (isNamed(file.path, kind, [...create, ...modify, ...spec.testsToAdd])) return 'named'
  if (kind === 'base_test' && isExtended(file) && isOpenTest(spec, file.path)) return 'extended'
  const isNewProject =
    file.kind === 'added' &&
    !ALWAYS_ASKED.has(kind) &&
    begun.some((folder) => folder === '' || file.path === folder || file.path.startsWith(`${folder}/`))
  return isNewProject ? 'begun' : 'not_named'
}

/** A test by its own name, with its snapshots, where the plan leaves it to the worker which tests to write, and in which file. */
function isOpenTest({ inferred }: NamingSpec, path: string): boolean {
  const name = nameOf(isSnapshot(path) ? snapshotOwner(path) : path)
  const isOpen = inferred.includes('tests_to_add') || inferred.includes('files')
  return isOpen && isTestPath(name) && !/help|util|setup|support|config/i.test(name)
}

/** Tests were added after all that was there, with what they import: nothing that was there can be wrapped, left early or gone. */
function isExtended({ kind, isBinary, removed, added, lines }: ChangedFile): boolean {
  if (kind !== 'modified' || isBinary || lines === null) return false
  const isNew = ({ text }: { readonly text: string }) => !IMPORT.test(text) && !IMPORTED_NAME.test(text)
  const fresh = new Set(added.filter(isNew).map(({ line }) => line))
  const after = lines.slice(Math.min(...fresh, lines.length + 1) - 1)
  const first = lines.length - after.length + 1
  const isBelow = after.every((text, at) => fresh.has(first + at) || CLOSING.test(text))
  return isBelow && removed.every(({ text }) => IMPORT.test(text))
}

/** Without what would open a comment or a text around the lines below it. */
const IMPORT =
  /^(?!.*(\/\*|"{3}|'{3}|`))\s*((import|from|use|require|#include)\b|(const|let|var)\b.*\brequire\(|$)/
/** In an import of several lines. */
const IMPORTED_NAME = /^\s*[\w$]+( as [\w$]+)?,$/
const CLOSING = /^[\s)\]};,]*$|^\s*end\)?$/

/** Kinds that a new project does not need. */
const ALWAYS_ASKED: ReadonlySet<ProtectedKind> = new Set(['agent_settings', 'bosun_settings', 'tools'])

/** Whether the contract allows a test file to change. */
export const namesTest = ({ files: { create, modify }, testsToAdd }: NamingSpec, path: string): boolean =>
  isNamed(path, 'base_test', [...create, ...modify, ...testsToAdd])

/** A snapshot belongs to its test. */
function isNamed(path: string, kind: ProtectedKind, named: readonly string[]): boolean {
  const owner = isSnapshot(path) ? snapshotOwner(path) : null
  return named.some(
    (pattern) =>
      namesPath(pattern, path, kind) || (owner !== null && covers(pattern, owner) && isTestPath(pattern)),
  )
}

/** Naming a source folder does not allow changing its tests: the contract names the path itself or a pattern of tests. */
function namesPath(pattern: string, path: string, kind: ProtectedKind): boolean {
  if (normalPath(pattern) === normalPath(path)) return true
  if (!covers(pattern, path)) return false
  const probe = isFolderPath(pattern) ? `${normalPath(pattern)}/x.yml` : pattern
  return kind === 'base_test' ? isBaseTest(probe) : protectionOf(probe)?.kind === kind
}

/** `src/__snapshots__/a.test.ts.snap` and `src/a.test.ts-snapshots/b.png` belong to `src/a.test.ts`. */
function snapshotOwner(path: string): string {
  const beside = /^(.*)-snapshots\//.exec(normalPath(path))?.[1]
  if (beside !== undefined) return beside
  const folder = folderOf(path).replace(/(^|\/)__snapshots__$/, '')
  const name = nameOf(path).replace(/\.(snap|snapshot|ambr)$/, '')
  return folder === '' ? name : `${folder}/${name}`
}

/** Files that start a project. */
const BEGINNINGS =
  /^(package\.json|deno\.jsonc?|pyproject\.toml|setup\.py|go\.mod|cargo\.toml|cmakelists\.txt|makefile|pom\.xml|build\.gradle(\.kts)?|gemfile|composer\.json|mix\.exs)$/
const isBeginning = (path: string): boolean => BEGINNINGS.test(segmentsOf(path.toLowerCase()).at(-1) ?? '')
