/** What several questions quote: what is known about a project, and what a request was understood as. */
import type { Work } from '../intake/intake.ts'
import type { ProjectContext } from '../intake/project-context.ts'
import type { QuotedData } from './question.ts'

const MOST_FILES = 1500
const LONGEST_INSTRUCTIONS = 8000
const MOST_INSTRUCTIONS = 6

type Facts = Pick<ProjectContext, 'architecture' | 'keyPaths' | 'patterns' | 'commands'>

/** One line each. */
export const projectFacts = ({ architecture, keyPaths, patterns, commands }: Facts): readonly string[] => [
  ...(architecture === null ? [] : [`architecture: ${architecture}`]),
  ...keyPaths.map(({ name, path }) => `${name}: ${path}`),
  ...patterns.map(({ name, text, example }) => `${name}: ${text} (see ${example})`),
  ...commands.map(({ name, command, tried }) => `${name} command: ${command} (${tried})`),
]

/** The facts and the files, for a model that may not see the repository; `facts` are those of the question's own. */
export function repositoryData(
  project: ProjectContext,
  files: readonly string[] | null,
  facts: readonly string[],
): readonly QuotedData[] {
  const listed = files ?? []
  const more = listed.length > MOST_FILES ? `\n… and ${listed.length - MOST_FILES} more` : ''
  return [
    { source: 'facts about the code base', text: [...projectFacts(project), ...facts].join('\n') },
    {
      source: 'the files of the repository',
      text: listed.length === 0 ? 'none' : listed.slice(0, MOST_FILES).join('\n') + more,
    },
  ]
}

export const instructionsData = ({ instructions }: ProjectContext): readonly QuotedData[] =>
  instructions
    .slice(0, MOST_INSTRUCTIONS)
    .map(({ path, text }) => ({ source: path, text: text.slice(0, LONGEST_INSTRUCTIONS) }))

/** One line each. */
export const workLines = (work: Work): readonly string[] =>
  (
    [
      ['criterion', work.criteria],
      ['file to create', work.files.create],
      ['file to modify', work.files.modify],
      ['test to add', work.tests_to_add],
      ['constraint', work.constraints],
      ['out of scope', work.out_of_scope],
    ] as const
  ).flatMap(([name, texts]) => texts.map((text) => `${name}: ${text}`))
