/** Compares changed files with the contract. */
import type { Finding } from '../../event-schemas/evidence.ts'
import {
  folderOf,
  inFolder,
  isFolderPath,
  isPattern,
  manifestsOf,
  nameOf,
  normalPath,
  segmentsOf,
} from '../../languages/paths.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import type { Change, FileLookup } from '../change.ts'
import { blocking, note } from '../verdicts.ts'

export interface FileFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'inferred'>
  readonly change: Change
  readonly fileInTree: FileLookup
  /** Whether the path exists, as text or not. */
  readonly isInTree: (path: string) => boolean
}

/** The finding for a changed file that the contract does not name. */
export const OUTSIDE_CONTRACT = `is outside the contract's files`

/** A file outside the contract fails if the plan names files, and is for review if they were inferred. */
export function compareFiles(facts: FileFacts): readonly Finding[] {
  const { create, modify, delete: remove } = facts.spec.files
  const named = [...create, ...modify, ...remove]
  if (named.length === 0) return []
  const isInferred = facts.spec.inferred.includes('files')
  const weigh = isInferred ? note : blocking
  const always = facts.spec.testsToAdd
  const changed = facts.change.files.map(({ path }) => path)
  const outside = changed.filter(
    (path) => ![...named, ...always].some((pattern) => covers(pattern, path)) && !isLockBeside(path, facts),
  )
  const missing = create.filter((path) => !isPattern(path) && !facts.isInTree(path))
  const left = remove.filter((path) => !isPattern(path) && facts.isInTree(path))
  const untouched = modify.filter((pattern) => !changed.some((path) => covers(pattern, path)))
  return [
    ...outside.map((path) => weigh(OUTSIDE_CONTRACT, path)),
    ...missing.map((path) => weigh('should have been created but is missing', path)),
    ...left.map((path) => weigh('should have been deleted but still exists', path)),
    ...untouched.map((path) => note('should have been modified but is unchanged', path)),
  ]
}

const isLockBeside = (path: string, { isInTree }: FileFacts): boolean =>
  manifestsOf(path).some((name) => isInTree(inFolder(folderOf(path), name)))

/** A path covers itself, a folder its contents, a pattern its matches. */
export function covers(pattern: string, path: string): boolean {
  const [wanted, plain] = [normalPath(pattern), normalPath(path)]
  if (wanted === plain) return true
  if (isPattern(pattern)) return fitsSegments(segmentsOf(wanted), segmentsOf(plain))
  return (isFolderPath(pattern) || !nameOf(pattern).includes('.')) && plain.startsWith(`${wanted}/`)
}

/** `**` matches any number of folders. Each pair of positions is visited once. */
function fitsSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let reachable = new Set([0])
  for (const part of pattern.slice(0, 64)) {
    const next = new Set<number>()
    for (const at of reachable) {
      if (part === '**') for (let to = at; to <= path.length; to++) next.add(to)
      else if (at < path.length && fitsSegment(part, path[at] ?? '')) next.add(at + 1)
    }
    reachable = next
  }
  return reachable.has(path.length)
}

/** `*`, `<name>`, `{name}` and `…` match anything within one segment. */
function fitsSegment(pattern: string, segment: string): boolean {
  const parts = pattern.replace(/<[^<>]*>|\{[^{}]*\}|\.\.\.|…|\?/g, '*').split('*')
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return pattern === segment
  if (!segment.startsWith(first) || segment.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = segment.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return segment.endsWith(last) && segment.length - last.length >= at
}
