/** The compact context that all workers of a plan share, built once per plan and limited in size. */
import { oneLine } from '../../../lib/text/counted.ts'
import type { PlanHeader } from '../task-schema.ts'

const MOST_WORDS = 450
const MOST_ITEMS = 12

/** What it says of the project: a part of the project's context. */
interface Project {
  readonly name: string
  readonly languages: readonly { readonly name: string }[]
  readonly patterns: readonly { readonly text: string }[]
  readonly architecture: string | null
  readonly keyPaths: readonly { readonly name: string; readonly path: string }[]
}

/** Markdown, under 500 words, the same for the same input. */
export function contextBlock(header: PlanHeader, project: Project): string {
  const sections: readonly (readonly [title: string, items: readonly string[]])[] = [
    ['Project', [project.name]],
    ['Goal', textOf(header.goal)],
    ['Stack', [...textOf(header.techStack), ...project.languages.map((language) => language.name)]],
    ['Principles', textOf(header.architecture)],
    ['Constraints', header.constraints],
    ['Conventions', project.patterns.map(({ text }) => text)],
    ['Module boundaries', textOf(project.architecture)],
    ['Key paths', project.keyPaths.map((one) => `${one.path}: ${one.name}`)],
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
