/** Which files a request is probably about: for a model that sees nothing of a repository but what is quoted to it. */
import { kindOfPath, nameOf, wordsOf } from '../languages/paths.ts'

/** Shorter words name too much. */
const SHORTEST_WORD = 4
const README = /^readme(\.\w+)?$/i

/** Files that it names come first, then the README and the manifests, then those whose name is a word of it. */
export function filesAbout(
  text: string,
  files: readonly string[],
  manifests: readonly string[],
): readonly string[] {
  const lower = text.toLowerCase()
  const words = new Set(wordsOf(text))
  const named = files.filter(
    (path) => lower.includes(nameOf(path).toLowerCase()) && nameOf(path).includes('.'),
  )
  const alike = files.filter((path) => isReadable(path) && stemWords(path).some((word) => words.has(word)))
  const always = files.filter((path) => README.test(path) || manifests.includes(path))
  return [...new Set([...named, ...always, ...alike])]
}

const isReadable = (path: string): boolean => ['source', 'test', 'doc'].includes(kindOfPath(path))

const stemWords = (path: string): readonly string[] =>
  wordsOf(nameOf(path).replace(/\..*$/, '')).filter((word) => word.length >= SHORTEST_WORD)

/** Files that usually hold keys. No model is shown what is in them. */
const KEY_FILE =
  /^(\.env(\..+)?|\.netrc|\.npmrc|\.pypirc|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|keystore))$/i
const KEY_EXAMPLE = /^\.env\.(example|sample|template|dist)$/i

export function mayHoldKeys(path: string): boolean {
  const name = nameOf(path)
  return KEY_FILE.test(name) && !KEY_EXAMPLE.test(name)
}
