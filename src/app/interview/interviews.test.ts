import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { InterviewWorld, needsChanges, post, SPEC, submit } from '../../../test/helpers/interview-world.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import type { ToolCall } from '../../core/interview/turn.ts'
import { ServiceUnavailable } from '../../ports/brain.ts'

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

describe('a whole interview', () => {
  test('goes from a message by questions, a spec and the architect to a registered plan', async () => {
    expect(await start()).toMatchObject({ state: 'AWAIT_USER', session_id: '1.1' })
    script(post('Which database?'))
    expect(await chat('a search page')).toMatchObject({ state: 'WORKING' })
    expect(world.interviews.list()).toMatchObject([{ title: 'Interview', waits: false }])
    await world.pass()
    expect(await status()).toMatchObject({ state: 'AWAIT_USER', open_question: { text: 'Which database?' } })
    script(submit)
    await chat('sqlite')
    await world.pass()
    const preview = await world.interviews.previewSpec(repository())
    expect(preview).toMatchObject({
      state: 'PREVIEW',
      user_spec_md: SPEC,
      spec_metadata: { title: 'Search' },
    })
    const open = { session_id: '1.1', repo: world.project, title: 'Search', state: 'PREVIEW', waits: true }
    expect(world.interviews.list()).toEqual([open])
    expect(await act('submit_to_architect')).toMatchObject({ state: 'AWAIT_ARCHITECT' })
    await world.pass()
    expect(world.interviews.list()).toEqual([])
    expect(await status()).toMatchObject({
      state: 'WAITING',
      session_id: null,
      spec_sha: null,
      plan: 'search',
    })
    expect(world.registered).toEqual(['plan: search\n'])
    expect(await start()).toMatchObject({ state: 'AWAIT_USER', session_id: '1.2' })
    await world.machine()
  })

  test('counts what the architect spends', async () => {
    await start()
    script(submit)
    await chat('a search page')
    await world.pass()
    world.review = () => ({ ...needsChanges('measure it'), spentUsd: 0.25 })
    await act('submit_to_architect')
    await world.pass()
    expect(await status()).toMatchObject({ state: 'AWAIT_USER', spent_usd: 0.25 })
    await world.machine()
  })

  test('begins by itself where the project needs bootstrap', async () => {
    world.bootstrap = { needed: true, missing: ['git'], language: null }
    script(post('What is it for?'))
    expect(await start()).toMatchObject({ state: 'WORKING' })
    await world.pass()
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
    expect(world.turns[0]).toMatchObject({ bootstrap: { needed: true, missing: ['git'] } })
  })

  test('an uploaded spec goes straight to the preview, and an invalid one is refused with every error', async () => {
    const invalid = world.interviews.upload({ ...repository(), markdown: 'nothing' })
    await expect(invalid).rejects.toMatchObject({ code: 'failed', faults: [{ line: 1 }, { line: 2 }] })
    const uploaded = await world.interviews.upload({ ...repository(), markdown: SPEC })
    expect(uploaded).toMatchObject({ state: 'PREVIEW', expertise: 'expert' })
    expect(await world.interviews.upload({ ...repository(), markdown: SPEC })).toEqual(uploaded)
    const other = world.interviews.upload({ ...repository(), markdown: `${SPEC}more` })
    await expect(other).rejects.toMatchObject({ code: 'conflict' })
  })

  test('the architect’s feedback goes to the next turn in the words that introduce it, and to the user as it is', async () => {
    world.review = () => needsChanges('R-001 cannot be measured')
    await world.interviews.upload({ ...repository(), markdown: SPEC })
    script(post('How fast must it be?'))
    await act('submit_to_architect')
    await world.pass()
    const message =
      'The architect provided the following feedback on your spec. Address these issues and resubmit or ask the user for ' +
      'any needed clarifications. The user has not seen the raw feedback. R-001 cannot be measured'
    expect(world.turns[0]).toMatchObject({ feedback: message, draft: SPEC })
    expect(world.turns[0]?.conversation.at(-1)).toMatchObject({ from: 'system', text: message })
    const { messages, next } = await world.interviews.conversation(repository())
    expect(messages.map(({ from, text }) => [from, text])).toEqual([
      ['architect', 'R-001 cannot be measured'],
      ['pm', 'How fast must it be?'],
    ])
    expect(next).toBe(2)
  })

  test('a result of another type than the request is an error', async () => {
    world.review = () => ({ ...needsChanges(''), result: { status: 'approved', feedback: '', type: 'code' } })
    await world.interviews.upload({ ...repository(), markdown: SPEC })
    await act('submit_to_architect')
    await world.pass()
    expect(await status()).toMatchObject({
      state: 'WAITING',
      recoverable: { state: 'AWAIT_ARCHITECT', why: 'a result of type code for a request of type spec' },
    })
  })
})

