/** What a tree says about the project in it: its files, its name, what it is made with, what it asks of people. */
import { analyseProject, textsWanted } from '../../core/intake/analyse-project.ts'
import type { ProjectContext } from '../../core/intake/project-context.ts'
import { compareText } from '../../core/planning/ids.ts'
import { NAMING_MANIFESTS, projectName } from '../../core/repository-facts/project-name.ts'
import type { Quarantine } from '../quarantine.ts'
import { pathText, foldersAbove } from '../git/byte-path.ts'
import { listTree } from '../git/trees.ts'
import { hasOutline, NO_OUTLINE, outlineOf, type Outline } from '../../core/languages/file-outline.ts'
import { normalPath } from '../../core/languages/paths.ts'

/** Without a manifest that names it, a project is called as its folder. */
export async function projectFacts(
  quarantine: Quarantine,
  tree: string,
  folder: string,
): Promise<ProjectContext & { readonly name: string }> {
  const listed = await listTree(quarantine.git, tree, { at: quarantine.place })
  const shas = new Map(listed.filter(isFile).map(({ path, sha }) => [pathText(path), sha]))
  const files = [...shas.keys()].toSorted(compareText)
  const wanted = [...NAMING_MANIFESTS, ...textsWanted(files)]
  const texts = await readTexts(
    quarantine,
    new Map(wanted.flatMap((path) => (shas.has(path) ? [[path, shas.get(path) ?? '']] : []))),
  )
  const read = (path: string): string | null => texts.get(path) ?? null
  return { name: projectName(read) ?? folder, ...analyseProject({ files, read }) }
}

const isFile = ({ mode }: { readonly mode: string }): boolean => mode === '100644' || mode === '100755'

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
  for (const entry of entries) {
    const path = pathText(entry.path)
    for (const one of [path, ...foldersAbove(path)]) if (wanted.has(one)) found.set(one, NO_OUTLINE)
    if (isFile(entry) && wanted.has(path)) files.set(path, entry.sha)
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
