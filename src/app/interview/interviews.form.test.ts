/** Interviews in which nobody judges. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InterviewWorld, post } from '../../../test/helpers/interview-world.ts'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'
import { specText } from '../../core/spec/spec-markdown.ts'
import type { ToolCall } from '../../core/interview/turn.ts'

let world: InterviewWorld
beforeEach(async () => {
  world = await new InterviewWorld().open()
})
afterEach(() => world.dispose())

const repository = () => ({ repository: world.project })
const start = (more = {}) => world.interviews.start({ ...repository(), ...more })
const status = () => world.interviews.status(repository())
const chat = async (message: string, key?: string) => {
  const { session_id } = await status()
  return world.interviews.chat({ ...repository(), session_id: session_id ?? '', message, key })
}
const act = async (action: 'continue_interview' | 'submit_to_architect', sha?: string) => {
  const { spec_sha } = await status()
  return world.interviews.previewAction({ ...repository(), action, spec_sha: sha ?? spec_sha ?? '' })
}
/** Answers each turn with the next call, then waits for the user. */
const script = (...calls: readonly ToolCall[]): void => {
  const left = [...calls]
  world.think = () => left.shift() ?? { tool: 'await_user' }
}

describe('a model that fails', () => {
  const failing = (): void => {
    world.by = 'nobody'
    world.fallback = 'openai: the key is unknown (401)'
  }

  test('is named, and the user is asked whether to try again or to go on by the form', async () => {
    failing()
    await start({ text: 'a search page' })
    await world.pass()
    const { open_question: asked, state } = await status()
    expect(state).toBe('AWAIT_USER')
    expect(asked?.text).toContain('the key is unknown (401)')
    expect(asked?.questions[0]?.options.map(({ label }) => label)).toEqual(['try again', 'go on by the form'])
    world.fallback = null
    script(post('Which database?'))
    await chat('a')
    await world.pass()
    expect(await status()).toMatchObject({ open_question: { text: 'Which database?' } })
  })

  test('is not asked any more once the user goes on by the form', async () => {
    failing()
    await start({ text: 'a search page' })
    await world.pass()
    await chat('b')
    await world.pass()
    await chat('more')
    await world.pass()
    expect(world.turns).toHaveLength(1)
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
  })
})

test('several fields are answered in one message', async () => {
  script(post('?'))
  await start({ text: 'a search page' })
  await world.pass()
  const { session_id } = await status()
  const answers = { goal: 'search', done: 'it finds\nit sorts' }
  await world.interviews.chat({ ...repository(), session_id: session_id ?? '', message: '', answers })
  await world.pass()
  expect(world.turns.at(-1)?.conversation.at(-1)).toMatchObject({ from: 'user', text: '', answers })
})

test('a draft that nobody judged is continued in the form that says what it says', async () => {
  const markdown = specText(aSpec([aRequirement('R-001', { title: 'It finds', criteria: ['It finds'] })]))
  world.checkSpec = () => ({
    metadata: { title: 'Search', version: '1.0', priority: 'must', requirements_count: 1 },
    faults: [],
  })
  script({ tool: 'spec_submit', markdown, bootstrap_markdown: null })
  await start({ text: 'a search page' })
  await world.pass()
  const { open_question: asked } = await act('continue_interview')
  expect(asked?.questions.find(({ id }) => id === 'done')).toMatchObject({ default: 'It finds' })
  await act('continue_interview', 'cd'.repeat(32)).catch(() => undefined)
  world.by = 'openai/gpt'
  script({ tool: 'spec_submit', markdown, bootstrap_markdown: null })
  await chat('go on')
  await world.pass()
  expect(await act('continue_interview')).toMatchObject({ state: 'AWAIT_USER' })
  const { messages } = await world.interviews.conversation(repository())
  expect(messages.filter(({ questions }) => questions.length > 0)).toHaveLength(1)
})
