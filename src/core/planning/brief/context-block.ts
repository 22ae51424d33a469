/** The compact context that all workers of a plan share, built once per plan and limited in size. */
import { compareText } from '../ids.ts'
import { kindOfPath, segmentsOf } from '../../languages/paths.ts'
import type { PlanHeader } from '../task-schema.ts'
import { counted, oneLine } from '../../../lib/text/counted.ts'

const MOST_WORDS = 450
const MOST_ITEMS = 12

/** Facts from the repository's manifests and conventions. */
export interface ProjectFacts {
  readonly name: string | null
  /** Languages, frameworks and tools with their versions, as the manifests name them. */
  readonly stack: readonly string[]
  /** Sentences from the repository's own instructions, most important first. */
  readonly conventions: readonly string[]
  readonly files: ReadonlySet<string> | null
}

/** Markdown, under 500 words, the same for the same input. */
export function contextBlock(header: PlanHeader, project: ProjectFacts): string {
  const files = [...(project.files ?? [])].sort(compareText)
  const sections: readonly (readonly [title: string, items: readonly string[]])[] = [
    ['Project', [project.name ?? header.title]],
    ['Goal', textOf(header.goal)],
    ['Stack', [...textOf(header.techStack), ...project.stack]],
    ['Principles', textOf(header.architecture)],
    ['Constraints', header.constraints],
    ['Conventions', project.conventions],
    ['Module boundaries', modulesOf(files)],
    ['Key paths', keyPathsOf(files)],
  ]
  const blocks: string[] = []
  let left = MOST_WORDS
  for (const [title, items] of sections) {
    const kept: string[] = []
    for (const item of [...new Set(items.map(oneLine))].slice(0, MOST_ITEMS)) {
      const text = shortened(item, Math.min(left, 120))
      if (text === '') break
      kept.push(`- ${text}`)
      left -= wordCount(text)
    }
    if (kept.length > 0) blocks.push(`${title}:\n${kept.join('\n')}`)
  }
  return blocks.join('\n')
}

/** Source folders of the first two levels, largest first. */
export function modulesOf(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of files) {
    if (kindOfPath(path) !== 'source') continue
    const folders = segmentsOf(path).slice(0, -1)
    if (folders.length === 0) continue
    const module = folders.slice(0, 2).join('/')
    counts.set(module, (counts.get(module) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a, sizeA], [b, sizeB]) => sizeB - sizeA || compareText(a, b))
    .slice(0, MOST_ITEMS)
    .map(([module, size]) => `${module}/ (${counted(size, 'file')})`)
}

const KEY_NAME =
  /^(readme|agents|claude|contributing|architecture|glossary)\.md$|^(package\.json|pyproject\.toml|cargo\.toml|go\.mod|makefile|justfile|build\.gradle(\.kts)?|pom\.xml|cmakelists\.txt|gemfile|composer\.json)$|^(main|index|app|mod|lib|server|cli)\.\w+$/

/** Manifests, instructions and entry points, nearest to the root first. */
export function keyPathsOf(files: readonly string[]): readonly string[] {
  return files
    .map((path) => ({ path, segments: segmentsOf(path) }))
    .filter(({ segments }) => segments.length <= 3 && KEY_NAME.test((segments.at(-1) ?? '').toLowerCase()))
    .sort((a, b) => a.segments.length - b.segments.length || compareText(a.path, b.path))
    .slice(0, MOST_ITEMS)
    .map(({ path }) => path)
}

function textOf(text: string | null): readonly string[] {
  return text === null || text.trim() === '' ? [] : [text]
}

function shortened(text: string, mostWords: number): string {
  const words = text.split(' ')
  return words.length <= mostWords
    ? text
    : words.slice(0, Math.max(0, mostWords)).join(' ') + (mostWords > 0 ? ' …' : '')
}

function wordCount(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}
