import { describe, expect, it } from 'vitest'
import { aRequirement, aSpec, facts } from '../../../test/helpers/specs.ts'
import { noBrain } from '../../../test/helpers/no-brain.ts'
import { architectRequest, type Story } from '../../core/spec/architect-messages.ts'
import { planRecord } from '../../core/spec/plan-of-stories.ts'
import { storiesByRules } from '../../core/spec/stories-by-rules.ts'
import { specText } from '../../core/spec/spec-markdown.ts'
import type { SpecReview } from '../../core/thinking/questions/review-spec.ts'
import type { Question } from '../../core/thinking/question.ts'
import { ServiceUnavailable, type Brain, type ThinkCall, type Thought } from '../../ports/brain.ts'
import { MAX_RETURNS, MAX_ROUNDS, reviewSpec, type ArchitectContext } from './review-spec.ts'

const SPEC = aSpec([aRequirement('R-001'), aRequirement('R-002', { dependsOn: ['R-001'] })])
const REQUEST = architectRequest(specText(SPEC), null)
const call: ThinkCall = { about: { interview: 'i' }, signal: new AbortController().signal, outage: 'throw' }
const context = (given: Partial<ArchitectContext> = {}): ArchitectContext => ({
  ...facts(),
  round: 0,
  ...given,
})

const GOOD = storiesByRules({ ...facts(), spec: SPEC, setUp: null })
const CYCLE: readonly Story[] = GOOD.map((story) => ({
  ...story,
  depends_on: GOOD.map(({ id }) => id).filter((id) => id !== story.id),
}))

/** Answers like a model: what it is given, in turn; the last answer again and again. */
class ModelBrain implements Brain {
  readonly asked: { readonly name: string; readonly input: unknown }[] = []
  readonly #answers: unknown[]

  constructor(...answers: readonly unknown[]) {
    this.#answers = [...answers]
  }

  think<Input, Answer>(question: Question<Input, Answer>, input: Input): Promise<Thought<Answer>> {
    this.asked.push({ name: question.name, input })
    const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]
    if (next instanceof Error) return Promise.reject(next)
    const answer = question.answer.parse(next)
    expect(question.problem?.(answer, input) ?? null).toBeNull()
    return Promise.resolve({ answer, by: 'test/model', usage: null, fallback: null, cached: false })
  }
}

const submit = (stories: readonly Story[]): SpecReview => ({
  tool: 'submit_stories',
  feedback: null,
  stories,
})
const object = (feedback: string): SpecReview => ({ tool: 'spec_feedback', feedback, stories: null })

