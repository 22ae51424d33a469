/** What a tree holds of the files that a plan expects, with two calls of git however many they are. */
import { hasOutline, NO_OUTLINE, outlineOf, type Outline } from '../../core/languages/file-outline.ts'
import { normalPath } from '../../core/languages/paths.ts'
import { bytePath, pathText } from '../git/byte-path.ts'
import { fields } from '../git/git.ts'
import type { Quarantine } from '../quarantine.ts'

export interface TreeSurvey {
  readonly files: number
  /** What stands at an expected path, be it a file or a folder; null where nothing does. */
  readonly inTree: (path: string) => Outline | null
  /** The text of an expected file; null where there is none, or it is binary or too large to read. */
  readonly textOf: (path: string) => string | null
}

const MOST_BYTES = 256 * 1024
/** Of all the files that are read; the rest are listed without their content. */
const MOST_READ = 16 * 1024 * 1024

interface Blob {
  readonly path: string
  readonly sha: string
  readonly bytes: number
}

export async function surveyTree(
  quarantine: Quarantine,
  tree: string,
  expected: readonly string[],
): Promise<TreeSurvey> {
  const wanted = new Set(expected.map(normalPath))
  const { git, place } = quarantine
  const listing = await git.read({ args: ['ls-tree', '-r', '-l', '-z', '--full-tree', tree], at: place })
  const found = new Map<string, Outline>()
  const blobs: Blob[] = []
  const entries = fields(listing)
  for (const entry of entries) {
    const [, mode = '', sha = '', size = '', raw = ''] = /^(\d+) \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(entry) ?? []
    const path = pathText(bytePath(raw))
    for (const one of [path, ...foldersOf(path)]) if (wanted.has(one)) found.set(one, NO_OUTLINE)
    const isFile = mode === '100644' || mode === '100755'
    if (isFile && wanted.has(path)) blobs.push({ path, sha, bytes: Number(size) })
  }
  const texts = await readBlobs(quarantine, blobs)
  for (const [path, text] of texts) if (hasOutline(path)) found.set(path, outlineOf(path, text))
  return {
    files: entries.length,
    inTree: (path) => found.get(normalPath(path)) ?? null,
    textOf: (path) => texts.get(normalPath(path)) ?? null,
  }
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** The texts, by path. What is binary or large has none. */
async function readBlobs(
  quarantine: Quarantine,
  blobs: readonly Blob[],
): Promise<ReadonlyMap<string, string>> {
  let left = MOST_READ
  const read = blobs.filter(({ bytes }) => {
    if (bytes > MOST_BYTES || bytes > left) return false
    left -= bytes
    return true
  })
  const texts = new Map<string, string>()
  if (read.length === 0) return texts
  const { git, place } = quarantine
  const input = read.map(({ sha }) => `${sha}\n`).join('')
  const output = await git.read({ args: ['cat-file', '--batch'], at: place, input })
  let at = 0
  for (const { path, bytes } of read) {
    const start = output.indexOf(0x0a, at) + 1
    const content = output.subarray(start, start + bytes)
    if (!content.includes(0)) texts.set(path, content.toString('utf8'))
    at = start + bytes + 1
  }
  return texts
}
