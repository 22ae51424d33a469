/** What a code base looks like: its architecture in a line, its key paths and its patterns. */
import { z } from 'zod'
import type { ProjectContext } from '../../intake/project-context.ts'
import type { Question } from '../question.ts'
import { projectFacts } from '../quoted-facts.ts'

export type ContextAnswer = Pick<ProjectContext, 'architecture' | 'keyPaths' | 'patterns'>

export interface ContextInput {
  /** What the files show; the answer may say it better, and nothing that they do not show. */
  readonly found: ProjectContext
  /** Paths of the committed tree. */
  readonly files: readonly string[]
}

const MOST_FILES = 2000
const line = (longest: number) => z.string().min(1).max(longest)

const answer = z.lazy(() =>
  z.object({
    architecture: line(300)
      .nullable()
      .describe('one line, such as "three layers: core, infrastructure, app"'),
    keyPaths: z
      .array(
        z.object({
          name: line(60),
          path: line(300).describe('an existing file, or a folder with a slash at the end'),
        }),
      )
      .max(16),
    patterns: z
      .array(z.object({ name: line(60), text: line(300), example: line(300).describe('an existing file') }))
      .max(12),
  }),
)

export const context: Question<ContextInput, ContextAnswer> = {
  name: 'context',
  size: 'small',
  answer,
  prompt: ({ found, files }) => ({
    task: [
      'Describe a code base for engineers who will change it: its architecture in one line, the paths that matter and what',
      'is there, and the patterns that new code should follow, each with an existing file that shows it.',
    ].join(' '),
    data: [
      { source: 'the list of its files', text: files.slice(0, MOST_FILES).join('\n') },
      { source: 'what the rules found in them', text: projectFacts(found).join('\n') },
      ...found.instructions.map(({ path, text }) => ({ source: path, text })),
    ],
  }),
  unjudged: ({ found: { architecture, keyPaths, patterns } }) => ({ architecture, keyPaths, patterns }),
  problem({ architecture, keyPaths, patterns }, { files }) {
    const texts = [
      architecture ?? '',
      ...keyPaths.map(({ name }) => name),
      ...patterns.map(({ text }) => text),
    ]
    if (texts.some((text) => /\p{Cc}/u.test(text))) return 'every text is one line without control characters'
    const named = [...keyPaths.map(({ path }) => path), ...patterns.map(({ example }) => example)]
    const all = new Set(files)
    const missing = named.find(
      (path) => !all.has(path) && !(path.endsWith('/') && files.some((file) => file.startsWith(path))),
    )
    return missing === undefined ? null : `there is no ${JSON.stringify(missing)} in the repository`
  },
}