describe('the architect', () => {
  it('approves a careful spec by rules, with stories that become a plan', async () => {
    const { result, stories, spec, by } = await reviewSpec(
      { brain: noBrain(), context: context() },
      REQUEST,
      call,
    )
    expect(result).toEqual({ status: 'approved', feedback: '', type: 'spec' })
    expect(by).toBe('nobody')
    expect(stories.map(({ id }) => id)).toEqual(['S-001', 'S-002'])
    expect(planRecord(spec ?? SPEC, stories)['tasks']).toContainEqual(
      expect.objectContaining({ requirements: ['R-002'] }),
    )
  })

  it('sends a spec back by rules, with every point', async () => {
    const unclear = aSpec([aRequirement('R-001', { criteria: ['the limit is TBD'] })])
    const { result, stories } = await reviewSpec(
      { brain: noBrain(), context: context() },
      architectRequest(specText(unclear), null),
      call,
    )
    expect(result).toMatchObject({ status: 'needs_changes', type: 'spec' })
    expect(result.feedback).toContain('R-001: "the limit is TBD" is undecided')
    expect(stories).toEqual([])
  })

  it('sends an invalid spec back with each error and its line, without asking anybody', async () => {
    const brain = new ModelBrain(submit(GOOD))
    const { result } = await reviewSpec(
      { brain, context: context() },
      architectRequest('# Feature: x', null),
      call,
    )
    expect(result.status).toBe('needs_changes')
    expect(result.feedback).toContain('line 1: no front matter')
    expect(brain.asked).toEqual([])
  })

  it('takes sound stories of a model', async () => {
    const brain = new ModelBrain(submit(GOOD))
    const { result, stories, by } = await reviewSpec({ brain, context: context() }, REQUEST, call)
    expect([result.status, by, stories.length]).toEqual(['approved', 'test/model', 2])
    expect(brain.asked.map(({ name }) => name)).toEqual(['review_spec'])
  })

  it('sends stories with a cycle back with the problem, and takes the corrected ones', async () => {
    const brain = new ModelBrain(submit(CYCLE), { stories: GOOD })
    const { result } = await reviewSpec({ brain, context: context() }, REQUEST, call)
    expect(result.status).toBe('approved')
    expect(brain.asked[1]).toMatchObject({
      name: 'write_stories',
      input: { objections: [expect.stringContaining('cycle S-001.1 → S-002.1 → S-001.1')] },
    })
  })

  it('escalates stories that are still wrong after two corrections: the user is asked', async () => {
    const brain = new ModelBrain(submit(CYCLE), { stories: CYCLE })
    const { result, stories } = await reviewSpec({ brain, context: context() }, REQUEST, call)
    expect(brain.asked).toHaveLength(1 + MAX_RETURNS)
    expect(result.status).toBe('needs_changes')
    expect(result.feedback).toContain('cycle S-001.1 → S-002.1 → S-001.1')
    expect(result.feedback).toContain('Ask the user')
    expect(stories).toEqual([])
  })

  it('escalates an unknown dependency in the same way', async () => {
    const [first, ...rest] = GOOD
    const unknown = [{ ...first, depends_on: ['S-404'] }, ...rest]
    const brain = new ModelBrain(submit(unknown as readonly Story[]), { stories: unknown })
    const { result } = await reviewSpec({ brain, context: context() }, REQUEST, call)
    expect(result.feedback).toContain('story S-001 depends on "S-404", which is not a story')
  })

  it('says in the last round that the user decides', async () => {
    const brain = new ModelBrain(object('R-001 is too vague'))
    const early = await reviewSpec({ brain, context: context({ round: 0 }) }, REQUEST, call)
    expect(early.result.feedback).toBe('R-001 is too vague')
    const last = await reviewSpec({ brain, context: context({ round: MAX_ROUNDS - 1 }) }, REQUEST, call)
    expect(last.result.feedback).toMatch(
      /^This was review 3 of 3\. Ask the user to decide.*\nR-001 is too vague$/s,
    )
  })

  it('never objects after the last round: what the user submits then is planned', async () => {
    const brain = new ModelBrain(object('R-001 is still too vague'), { stories: GOOD })
    const { result, stories } = await reviewSpec(
      { brain, context: context({ round: MAX_ROUNDS }) },
      REQUEST,
      call,
    )
    expect(result).toEqual({ status: 'approved', feedback: 'R-001 is still too vague', type: 'spec' })
    expect(stories).toHaveLength(2)
  })

  it('takes the stories of the rules after the last round if the model has none that hold', async () => {
    const brain = new ModelBrain(submit(CYCLE), { stories: CYCLE })
    const { result, stories, by } = await reviewSpec(
      { brain, context: context({ round: MAX_ROUNDS }) },
      REQUEST,
      call,
    )
    expect([result.status, by]).toEqual(['approved', 'nobody'])
    expect(stories).toEqual(GOOD)
  })

  it('plans the set-up of an empty repository first, also where that is no spec', async () => {
    const setUp = '# Set up\n\n- [ ] `npm test` runs\n- [ ] there is a .gitignore\n'
    const { stories, setUp: requirements } = await reviewSpec(
      { brain: noBrain(), context: context() },
      architectRequest(specText(SPEC), setUp),
      call,
    )
    expect(stories.map(({ id }) => id)).toEqual(['SB-001', 'S-001', 'S-002'])
    expect(requirements.map(({ id, criteria }) => [id, criteria.length])).toEqual([['B-001', 2]])
  })

  it('passes an outage on', async () => {
    const brain = new ModelBrain(new ServiceUnavailable('anthropic', { why: '529' }))
    await expect(reviewSpec({ brain, context: context() }, REQUEST, call)).rejects.toThrow(ServiceUnavailable)
  })
})