describe('tool calls', () => {
  test('after ten calls for one message the interview waits for the user', async () => {
    let calls = 0
    world.think = () => {
      calls++
      return { tool: 'list_files', path: '.', recursive: false }
    }
    await start({ text: 'a search page' })
    await world.until('AWAIT_USER')
    expect(calls).toBe(10)
    expect(world.turns.map(({ callsLeft }) => callsLeft)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(await status()).toMatchObject({
      state: 'AWAIT_USER',
      open_question: { text: expect.stringContaining('used up my 10 steps') },
    })
    await chat('go on')
    await world.until('AWAIT_USER')
    expect(calls).toBe(20)
  })

  test('a refused call is answered to the model and leaves the interview at work', async () => {
    script(
      { tool: 'read_file', path: '../../etc/passwd' },
      { tool: 'spec_submit', markdown: 'bad', bootstrap_markdown: null },
    )
    await start({ text: 'a search page' })
    await world.pass()
    expect(await status()).toMatchObject({ state: 'AWAIT_USER', spec_sha: null })
    expect(world.turns[1]?.calls).toMatchObject([
      { ok: false, result: 'there is no file ../../etc/passwd in the newest commit of the project' },
    ])
    expect(world.turns[2]?.calls[1]?.result).toContain('line 2: no requirements')
  })

  test('a tool that throws is an error, and start continues what it ended', async () => {
    await start({ text: 'a search page' })
    await world.pass()
    script(submit)
    world.checkSpec = () => {
      throw new Error('the disk failed')
    }
    await chat('and a filter')
    await world.pass()
    expect(await world.machine()).toMatchObject({
      state: 'WAITING',
      recoverable: [{ why: 'the disk failed', state: 'WORKING', cause: 'error' }],
    })
    script()
    expect(await start()).toMatchObject({ session_id: '1.1', messages: 2, recoverable: null })
    await world.pass()
    expect(world.turns.at(-1)?.conversation.map(({ text }) => text)).toEqual([
      'a search page',
      'and a filter',
    ])
  })

  test('what earlier turns cost goes along with every question, also after a restart', async () => {
    world.usage = { tokensIn: 1, tokensOut: 1, tokensCached: 0, usd: 0.25, requests: 1 }
    script(post('Which database?'))
    await start({ text: 'a search page' })
    await world.pass()
    await world.stop()
    await world.open()
    await world.pass()
    await chat('sqlite')
    await world.pass()
    expect(world.spent).toEqual([0, 0.25, 0.5])
  })

  test('a turn that is given up while the project is looked at leaves that to the next', async () => {
    const looks: AbortSignal[] = []
    world.context = (signal) => {
      looks.push(signal)
      if (looks.length > 1) return Promise.resolve(NO_CONTEXT)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    }
    await start({ text: 'a search page' })
    await world.pass()
    await world.stop()
    await world.open()
    await world.until('AWAIT_USER')
    expect(looks.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(await status()).toMatchObject({ session_id: '1.1', messages: 1, recoverable: null })
  })

  test('an outage while the project is looked at suspends, and the look is repeated when it is over', async () => {
    let looks = 0
    world.context = async () => {
      if (++looks === 1) throw new ServiceUnavailable('openai', { why: 'timed out' })
      return NO_CONTEXT
    }
    await start({ text: 'a search page' })
    await world.until('SUSPEND')
    await world.pass(31_000)
    await world.until('AWAIT_USER')
    expect([looks, world.turns.length]).toEqual([2, 1])
  })

  test('a message that arrives while the model thinks is read by the next turn', async () => {
    const first = Promise.withResolvers<ToolCall>()
    world.think = () => (world.turns.length === 1 ? first.promise : { tool: 'await_user' })
    await start({ text: 'a search page' })
    await world.pass()
    await chat('and a filter')
    first.resolve({ tool: 'await_user' })
    await world.pass()
    expect(world.turns).toHaveLength(2)
    expect(world.turns[1]?.conversation.map(({ text }) => text)).toEqual(['a search page', 'and a filter'])
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
  })
})

describe('calls from outside', () => {
  test('a start with the same text or without one is the open interview, and another text is refused', async () => {
    const first = await start({ text: 'a search page' })
    await world.pass()
    await expect(start({ text: 'something else' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await start({ text: 'a search page' })).toMatchObject({ session_id: first.session_id })
    expect(await start()).toMatchObject({ session_id: '1.1', messages: 1 })
  })

  test('a call with the same key counts once', async () => {
    await start({ key: 'a' })
    await chat('one', 'k')
    await world.pass()
    await chat('one', 'k')
    expect(await start({ key: 'a' })).toMatchObject({ session_id: '1.1' })
    await expect(start({ key: 'b', text: 'other' })).rejects.toMatchObject({ code: 'conflict' })
    const { messages } = await world.interviews.conversation(repository())
    expect(messages.map(({ text }) => text)).toEqual(['one'])
  })

  test('two clients that submit and continue at once leave one of the two', async () => {
    await world.interviews.upload({ ...repository(), markdown: SPEC })
    world.review = () => new Promise(() => undefined)
    const both = await Promise.allSettled([act('submit_to_architect'), act('continue_interview')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await world.machine()
  })

  test('the same action twice counts once', async () => {
    const { spec_sha } = await world.interviews.upload({ ...repository(), markdown: SPEC })
    await act('submit_to_architect')
    await act('submit_to_architect', spec_sha ?? '')
    await world.pass()
    expect(world.reviews).toBe(1)
    expect(world.registered).toHaveLength(1)
    expect(await act('submit_to_architect', spec_sha ?? '')).toMatchObject({ state: 'WAITING' })
  })

  test('a spec that changed since it was shown is not submitted', async () => {
    const { spec_sha } = await world.interviews.upload({ ...repository(), markdown: SPEC })
    await expect(act('submit_to_architect', 'cd'.repeat(32))).rejects.toMatchObject({
      code: 'conflict',
      message: 'the spec has changed since it was shown',
      details: { theirs: { spec_sha }, yours: { spec_sha: 'cd'.repeat(32) } },
    })
    expect(await status()).toMatchObject({ state: 'PREVIEW' })
  })

  test('a call in a folder where no interview is open writes nothing', async () => {
    const action = { action: 'submit_to_architect', spec_sha: 'ab'.repeat(32) } as const
    await expect(world.interviews.previewAction({ ...repository(), ...action })).rejects.toMatchObject({
      code: 'conflict',
    })
    const said = world.interviews.chat({ ...repository(), session_id: '1.1', message: 'hello' })
    await expect(said).rejects.toThrow('no interview is open')
    expect(await world.types()).toEqual([])
  })

  test('a call that does not fit the state is refused and leaves it', async () => {
    await expect(act('continue_interview', 'ab'.repeat(32))).rejects.toMatchObject({ code: 'conflict' })
    await world.interviews.upload({ ...repository(), markdown: SPEC })
    await expect(chat('hello')).rejects.toThrow('an interview in PREVIEW takes no messages')
    const other = world.interviews.chat({ ...repository(), session_id: '9.9', message: 'hello' })
    await expect(other).rejects.toThrow('session 9.9 has ended; session 1.1 is open')
    expect(await status()).toMatchObject({ state: 'PREVIEW', messages: 0 })
  })

  test('a stop while the model thinks wins over its answer', async () => {
    const thought = Promise.withResolvers<ToolCall>()
    world.think = () => thought.promise
    await start({ text: 'a search page' })
    await world.pass()
    await world.stop()
    thought.resolve(submit)
    await world.pass()
    expect(await world.machine()).toMatchObject({ state: 'DONE', recoverable: [{ state: 'WORKING' }] })
  })

  test('waiting too long for the user is an error only where a limit is set', async () => {
    await start({ awaitUserMs: 60_000 })
    await world.pass(59_000)
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
    await world.pass(2000)
    expect(await status()).toMatchObject({ state: 'WAITING', recoverable: { state: 'AWAIT_USER' } })
    await start()
    await world.pass(59_000)
    expect(await status()).toMatchObject({ state: 'AWAIT_USER' })
  })

  test('how long to wait for the user is a setting', async () => {
    world.awaitUserMs = 5000
    await start()
    await world.pass(6000)
    expect(await status()).toMatchObject({ state: 'WAITING', recoverable: { state: 'AWAIT_USER' } })
  })

  test('a user decides whether an interview that failed is continued', async () => {
    world.think = () => {
      throw new Error('broken')
    }
    await start({ text: 'a search page' })
    await world.pass()
    expect(await status()).toMatchObject({ state: 'WAITING', recoverable: { why: 'broken', messages: 1 } })
    script()
    expect(await start({ resume: true, text: 'go on' })).toMatchObject({ session_id: '1.1', messages: 2 })
    await world.pass()
    expect(world.turns.at(-1)?.conversation.map(({ text }) => text)).toEqual(['a search page', 'go on'])
  })

  test('each of those that failed can be continued by its session, and the others stay', async () => {
    world.think = () => {
      throw new Error('broken')
    }
    for (const text of ['a search page', 'a cart', 'a wish list']) {
      await start({ text, resume: undefined })
      await world.pass()
    }
    const sessions = async () => (await status()).kept.map(({ session_id, title }) => [session_id, title])
    expect(await sessions()).toEqual([
      ['1.3', 'a wish list'],
      ['1.2', 'a cart'],
      ['1.1', 'a search page'],
    ])
    script()
    expect(await start({ resume: '1.2' })).toMatchObject({ session_id: '1.2', messages: 1 })
    expect((await sessions()).map(([id]) => id)).toEqual(['1.3', '1.1'])
    await world.interviews.abandon({ repository: world.project })
    await expect(start({ resume: '1.2' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
