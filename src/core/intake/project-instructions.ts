/**
 * What a repository's own instructions (AGENTS.md, CLAUDE.md) say. They are read for facts: no command in them is run
 * and nothing in them sets anything.
 */
import { folderOf, inFolder, nameOf, normalPath, segmentsOf } from '../languages/paths.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { headingOf, itemOf } from '../planning/readers/markdown/marks.ts'
import { beginning } from '../../lib/text/fenced.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import { splitSentences } from '../../lib/text/split-sentences.ts'
import type { Instructions, KeyPath, ProjectContext } from './project-context.ts'

/** In the order of preference within a folder. */
const NAMES = ['AGENTS.md', 'CLAUDE.md']
const MOST_FILES = 20
const DEEPEST = 8
const MOST_TEXT = 16_000
const MOST_POINTS = 12

/** One file a folder, the root's first, then the nearest to it. */
export function instructionFiles(files: readonly string[]): readonly string[] {
  const found = files.filter((path) => NAMES.includes(nameOf(path)) && segmentsOf(path).length <= DEEPEST)
  const folders = Map.groupBy(found, folderOf)
  return [...folders.keys()]
    .toSorted((a, b) => segmentsOf(a).length - segmentsOf(b).length || (a < b ? -1 : 1))
    .flatMap(
      (folder) => NAMES.map((name) => inFolder(folder, name)).find((path) => found.includes(path)) ?? [],
    )
    .slice(0, MOST_FILES)
}

export const boundedInstructions = (path: string, text: string): Instructions => ({
  path,
  text: beginning(text.toWellFormed(), MOST_TEXT),
})

/** Those that apply to a file, the nearest first: where they disagree, the nearest wins. */
export function instructionsFor(
  { instructions }: Pick<ProjectContext, 'instructions'>,
  path: string,
): readonly Instructions[] {
  const place = normalPath(path)
  return instructions
    .filter((one) => folderOf(one.path) === '' || place.startsWith(`${folderOf(one.path)}/`))
    .toSorted((a, b) => segmentsOf(b.path).length - segmentsOf(a.path).length)
}

interface Section {
  readonly heading: string
  readonly lines: readonly string[]
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  for (const line of readLines(text).lines.filter(({ role }) => role === 'text')) {
    const heading = headingOf(line.text)
    if (heading !== null) sections.push({ heading: heading.text, lines: [] })
    else sections.at(-1)?.lines.push(line.text)
  }
  return sections
}

/** The first sentence below a heading such as "Architecture"; null where there is none. */
export function statedArchitecture(text: string): string | null {
  const section = sectionsOf(text).find(
    ({ heading, lines }) =>
      /\b(architecture|structure|layout|overview)\b/i.test(heading) && lines.some(isSentence),
  )
  const line = section?.lines.find(isSentence)
  if (line === undefined) return null
  const [first = ''] = splitSentences(line.trim())
  return plainLine(itemOf(first)?.text ?? first, 200)
}

const isSentence = (line: string): boolean => /^\s{0,3}(?:[-*]\s+)?[\p{L}*].{15,}/u.test(line)

/** List items that name a path of the repository: "- `src/services/`: business logic". */
export function statedKeyPaths(
  text: string,
  exists: (path: string) => 'file' | 'folder' | null,
): readonly KeyPath[] {
  return text
    .split('\n')
    .flatMap((line): KeyPath[] => {
      const [, path, says] =
        /^\**`([\w@./-]{2,120})`\**\s*(?:[:—–-]|is\b|holds\b)?\s*(.{0,200})$/.exec(
          itemOf(line)?.text ?? '',
        ) ?? []
      if (path === undefined || says === undefined) return []
      const plain = normalPath(path)
      const kind = exists(plain)
      if (kind === null) return []
      const name = plainLine(says.replace(/\*\*|`/g, '').split(/[.;(]/)[0] ?? '', 60)
      return [{ name: name === '' ? nameOf(plain) : name, path: kind === 'folder' ? `${plain}/` : plain }]
    })
    .slice(0, MOST_POINTS)
}

/** The points below headings such as "Conventions", "Code style" or "How we work". */
export function statedConventions(text: string): readonly string[] {
  return sectionsOf(text)
    .filter(({ heading }) =>
      /\b(conventions?|patterns?|style|guidelines?|rules|practices|standards?|how (we|to) work)\b/i.test(
        heading,
      ),
    )
    .flatMap(({ lines }) => lines.flatMap((line) => itemOf(line) ?? []))
    .filter(({ indent, text }) => indent <= 3 && text.length >= 8 && text.length <= 300)
    .map(({ text }) => plainLine(text, 240))
    .slice(0, MOST_POINTS)
}
