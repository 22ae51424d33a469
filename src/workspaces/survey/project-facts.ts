/** What a tree says about the project in it: its files, its name, what it is made with, what it asks of people. */
import type { ProjectFacts } from '../../core/planning/brief/context-block.ts'
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

export async function projectFacts(
  quarantine: Quarantine,
  tree: string,
  name: string,
): Promise<ProjectFacts> {
  const listed = await listTree(quarantine.git, tree, { at: quarantine.place })
  const files = new Set(listed.map(({ path }) => pathText(path)))
  const instructions = INSTRUCTIONS.find((path) => files.has(path))
  return {
    name,
    stack: STACK.filter(([file]) => files.has(file)).map(([, means]) => means),
    conventions: instructions === undefined ? [] : await conventionsIn(quarantine, tree, instructions),
    files,
  }
}

/** The points of a document's lists: that is how rules are written down. */
async function conventionsIn(quarantine: Quarantine, tree: string, path: string): Promise<readonly string[]> {
  const file = await readTreeFile(quarantine, { tree, path, maxBytes: MOST_BYTES })
  if (file.kind !== 'file') return []
  const points = file.content
    .toString('utf8')
    .split('\n')
    .flatMap((line) => /^\s{0,3}[-*] (.{3,300})$/.exec(line)?.[1] ?? [])
  return points.slice(0, MOST_CONVENTIONS)
}
