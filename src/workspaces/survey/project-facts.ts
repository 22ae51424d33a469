/** What a tree says about the project in it: its files, its name, what it is made with, what it asks of people. */
import type { ProjectFacts } from '../../core/planning/brief/context-block.ts'
import { NAMING_MANIFESTS, projectName } from '../../core/repository-facts/project-name.ts'
import type { Quarantine } from '../quarantine.ts'
import { pathText, foldersAbove } from '../git/byte-path.ts'
import { listTree } from '../git/trees.ts'
import { textInTree } from '../git/tree-diff.ts'
import { hasOutline, NO_OUTLINE, outlineOf, type Outline } from '../../core/languages/file-outline.ts'
import { normalPath } from '../../core/languages/paths.ts'

const MOST_BYTES = 256 * 1024
const MOST_CONVENTIONS = 12
/** Files that show the stack of a project. */
const STACK: readonly (readonly [file: string, means: string])[] = [
  ['package.json', 'Node.js'],
  ['tsconfig.json', 'TypeScript'],
  ['pyproject.toml', 'Python'],
  ['Cargo.toml', 'Rust'],
  ['go.mod', 'Go'],
  ['pom.xml', 'Java with Maven'],
  ['CMakeLists.txt', 'C or C++ with CMake'],
]
/** A repository's own instructions, the first one there is. */
const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md']

/** Without a manifest that names it, a project is called as its folder. */
export async function projectFacts(
  quarantine: Quarantine,
  tree: string,
  folder: string,
): Promise<ProjectFacts> {
  const listed = await listTree(quarantine.git, tree, { at: quarantine.place })
  const files = new Set(listed.map(({ path }) => pathText(path)))
  const instructions = INSTRUCTIONS.find((path) => files.has(path))
  const texts = new Map<string, string | null>()
  for (const path of NAMING_MANIFESTS)
    if (files.has(path)) texts.set(path, await textInTree(quarantine, { tree, path, maxBytes: MOST_BYTES }))
  return {
    name: projectName((path) => texts.get(path) ?? null) ?? folder,
    stack: STACK.filter(([file]) => files.has(file)).map(([, means]) => means),
    conventions: instructions === undefined ? [] : await conventionsIn(quarantine, tree, instructions),
    files,
  }
}

/** The points of a document's lists: that is how rules are written down. */
async function conventionsIn(quarantine: Quarantine, tree: string, path: string): Promise<readonly string[]> {
  const text = (await textInTree(quarantine, { tree, path, maxBytes: MOST_BYTES })) ?? ''
  const points = text.split('\n').flatMap((line) => /^\s{0,3}[-*] (.{3,300})$/.exec(line)?.[1] ?? [])
  return points.slice(0, MOST_CONVENTIONS)
}

/** What a tree holds of the files that a plan expects. */
interface TreeSurvey {
  readonly files: number
  /** What stands at an expected path, be it a file or a folder; null where nothing does. */
  readonly inTree: (path: string) => Outline | null
  /** The text of an expected file; null where there is none, or it is binary or too large to read. */
  readonly textOf: (path: string) => string | null
}

const MOST_OF_A_TEXT = 256 * 1024
/** Of all the files that are read; the rest are listed without their content. */
const MOST_READ = 16 * 1024 * 1024

export async function surveyTree(
  quarantine: Quarantine,
  tree: string,
  expected: readonly string[],
): Promise<TreeSurvey> {
  const wanted = new Set(expected.map(normalPath))
  const entries = await listTree(quarantine.git, tree, { at: quarantine.place })
  const found = new Map<string, Outline>()
  const files = new Map<string, string>()
  for (const { mode, sha, path: raw } of entries) {
    const path = pathText(raw)
    for (const one of [path, ...foldersAbove(path)]) if (wanted.has(one)) found.set(one, NO_OUTLINE)
    const isFile = mode === '100644' || mode === '100755'
    if (isFile && wanted.has(path)) files.set(path, sha)
  }
  const texts = await readTexts(quarantine, files)
  for (const [path, text] of texts) if (hasOutline(path)) found.set(path, outlineOf(path, text))
  return {
    files: entries.length,
    inTree: (path) => found.get(normalPath(path)) ?? null,
    textOf: (path) => texts.get(normalPath(path)) ?? null,
  }
}

/** The texts, by path. What is binary or large has none. */
async function readTexts(
  { reader }: Quarantine,
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  if (files.size === 0) return texts
  const facts = await reader.factsOf([...files.values()])
  let left = MOST_READ
  for (const [at, [path, sha]] of [...files].entries()) {
    const bytes = facts[at]?.bytes ?? Infinity
    if (bytes > MOST_OF_A_TEXT || bytes > left) continue
    left -= bytes
    const content = (await reader.content(sha))?.content
    if (content !== undefined && !content.includes(0)) texts.set(path, content.toString('utf8'))
  }
  return texts
}
