/** The files that a text names, and those of the repository that it probably means. */
import { closest } from '../../lib/text/closest.ts'
import {
  folderOf,
  isPattern,
  kindOfPath,
  nameOf,
  normalPath,
  segmentsOf,
  stemOf,
  wordsOf,
} from '../languages/paths.ts'
import { codeSpans, replaceCode } from '../planning/readers/markdown/inline.ts'
import { pathObjection } from './story-paths.ts'

const MOST_PATHS = 12
const MOST_GUESSES = 3
/** Longer listings are not searched for files that are not named. */
const LONGEST_LISTING = 20_000

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|rb|go|rs|java|kt|kts|swift|c|cc|cpp|cxx|h|hh|hpp|cs|php|scala|ex|exs|erl|hs|ml|zig|lua|dart|r|jl|sh|bash|ps1|sql|html?|css|scss|sass|less|md|mdx|rst|txt|json|jsonc|ya?ml|toml|ini|cfg|conf|xml|proto|graphql|tf|csv|razor|cshtml|gradle|svg|png)$/i
const PATH = /^[\w@.+-]+(?:\/[\w@.+-]+)*$/
/** Names of products that look like files. */
const PRODUCT = /^(?:[A-Z]?[a-z]+\.js|[A-Z][A-Za-z]*\.(?:js|py|io|net))$/

/** Paths in code spans, and bare words with a folder or in a known form, each once, in order. */
export function pathsIn(text: string): readonly string[] {
  const inCode = codeSpans(text).map(({ code }) => ({ word: code, isCode: true }))
  const bare = replaceCode(text, () => ' ')
    .split(/[\s()[\]{}<>"'“”‘’,;]+/)
    .map((word) => ({ word: word.replace(/[.:!?]+$/, ''), isCode: false }))
  const found = [...inCode, ...bare].flatMap(({ word, isCode }) =>
    isPath(word, isCode) ? [normalPath(word)] : [],
  )
  return [...new Set(found)].slice(0, MOST_PATHS)
}

function isPath(word: string, isCode: boolean): boolean {
  if (word.length > 200 || !PATH.test(word) || !EXTENSION.test(word)) return false
  if (isPattern(word) || pathObjection(word) !== null) return false
  return isCode || word.includes('/') || !PRODUCT.test(word)
}

export interface NamedFiles {
  /** In the repository. */
  readonly existing: readonly string[]
  /** Not there, and nothing like it is. */
  readonly absent: readonly string[]
  /** Not there, but a file with a similar name is. */
  readonly misnamed: readonly { readonly path: string; readonly similar: string }[]
}

/** `files` is the listing of the repository; null where there is none. */
export function namedFiles(text: string, files: readonly string[] | null): NamedFiles {
  const paths = pathsIn(text)
  if (files === null) return { existing: [], absent: paths, misnamed: [] }
  const known = new Set(files)
  const byName = Map.groupBy(files, (path) => nameOf(path).toLowerCase())
  const existing: string[] = []
  const absent: string[] = []
  const misnamed: { path: string; similar: string }[] = []
  for (const path of paths) {
    const sameName = byName.get(nameOf(path).toLowerCase()) ?? []
    const [only] = sameName
    if (known.has(path)) existing.push(path)
    // `settings.js` for the one file of that name, wherever it is.
    else if (!path.includes('/') && sameName.length === 1 && only !== undefined) existing.push(only)
    else {
      const similar = similarPath(path, sameName, files)
      if (similar === null) absent.push(path)
      else misnamed.push({ path, similar })
    }
  }
  return { existing: [...new Set(existing)], absent, misnamed }
}

function similarPath(path: string, sameName: readonly string[], files: readonly string[]): string | null {
  const [only] = sameName
  if (only !== undefined && sameName.length === 1 && path.includes('/')) return only
  const folder = folderOf(path)
  const beside = files.filter((other) => folderOf(other) === folder).slice(0, 500)
  const near = closest(nameOf(path), beside.map(nameOf))
  // `user.ts` beside `users.ts` may well be new: only a slip of one or two letters in a long name counts.
  if (near === null || stemOf(near).length < 6 || stemOf(near) === stemOf(path)) return null
  const isPlural = stemOf(near).replace(/s$/, '') === stemOf(path).replace(/s$/, '')
  return isPlural || Math.abs(near.length - nameOf(path).length) > 1
    ? null
    : (beside.find((other) => nameOf(other) === near) ?? null)
}

const COMMON = new Set(
  'the and for with from into that this when then than must should could shall will can may not are was has have its their each every all any one two new add adds added create creates make makes allow allows support supports show shows use uses using user users get gets set sets page app application system code file files data value values change changes update updates feature able via per out off also only more less other after before between without within which what where how who being been does done test tests error errors option options default src lib index main'.split(
    ' ',
  ),
)

const keywords = (text: string): ReadonlySet<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length > 2 && !COMMON.has(word))
      .map(singular),
  )

const singular = (word: string): string => (word.length > 4 ? word.replace(/(?<=[^s])s$/, '') : word)

/** Sources whose names share words with the text, best first; empty where none stands out. */
export function probableFiles(
  { title, text }: { readonly title: string; readonly text: string },
  files: readonly string[] | null,
): readonly string[] {
  if (files === null || files.length > LONGEST_LISTING) return []
  const strong = keywords(title)
  const weak = keywords(text)
  const scored = files
    .filter((path) => ['source', 'asset'].includes(kindOfPath(path)))
    .map((path) => ({ path, score: scoreOf(path, strong, weak) }))
    .filter(({ score }) => score >= 3)
    .sort((a, b) => b.score - a.score || segmentsOf(a.path).length - segmentsOf(b.path).length)
  const best = scored[0]?.score ?? 0
  const found = scored.filter(({ score }) => score === best)
  // Many equals mean that the words say nothing about the place.
  return found.length > MOST_GUESSES ? [] : found.map(({ path }) => path)
}

/** A word of the title in the file's own name counts most. */
function scoreOf(path: string, strong: ReadonlySet<string>, weak: ReadonlySet<string>): number {
  const own = new Set(wordsOf(stemOf(path)).map(singular))
  const folders = new Set(wordsOf(folderOf(path)).map(singular))
  let score = 0
  for (const word of own) score += strong.has(word) ? 3 : weak.has(word) ? 1 : 0
  if (score === 0) return 0
  for (const word of folders) score += strong.has(word) ? 1 : 0
  return score
}
