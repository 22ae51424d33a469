/** Whether a request is a new project, a feature or a bug. */
import { z } from 'zod'
import { classifyByRules, type ClassifyFacts, type Classified } from '../../intake/classify.ts'
import { INTAKE_TYPES } from '../../intake/intake.ts'
import type { RequestText } from '../../intake/request-text.ts'
import type { Question } from '../question.ts'

export interface ClassifyInput extends ClassifyFacts {
  /** As the user wrote it. */
  readonly text: string
  readonly request: RequestText
}

const answer = z.lazy(() =>
  z.object({
    type: z
      .enum(INTAKE_TYPES)
      .describe(
        'new_project: a project brief, or a program that does not exist yet; bug_fix: something is broken, or a typo; feature_request: everything else, and everything ambiguous',
      ),
    isUnsure: z
      .boolean()
      .describe('true where the request can be read as more than one type, or is no request'),
    reasons: z.array(z.string().min(1).max(300)).min(1).max(4).describe('one short line each'),
  }),
)

export const classify: Question<ClassifyInput, Classified> = {
  name: 'classify',
  size: 'small',
  answer,
  prompt: ({ text, repository, fileName }) => ({
    task: [
      'Classify a request for work on a software project: is it a new project, a feature request or a bug fix?',
      'Refactoring, upgrades, documentation and tests are feature requests; a regression in speed and a security hole are',
      'bugs. An ambiguous request is a feature request that you are unsure about.',
      repository === null
        ? ''
        : repository.sources === 0
          ? 'There are no source files yet, so it is a new project.'
          : `The repository has ${repository.sources} source files.`,
    ].join(' '),
    data: [{ source: fileName === null ? "the user's request" : `the file ${fileName}`, text }],
  }),
  unjudged: ({ request, repository, fileName }) => classifyByRules(request, { repository, fileName }),
  problem: ({ type, isUnsure }) =>
    isUnsure && type !== 'feature_request' ? 'an unsure answer must be feature_request' : null,
}
