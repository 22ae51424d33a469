/** Guesses a place for criteria without a claim: in added lines, or in earlier work. */
import type { EarlierWork } from '../../state/earlier-work.ts'
import { isPattern, kindOfPath, normalPath, wordsOf } from '../../languages/paths.ts'
import type { AddedLine, Change } from '../change.ts'
import type { FileFacts } from './expected-files.ts'

interface Place extends AddedLine {
  readonly path: string
  readonly words: ReadonlySet<string>
}

export interface Places {
  readonly lines: readonly Place[]
  /** A file to name if there is no line, or null. */
  readonly file: string | null
}

export interface Found {
  readonly file: string | null
  readonly line: number | null
}

const MOST_LINES = 20_000

/** The lines a task added, and those of earlier work if it is repeated. */
export function placesIn(facts: FileFacts, earlierWork: EarlierWork | null): Places {
  const added = addedLines(facts.change)
  const file = facts.change.files[0]?.path ?? null
  if (earlierWork === null) return { lines: added.slice(0, MOST_LINES), file }
  const paths = standingPaths(facts, earlierWork)
  const left = facts.spec.files.delete.filter((path) => !isPattern(path) && !facts.isInTree(path))
  return {
    lines: [...added, ...standingLines(facts, paths)].slice(0, MOST_LINES),
    file: file ?? paths[0] ?? left[0] ?? null,
  }
}

/** Sources before tests before the rest, because code meets a criterion. */
function order(path: string): number {
  const kind = kindOfPath(path)
  return kind === 'source' ? 0 : kind === 'test' ? 1 : 2
}

const addedLines = ({ files }: Change): readonly Place[] =>
  files
    .toSorted((a, b) => order(a.path) - order(b.path))
    .flatMap(({ path, added }) => added.flatMap((one) => placed(path, one)))

/** Existing files that the contract names or the earlier work changed. */
function standingPaths({ spec, isInTree }: FileFacts, { files }: EarlierWork): readonly string[] {
  const { create, modify } = spec.files
  const named = [...create, ...modify, ...spec.testsToAdd].filter((path) => !isPattern(path))
  return [...new Set([...named, ...files].map(normalPath))].filter(isInTree)
}

function standingLines({ fileInTree }: FileFacts, paths: readonly string[]): readonly Place[] {
  const lines: Place[] = []
  for (const path of paths.toSorted((a, b) => order(a) - order(b))) {
    const left = MOST_LINES - lines.length
    for (const [at, text] of (fileInTree(path) ?? []).slice(0, left).entries())
      lines.push(...placed(path, { line: at + 1, text }))
  }
  return lines
}

const placed = (path: string, one: AddedLine): readonly Place[] =>
  one.text.trim() === '' ? [] : [{ ...one, path, words: new Set(wordsOf(one.text.slice(0, 500))) }]

/** The line that shares most words with the criterion, else the first line. */
export function placeByRules(criterion: string, { lines, file }: Places): Found {
  const words = [...new Set(wordsOf(criterion.slice(0, 2_000)))].filter(
    (word) => word.length > 2 && !COMMON.has(word),
  )
  let best: Place | null = null
  let most = -1
  for (const place of lines) {
    const shared = words.filter((word) => place.words.has(word)).length
    if (shared > most) [best, most] = [place, shared]
  }
  return { file: best?.path ?? file, line: best?.line ?? null }
}

const COMMON: ReadonlySet<string> = new Set(
  'the and for are with that this from into when then than not can its has have was were will must should'.split(
    ' ',
  ),
)
