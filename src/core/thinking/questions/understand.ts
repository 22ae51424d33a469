/** What a request asks for: asked once, before anything is spent. */
import { z } from 'zod'
import { closest } from '../../../lib/text/closest.ts'
import { SCOPES } from '../../choice/choose-agent.ts'
import { TEST_REPRODUCES, type Decided } from '../../intake/work.ts'
import {
  INTAKE_TYPES,
  MOST_QUESTIONS,
  type AnsweredQuestion,
  type SeenWork,
  type Understanding,
} from '../../intake/intake.ts'
import type { ProjectContext } from '../../intake/project-context.ts'
import { SECURITY_FLAGS } from '../../planning/plan.ts'
import { MOST_STORIES, storySchema, type Story } from '../../spec/architect-messages.ts'
import { storyProblems, pathObjection } from '../../spec/story-problems.ts'
import { otherScript } from '../answer-language.ts'
import type { Question, QuotedData } from '../question.ts'
import { instructionsData, repositoryData, workLines } from '../quoted-facts.ts'
import { STORY_RULES } from './architect-prompt.ts'

export interface UnderstandInput {
  /** As the user wrote it. */
  readonly text: string
  /** Its first line. */
  readonly title: string
  readonly fileName: string | null
  readonly project: ProjectContext
  /** The files of the newest commit; null outside of any repository. */
  readonly files: readonly string[] | null
  /** Files with their text, for a model that cannot open any itself; null for an agent, which reads the repository. */
  readonly shown: readonly QuotedData[] | null
  /** How many of them are sources; null where that is not known. */
  readonly sources: number | null
  readonly decided: Pick<Decided, 'type' | 'scope'>
  /** What was asked before, with the user's answers. */
  readonly answers: readonly AnsweredQuestion[]
  /** What was understood when it was asked, as the user saw it; null in the first round. */
  readonly seen: SeenWork | null
  /** False after the last round: what is still open is decided sensibly then. */
  readonly mayAsk: boolean
}

export interface UnderstoodRequest extends Understanding {
  /** The tasks of work that is more than one; empty for anything smaller. */
  readonly stories: readonly Story[]
}

const MOST_CRITERIA = 12
const MOST_PATHS = 40

const line = (most: number) => z.string().min(1).max(most)
const lines = (most: number) => z.array(line(600)).max(most)
const paths = () => z.array(line(300)).max(MOST_PATHS)

const answer: z.ZodType<UnderstoodRequest> = z.lazy(() =>
  z.strictObject({
    type: z.enum(INTAKE_TYPES),
    scope: z
      .enum(SCOPES)
      .describe(
        'trivial: one line; small: one file and its test; medium: several files; large: architecture',
      ),
    title: line(100).describe('imperative, at most ten words; for a bug the repair, not the complaint'),
    answer: line(8000).nullable().describe('of type question: the answer; else null'),
    expected: line(600)
      .nullable()
      .describe(
        'of a bug: what happens instead once it is fixed, in one sentence that can be checked; else null',
      ),
    criteria: lines(MOST_CRITERIA).describe('each can be checked by a test, a command or a look'),
    files: z.strictObject({
      create: paths().describe('new files'),
      modify: paths().describe('files of the repository, exactly as they are listed'),
    }),
    tests_to_add: paths().describe('test files to add or extend, named as the repository names its tests'),
    constraints: lines(MOST_CRITERIA).describe(
      'what the request or the project demands of the way it is done',
    ),
    out_of_scope: lines(MOST_CRITERIA).describe(
      'what the request excludes, or what is close to it and not asked for',
    ),
    touches: z
      .array(z.enum(SECURITY_FLAGS))
      .max(SECURITY_FLAGS.length)
      .describe(
        'what a mistake in the work would put at risk: auth: who may do what, and protection against attacks; schema: stored data and its form; billing: money; secrets: keys and passwords; usually empty',
      ),
    questions: z
      .array(
        z.strictObject({
          text: line(400),
          options: z.array(line(200)).min(2).max(4),
          default: line(200)
            .nullable()
            .describe('one of the options, word for word; null where guessing is wrong'),
        }),
      )
      .max(MOST_QUESTIONS),
    stories: z.array(storySchema).max(MOST_STORIES),
    reasons: z.array(line(300)).min(1).max(4).describe('why this type and this scope, one short line each'),
  }),
)

