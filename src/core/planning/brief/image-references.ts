/** The images that the text of a task refers to. */
import type { TaskSpec } from '../plan.ts'

const MOST_REFERENCES = 20
const LONGEST = 500

/** `![mock](docs/mock.png "title")`, or a plain path. */
const MARKDOWN = /!\[[^\]\n]*\]\(\s*(?:<([^>\n]+)>|([^)\s]+))[^)\n]*\)/g
const PLAIN = /(?<![\w/.:%~-])(?:[\w@.-]+\/)*[\w@.-]+\.(?:png|jpe?g|gif|webp)(?![\w/-]|\.\w)/gi
const IS_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i

/** Relative paths as they are written, in their order. Addresses, absolute paths and files that the task makes are left out. */
export function imageReferences(
  spec: Pick<TaskSpec, 'description' | 'acceptanceCriteria' | 'files'>,
): readonly string[] {
  const text = [spec.description, ...spec.acceptanceCriteria].join('\n')
  const inMarkdown = [...text.matchAll(MARKDOWN)].map(([, quoted, plain]) => decoded(quoted ?? plain ?? ''))
  const named = [...text.replaceAll(MARKDOWN, ' ').matchAll(PLAIN)].map(([path]) => path)
  const made = new Set(spec.files.create)
  const found = [...inMarkdown, ...named].filter(
    (path) => IS_IMAGE.test(path) && isRelative(path) && path.length <= LONGEST && !made.has(path),
  )
  return [...new Set(found)].slice(0, MOST_REFERENCES)
}

const isRelative = (path: string): boolean =>
  !/^(?:[a-z][a-z\d+.-]*:|\/|~|\\)/i.test(path) && !path.includes('\0')

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not encoded.
    return path
  }
}
