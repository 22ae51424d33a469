/** What the architect's questions have in common. */
import type { StoriesInput } from '../../spec/stories-by-rules.ts'
import { specText } from '../../spec/spec-markdown.ts'
import type { QuotedData } from '../question.ts'
import { instructionsData, repositoryData } from '../quoted-facts.ts'

export const STORY_RULES = [
  'Rules for stories:',
  '- A story has an id (S-001), the requirements it fulfils, and the stories it depends on. A task has an id (S-001.1) and ' +
    'may depend on other tasks. Dependencies must exist and must not form a cycle.',
  '- Every requirement is built by at least one task, and every acceptance criterion names its requirement. Criteria can be ' +
    'observed or tested.',
  '- A task is what one developer finishes in about half an hour to two hours: split larger ones. Small work is one story ' +
    'with one task.',
  '- `files` are paths in the repository; `area` is the folder that the task owns, or null. Tasks that change the same files ' +
    'depend on each other.',
  '- `tests_to_add` are the paths of new or extended tests, in the way that the repository names its tests.',
  '- Roles: designer for a document that decides how large work is built, developer for code, tester for tests across ' +
    'several tasks, fixer for small repairs. Use a designer and a tester only where the workflow lists them.',
].join('\n')

/** The spec and the facts about the code base, as quoted data. */
export function architectData(input: StoriesInput): readonly QuotedData[] {
  const { spec, setUp, project, files, roles } = input
  return [
    { source: 'the specification', text: specText(spec) },
    ...(setUp === null
      ? []
      : [
          {
            source: 'the set-up that the repository needs first (its ids begin with B- instead of R-)',
            text: specText(setUp),
          },
        ]),
    ...repositoryData(project, files, [`workflow: ${roles.join(', ')}`]),
    ...instructionsData(project),
  ]
}