export const understand: Question<UnderstandInput, UnderstoodRequest> = {
  name: 'understand',
  size: 'large',
  answer,
  prompt: (input) => ({
    task: [UNDERSTAND_TASK, ...asked(input), STORY_RULES].join('\n\n'),
    data: dataOf(input),
  }),
  // Nothing is known: whoever asked says that nobody judged it, and asks the user.
  unjudged: ({ title, decided }) => ({
    type: decided.type ?? 'feature_request',
    scope: decided.scope ?? 'medium',
    title: title === '' ? 'Carry out the request' : title,
    answer: null,
    expected: null,
    criteria: [],
    files: { create: [], modify: [] },
    tests_to_add: [],
    constraints: [],
    out_of_scope: [],
    touches: [],
    questions: [],
    stories: [],
    reasons: ['not judged'],
  }),
  problem(given, input) {
    const problems = [
      ...decidedProblems(given, input),
      ...(given.type === 'question' ? answerProblems(given) : workProblems(given, input)),
      ...questionProblems(given, input),
      ...languageProblems(given, input),
    ]
    return problems.length === 0 ? null : problems.slice(0, 8).join('; ')
  },
}

/** What holds for this request: our own words, from facts and from choices of closed lists. */
function asked({ shown, sources, decided, answers, seen, mayAsk }: UnderstandInput): readonly string[] {
  const { type, scope } = decided
  const facts = [
    shown === null
      ? ''
      : 'You cannot open files: what is quoted below is all that you see of them. Say nothing of code that you have not seen; where the answer depends on it, say what would have to be looked at.',
    sources === 0 ? 'The repository has no source files yet: work in it is a new_project.' : '',
    type === undefined ? '' : `The user decided that it is a ${type}.`,
    scope === undefined ? '' : `The user decided that its scope is ${scope}.`,
    answers.length === 0 ? '' : 'You asked before; the answers are quoted. They outrank the request.',
    seen === null
      ? ''
      : 'What you understood then is quoted, as the user saw it. Keep its title, criteria, constraints and files word for word, except where an answer or a decision of the user changes them.',
    mayAsk
      ? ''
      : 'Ask nothing more: decide what is open sensibly, and write each such decision into `constraints`. Where the user named no wish at all, nothing is to be done: it is a question.',
  ].filter((text) => text !== '')
  return facts.length === 0 ? [] : [facts.join('\n')]
}

function dataOf({
  text,
  fileName,
  project,
  files,
  shown,
  answers,
  seen,
}: UnderstandInput): readonly QuotedData[] {
  const languages = project.languages.map((one) => `${one.name} (${one.files} files)`).join(', ')
  const own = answers.map(
    ({ question, answer: said }) => `You asked: ${question}\nThe user answered: ${said}`,
  )
  return [
    { source: fileName === null ? "the user's request" : `the file ${fileName}, the user's request`, text },
    ...(own.length === 0 ? [] : [{ source: 'the user, after the request', text: own.join('\n') }]),
    ...(seen === null
      ? []
      : [{ source: 'what you understood before, as the user saw it', text: seenText(seen) }]),
    ...repositoryData(project, files, [`languages: ${languages || 'none'}`]),
    ...(shown ?? []),
    ...instructionsData(project),
  ]
}

/** The test that reproduces a bug follows from a test to add, and is written anew. */
const seenText = ({ title, ...work }: SeenWork): string =>
  [
    `title: ${title}`,
    ...workLines({ ...work, criteria: work.criteria.filter((text) => text !== TEST_REPRODUCES) }),
  ].join('\n')

function decidedProblems(
  { type, scope }: UnderstoodRequest,
  { decided }: UnderstandInput,
): readonly string[] {
  return [
    ...(decided.type !== undefined && type !== decided.type
      ? [`type is ${type}, but the user decided ${decided.type}`]
      : []),
    ...(decided.scope !== undefined && scope !== decided.scope
      ? [`scope is ${scope}, but the user decided ${decided.scope}`]
      : []),
  ]
}

const answerProblems = ({ answer: said, questions }: UnderstoodRequest): readonly string[] => [
  ...(said === null ? ['a question needs an answer'] : []),
  ...(questions.length > 0 ? ['a question is answered, not asked back'] : []),
]

function workProblems(given: UnderstoodRequest, input: UnderstandInput): readonly string[] {
  const { type, title, answer: said, expected, criteria, questions, stories } = given
  // What is asked first may change everything else.
  const isOpen = questions.length > 0
  return [
    ...(said === null ? [] : ['only a question has an answer']),
    ...(type === 'bug_fix' && expected === null && !isOpen
      ? ['a bug needs `expected`: what happens instead once it is fixed']
      : []),
    ...(expected === null && criteria.length === 0 && !isOpen ? ['there is no criterion'] : []),
    ...[...criteria, expected ?? '']
      .filter((one) => one !== '' && sameWords(one, title))
      .map((one) => `the criterion ${JSON.stringify(one)} only repeats the title`),
    ...pathProblems(given, input.files),
    ...(stories.length === 0 ? [] : storyProblems(stories, ['R-001'])),
  ]
}

