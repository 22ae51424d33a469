/** The files that a text names. */
import { closest } from '../../lib/text/closest.ts'
import { folderOf, isPattern, nameOf, normalPath, stemOf } from '../languages/paths.ts'
import { codeSpans, replaceCode } from '../planning/readers/markdown/inline.ts'
import { pathObjection } from './story-paths.ts'

const MOST_PATHS = 12

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
