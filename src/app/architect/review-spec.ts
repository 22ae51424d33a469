/**
 * The architect: reviews a spec against the code base and turns an approved one into stories. Every loop ends by a count:
 * stories with a problem are sent back twice, a review objects in three rounds, and then the user has decided.
 */
import type { ArchitectRequest, ArchitectResult, Story } from '../../core/spec/architect-messages.ts'
import { readSetUp, readSpec } from '../../core/spec/read-spec.ts'
import type { Requirement, Spec } from '../../core/spec/spec.ts'
import {
  setUpRequirements,
  storiesByRules,
  type ArchitectFacts,
  type StoriesInput,
} from '../../core/spec/stories-by-rules.ts'
import { storyProblems } from '../../core/spec/story-problems.ts'
import { reviewSpecQuestion } from '../../core/thinking/questions/review-spec.ts'
import { writeStories } from '../../core/thinking/questions/write-stories.ts'
import type { Brain, ThinkCall } from '../../ports/brain.ts'

/** How often stories with a problem are sent back. */
export const MAX_RETURNS = 2
/** In how many rounds the review may ask for changes. What is submitted after the last is planned as it is. */
export const MAX_ROUNDS = 3

export interface ArchitectContext extends ArchitectFacts {
  /** How often this spec was sent back already. */
  readonly round: number
}

export interface ArchitectParts {
  readonly brain: Brain
  readonly context: ArchitectContext
}

export interface SpecDecision {
  readonly result: ArchitectResult
  /** Without problems; empty unless approved. */
  readonly stories: readonly Story[]
  /** The spec as it was read; null where it is invalid. */
  readonly spec: Spec | null
  /** Requirements of the set-up, under the ids that the stories use. */
  readonly setUp: readonly Requirement[]
  /** Who decided: a model, or `nobody`. */
  readonly by: string
}

/** Rejects with `ServiceUnavailable` on an outage, where the call allows that. */
export async function reviewSpec(
  { brain, context }: ArchitectParts,
  request: ArchitectRequest,
  call: ThinkCall,
): Promise<SpecDecision> {
  const { spec, problems } = readSpec(request.content)
  if (spec === null) {
    const lines = problems
      .filter(({ severity }) => severity === 'error')
      .map(({ line, message, remedy }) => `line ${line}: ${message}. ${remedy}`)
    return refused(lines.join('\n'), { spec, setUp: [], by: 'nobody' })
  }
  const { round, ...facts } = context
  const setUp = request.infrastructure_spec === null ? null : readSetUp(request.infrastructure_spec)
  const input: StoriesInput = { ...facts, spec, setUp }
  const known = { spec, setUp: input.setUp === null ? [] : setUpRequirements(input.setUp) }
  const { answer, by } = await brain.think(reviewSpecQuestion, input, call)
  const isOver = round >= MAX_ROUNDS
  if (answer.tool === 'spec_feedback' && !isOver) {
    return refused(lastRound(round) + (answer.feedback ?? ''), { ...known, by })
  }
  const first = answer.tool === 'submit_stories' ? answer.stories : null
  const written = await soundStories(brain, { input, first, requirements: idsOf(known) }, call)
  if (written.problems.length > 0 && !isOver)
    return refused(unusable(written.problems), { ...known, by: written.by })
  // After the last round each requirement is a task: such stories never have a problem.
  const stories = written.problems.length > 0 ? storiesByRules(input) : written.stories
  const result = { status: 'approved', feedback: answer.feedback ?? '', type: request.approval_type } as const
  return { result, stories, ...known, by: written.problems.length > 0 ? 'nobody' : (written.by ?? by) }
}

const idsOf = ({
  spec,
  setUp,
}: {
  readonly spec: Spec
  readonly setUp: readonly Requirement[]
}): readonly string[] => [...setUp, ...spec.requirements].map(({ id }) => id)

interface Written {
  readonly stories: readonly Story[]
  readonly problems: readonly string[]
  readonly by: string | null
}

/** Asks again with the problems, at most twice. */
async function soundStories(
  brain: Brain,
  {
    input,
    first,
    requirements,
  }: {
    readonly input: StoriesInput
    readonly first: readonly Story[] | null
    readonly requirements: readonly string[]
  },
  call: ThinkCall,
): Promise<Written> {
  let written: Written =
    first === null
      ? await write(brain, { input, requirements, objections: [] }, call)
      : { stories: first, problems: storyProblems(first, requirements), by: null }
  for (let returned = 0; returned < MAX_RETURNS && written.problems.length > 0; returned++) {
    written = await write(brain, { input, requirements, objections: written.problems }, call)
  }
  return written
}

async function write(
  brain: Brain,
  asked: {
    readonly input: StoriesInput
    readonly requirements: readonly string[]
    readonly objections: readonly string[]
  },
  call: ThinkCall,
): Promise<Written> {
  const { answer, by } = await brain.think(
    writeStories,
    { ...asked.input, objections: asked.objections },
    call,
  )
  return { stories: answer.stories, problems: storyProblems(answer.stories, asked.requirements), by }
}

const lastRound = (round: number): string =>
  round + 1 < MAX_ROUNDS
    ? ''
    : `This was review ${round + 1} of ${MAX_ROUNDS}. Ask the user to decide each of these points; what is submitted next is planned as it is.\n`

const unusable = (problems: readonly string[]): string =>
  [
    `The stories for this spec had problems that ${MAX_RETURNS} corrections did not resolve:`,
    ...problems.map((problem) => `- ${problem}`),
    'Ask the user whether requirements should be split, merged or depend on each other in another way, then submit again.',
  ].join('\n')

function refused(
  feedback: string,
  known: { readonly spec: Spec | null; readonly setUp: readonly Requirement[]; readonly by: string | null },
): SpecDecision {
  return {
    result: { status: 'needs_changes', feedback, type: 'spec' },
    stories: [],
    spec: known.spec,
    setUp: known.setUp,
    by: known.by ?? 'nobody',
  }
}