const sameWords = (one: string, other: string): boolean => wordsOf(one) === wordsOf(other)
const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

function pathProblems(
  { files: { create, modify }, tests_to_add: tests }: UnderstoodRequest,
  files: readonly string[] | null,
): readonly string[] {
  const known = new Set(files ?? [])
  const missing = modify.filter((path) => !known.has(path))
  return [
    ...[...create, ...tests].flatMap((path) => {
      const why = pathObjection(path)
      return why === null ? [] : [`${JSON.stringify(path)} ${why}`]
    }),
    ...missing.map((path) => {
      const near = closest(path, [...known])
      const hint = near === null ? '' : ` (did you mean ${near}?)`
      return `there is no ${JSON.stringify(path)} in the repository${hint}; a new file belongs into create`
    }),
    ...create
      .filter((path) => known.has(path))
      .map((path) => `${JSON.stringify(path)} exists already; it belongs into modify`),
  ]
}

function questionProblems({ questions }: UnderstoodRequest, { mayAsk }: UnderstandInput): readonly string[] {
  if (questions.length > 0 && !mayAsk) return ['the user was asked often enough; decide what is open']
  return questions.flatMap(({ text, options, default: usual }) => [
    ...(usual === null || options.includes(usual)
      ? []
      : [`the default of ${JSON.stringify(text)} is none of its options`]),
    ...(new Set(options).size === options.length
      ? []
      : [`the options of ${JSON.stringify(text)} are not different`]),
  ])
}

function languageProblems(given: UnderstoodRequest, { text }: UnderstandInput): readonly string[] {
  const prose = [given.title, given.answer ?? '', given.expected ?? '', ...given.criteria]
  const own = otherScript([...prose, ...given.questions.map((one) => one.text)].join(' '), text)
  return own === null
    ? []
    : [`title, criteria, questions and answer are to be in the language of the request (${own} letters)`]
}

/** What a model is told that reads a request; of no request in particular. */
const UNDERSTAND_TASK = [
  'A user asks for something in a software project. Say what it is, so that a developer who has not seen the request can do',
  'the work and a reviewer can tell whether it is done. If you can read the repository, look at the code that the request is',
  'about before you answer: the files it touches, how they are tested, whether what it claims is so. Change nothing.',
  '',
  'Type:',
  '- bug_fix: something does not do what it should: a fault, a typo, a security hole, a regression in speed.',
  '- feature_request: something to add or to change. Refactoring, upgrades, tests and documentation belong here.',
  '- new_project: a program that does not exist yet, or a project brief.',
  '- question: it asks to know something and asks for no change. Answer it in `answer`, from the code where you can, and',
  '  leave every other list empty but `reasons`. So is a request that leaves nothing to change in the code: what it reports is',
  '  not so, what it wants is there, the user took it back or named nothing when asked, or only a person can do it, such as a',
  '  release or a change of live data. Then `answer` says that.',
  '',
  'Judge the request by what it means, not by its words: a bug may be reported politely, as a wish or as a story. What others',
  'wrote into a pasted thread (comments, votes, templates, signatures) is background; decisions of maintainers in it hold.',
  '',
  'Title: what is done, in the imperative. For a bug it names the repair ("Compare discount codes without regard to case"),',
  'never the complaint ("Discount codes are case sensitive").',
  '',
  'Criteria: what is true when the work is done, and only what the request asks for. Each can be checked: it names what is',
  'done, in which situation, and what is seen then, with the numbers, texts and limits that the request gives. None repeats',
  'the title, describes how it is built, or asks for good quality in general. Two to six are usual, one is enough for one line.',
  'Exclusions of the request go to `out_of_scope`, demands on the way it is built to `constraints`.',
  'For a bug, `expected` says what happens instead; add further criteria only for cases that it does not cover. Name a test in',
  '`tests_to_add` wherever a test can fail before the repair and pass after it, and leave the list empty where none can, as for',
  'a typo in a text.',
  '',
  'Files: those that the work will probably create or change. Name existing ones exactly as they are listed. Leave the lists',
  'empty rather than guess.',
  '',
  'Questions: at most three, and only about what you can find out neither in the request nor in the code and what changes the',
  'work. Ask about this request and this code, in words its author uses, with two to four answers that differ in what is built.',
  'Give the default that you would take yourself; null where a wrong guess would waste the work. A request that does not say',
  'what is wrong or what is wanted ("it does not work", "make it better") needs questions without a default: do not invent its',
  'meaning. A clear request needs none, and a greeting around it changes nothing.',
  '',
  'Stories: only for work that is more than one task; else an empty list. The whole request is requirement R-001.',
  '',
  'Write title, criteria, questions and answer in the language of the request, plainly.',
].join('\n')
