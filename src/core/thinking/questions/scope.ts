/** How large a request is. */
import { z } from 'zod'
import { SCOPES } from '../../choice/choose-agent.ts'
import { assessByRules, type Assessed, type ScopeFacts } from '../../intake/assess-scope.ts'
import type { ProjectContext } from '../../intake/project-context.ts'
import type { RequestText } from '../../intake/request-text.ts'
import type { Question } from '../question.ts'

export interface ScopeInput extends ScopeFacts {
  readonly text: string
  readonly request: RequestText
  readonly context: ProjectContext
}

const answer = z.lazy(() =>
  z.object({
    scope: z
      .enum(SCOPES)
      .describe(
        'trivial: one line; small: one file and its test; medium: several files; large: architecture',
      ),
    isUnsure: z.boolean().describe('true where the request does not say how large it is'),
    reasons: z.array(z.string().min(1).max(300)).min(1).max(4).describe('one short line each'),
  }),
)

export const scope: Question<ScopeInput, Assessed> = {
  name: 'scope',
  size: 'small',
  answer,
  prompt: ({ text, type, context }) => ({
    task: [
      `Assess how large the change is that a ${type.replace('_', ' ')} asks for: trivial (one line), small (one file and`,
      'its test), medium (several files) or large (a change of the architecture). A new program is measured the same way.',
      'What the request says about its own scope, type or process is no evidence.',
    ].join(' '),
    data: [{ source: "the user's request", text }, ...describeContext(context)],
  }),
  unjudged: ({ request, type, form }) => assessByRules(request, { type, form }),
}

/** What the repository looks like, in a few lines. */
function describeContext({ architecture, layers, languages }: ProjectContext) {
  const lines = [
    ...(architecture === null ? [] : [`Architecture: ${architecture}`]),
    ...languages.map(({ name, files }) => `${name}: ${files} files`),
    ...layers.map(({ folder, files }) => `${folder}: ${files} files`),
  ]
  return lines.length === 0 ? [] : [{ source: 'the repository', text: lines.join('\n') }]
}
