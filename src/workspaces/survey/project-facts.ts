/** What a tree says about the project in it: its files, its name, what it is made with, what it asks of people. */
import type { ProjectFacts } from '../../core/planning/brief/context-block.ts'
import { NAMING_MANIFESTS, projectName } from '../../core/repository-facts/project-name.ts'
import type { Quarantine } from '../quarantine.ts'
import { pathText } from '../git/byte-path.ts'
import { listTree } from '../git/list-tree.ts'
import { readTreeFile } from '../git/tree-diff.ts'

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
    if (files.has(path)) texts.set(path, await textIn(quarantine, tree, path))
  return {
    name: projectName((path) => texts.get(path) ?? null) ?? folder,
    stack: STACK.filter(([file]) => files.has(file)).map(([, means]) => means),
    conventions: instructions === undefined ? [] : await conventionsIn(quarantine, tree, instructions),
    files,
  }
}

/** The points of a document's lists: that is how rules are written down. */
async function conventionsIn(quarantine: Quarantine, tree: string, path: string): Promise<readonly string[]> {
  const text = (await textIn(quarantine, tree, path)) ?? ''
  const points = text.split('\n').flatMap((line) => /^\s{0,3}[-*] (.{3,300})$/.exec(line)?.[1] ?? [])
  return points.slice(0, MOST_CONVENTIONS)
}

async function textIn(quarantine: Quarantine, tree: string, path: string): Promise<string | null> {
  const file = await readTreeFile(quarantine, { tree, path, maxBytes: MOST_BYTES })
  return file.kind === 'file' ? file.content.toString('utf8') : null
}
