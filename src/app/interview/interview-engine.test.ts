import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  approved,
  InterviewWorld,
  needsChanges,
  post,
  SPEC,
  submit,
} from '../../../test/helpers/interview-world.ts'
import type { InterviewState } from '../../core/interview/transitions.ts'
import type { ToolCall } from '../../core/interview/turn.ts'
import { ServiceUnavailable } from '../../ports/brain.ts'

const never = <T>(): Promise<T> => new Promise(() => undefined)

/** How an interview gets into each state in which it can stay. */
const INTO: Readonly<Record<string, (world: InterviewWorld) => Promise<void>>> = {
  async AWAIT_USER(world) {
    world.think = () => (world.turns.length === 1 ? post('Which database?') : { tool: 'await_user' })
    await world.interviews.start({ repository: world.project, text: 'a search page' })
  },
  async WORKING(world) {
    world.think = () => never()
    await world.interviews.start({ repository: world.project, text: 'a search page' })
  },
  async PREVIEW(world) {
    world.think = () => submit
    await world.interviews.start({ repository: world.project, text: 'a search page' })
  },
  async AWAIT_ARCHITECT(world) {
    world.think = () => submit
    world.review = () => never()
    const repository = world.project
    await world.interviews.start({ repository, text: 'a search page' })
    await world.pass()
    const { spec_sha } = await world.interviews.status({ repository })
    await world.interviews.previewAction({
      repository,
      action: 'submit_to_architect',
      spec_sha: spec_sha ?? '',
    })
  },
  async SUSPEND(world) {
    world.services = () => [{ service: 'openai', ok: false, why: 'down' }]
    world.think = () => {
      throw new ServiceUnavailable('openai', { why: 'timed out' })
    }
    await world.interviews.start({ repository: world.project, text: 'a search page' })
  },
}

const kept = async (world: InterviewWorld) => {
  const { session, state, suspendedFrom } = await world.machine()
  if (session === null) throw new Error('no session')
  const { id, conversation, draft, review } = session
  return { state, suspendedFrom, id, texts: conversation.map(({ text }) => text), draft, key: review?.key }
}

for (const [state, into] of Object.entries(INTO)) {
  test(`an interview in ${state} continues in ${state} after a crash`, async () => {
    const world = await new InterviewWorld().open()
    await into(world)
    await world.pass()
    const before = await kept(world)
    expect(before.state).toBe(state)
    await world.crash()
    await world.pass()
    expect(await kept(world)).toEqual(before)
    expect(world.errors).toEqual([])
    world.dispose()
  })

  test(`an interview in ${state} is continued after an orderly stop, with everything in it`, async () => {
    const world = await new InterviewWorld().open()
    await into(world)
    await world.pass()
    const before = await kept(world)
    await world.stop()
    expect((await world.machine()).state).toBe(state === 'SUSPEND' ? 'ERROR' : 'DONE')
    await world.open()
    await world.pass()
    // Every transition since was one of the table's: `machine` checks them all.
    expect(await kept(world)).toEqual(before)
    expect(await world.interviews.status({ repository: world.project })).toMatchObject({ recoverable: null })
    world.dispose()
  })
}

test('an interview that was never started leaves nothing to continue', async () => {
  const world = await new InterviewWorld().open()
  world.think = () => submit
  const repository = world.project
  await world.interviews.upload({ repository, markdown: SPEC })
  const { spec_sha } = await world.interviews.status({ repository })
  await world.interviews.previewAction({
    repository,
    action: 'submit_to_architect',
    spec_sha: spec_sha ?? '',
  })
  await world.pass()
  await world.stop()
  expect(await world.log.streams({ open: true })).toEqual([])
  await world.open()
  expect(await world.interviews.status({ repository })).toMatchObject({ state: 'WAITING', session_id: null })
  expect(await world.interviews.start({ repository })).toMatchObject({ session_id: '2.1', plan: 'search' })
  world.dispose()
})

test('what the architect answered before a stop is not asked again', async () => {
  const world = await new InterviewWorld().open()
  const repository = world.project
  world.register = () => never()
  await world.interviews.upload({ repository, markdown: SPEC })
  const { spec_sha } = await world.interviews.status({ repository })
  await world.interviews.previewAction({
    repository,
    action: 'submit_to_architect',
    spec_sha: spec_sha ?? '',
  })
  await world.pass()
  expect(world.reviews).toBe(1)
  await world.stop()
  world.register = () => 'search'
  await world.open()
  await world.pass()
  expect(world.reviews).toBe(1)
  expect(await world.interviews.status({ repository })).toMatchObject({ state: 'WAITING', plan: 'search' })
  world.dispose()
})

for (const [how, interrupt] of [
  ['an orderly stop', (world: InterviewWorld) => world.stop().then(() => world.open())],
  [
    'an error',
    async (world: InterviewWorld) => {
      await world.interviews.start({ repository: world.project })
    },
  ],
] as const) {
  test(`an uploaded spec that the architect sent back is in the user's hands after ${how}`, async () => {
    const world = await new InterviewWorld().open()
    const repository = world.project
    world.review = () => needsChanges('name the database')
    world.think = () => {
      if (how === 'an error') throw new Error('the disk is full')
      return never()
    }
    await world.interviews.upload({ repository, markdown: SPEC })
    const { spec_sha } = await world.interviews.status({ repository })
    const action = { repository, action: 'submit_to_architect', spec_sha: spec_sha ?? '' } as const
    await world.interviews.previewAction(action)
    await world.pass()
    await interrupt(world)
    await world.pass()
    // There is no message to take up again, and nothing was asked: only the preview says how to go on.
    expect(await world.interviews.status({ repository })).toMatchObject({ state: 'PREVIEW', spec_sha })
    world.think = () => submit
    await world.interviews.previewAction(action)
    await world.pass()
    expect(world.turns.at(-1)?.feedback).toContain('name the database')
    world.dispose()
  })
}

test('a damaged interview is reported, and the next one starts beside it', async () => {
  const world = await new InterviewWorld().open()
  const repository = world.project
  await world.interviews.start({ repository })
  const [{ stream, version } = { stream: '', version: 0 }] = await world.log.streams({ open: true })
  // An event that cannot follow.
  const events = [{ type: 'interview.approved', v: 1, plan: 'x' }] as const
  await world.log.append({ stream, expectedVersion: version, at: world.clock.now(), events })
  await world.open()
  expect(await world.interviews.status({ repository })).toMatchObject({
    state: 'WAITING',
    damaged: 'interview.approved is not possible: the interview is in AWAIT_USER',
  })
  expect(world.errors[0]).toContain(stream)
  expect(await world.interviews.start({ repository })).toMatchObject({ session_id: '2.1' })
  world.dispose()
})

type Step = (world: InterviewWorld) => Promise<unknown>
const CALLS: readonly ToolCall[] = [
  post('Which?'),
  { tool: 'await_user' },
  submit,
  { tool: 'spec_submit', markdown: 'bad', bootstrap_markdown: null },
]
const at = (world: InterviewWorld) => ({ repository: world.project })

const STEPS: Readonly<Record<string, Step>> = {
  start: (world) => world.interviews.start({ ...at(world) }),
  'start with a text': (world) => world.interviews.start({ ...at(world), text: 'a page', resume: true }),
  'start afresh with a time limit': (world) =>
    world.interviews.start({ ...at(world), resume: false, awaitUserMs: 60_000 }),
  upload: (world) => world.interviews.upload({ ...at(world), markdown: SPEC }),
  async chat(world) {
    const { session_id } = await world.interviews.status(at(world))
    await world.interviews.chat({ ...at(world), session_id: session_id ?? 'none', message: 'more' })
  },
  async continue(world) {
    const { spec_sha } = await world.interviews.status(at(world))
    const action = { action: 'continue_interview', spec_sha: spec_sha ?? 'ab'.repeat(32) } as const
    await world.interviews.previewAction({ ...at(world), ...action })
  },
  async submit(world) {
    const { spec_sha } = await world.interviews.status(at(world))
    const action = { action: 'submit_to_architect', spec_sha: spec_sha ?? 'ab'.repeat(32) } as const
    await world.interviews.previewAction({ ...at(world), ...action })
  },
  async 'an outage'(world) {
    world.services = () => [{ service: 'openai', ok: false, why: 'down' }]
    world.think = () => {
      throw new ServiceUnavailable('openai', { why: 'timed out' })
    }
    world.review = () => {
      throw new ServiceUnavailable('openai', { why: 'timed out' })
    }
  },
  async recovery(world) {
    world.services = () => []
    world.think = () => CALLS[world.turns.length % CALLS.length] ?? submit
    world.review = () => (world.reviews % 2 === 0 ? approved() : needsChanges('more'))
  },
  async 'a broken tool'(world) {
    world.think = () => {
      throw new Error('broken')
    }
  },
  'a minute': (world) => world.pass(61_000),
  '20 minutes': (world) => world.pass(20 * 60_000),
  'a crash': (world) => world.crash(),
  async 'a restart'(world) {
    await world.stop()
    await world.open()
  },
}
/** DONE only where there was nothing to continue. */
const STABLE: readonly InterviewState[] = ['WAITING', 'AWAIT_USER', 'PREVIEW', 'DONE']

/** Messages of the user since the last interview began, by the log. */
async function typed(world: InterviewWorld): Promise<number> {
  let count = 0
  for (const { event } of await world.log.tail(0, 100_000)) {
    if ('earlier' in event && event.earlier !== 'restored') count = 0
    if (event.type === 'interview.message_received') count++
  }
  return count
}

test('whatever happens, in whatever order, only transitions of the table are taken and nothing typed is lost', async () => {
  const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async (names) => {
      const world = await new InterviewWorld().open()
      await STEPS['recovery']?.(world)
      try {
        for (const name of names) {
          // A call that does not fit is refused; anything else would be no Refusal.
          await STEPS[name]?.(world).catch((error: unknown) => expect(error).toHaveProperty('remedy'))
          await world.pass()
        }
        await STEPS['recovery']?.(world)
        await world.pass(31_000)
        if ((await world.types()).length === 0) return
        const machine = await world.machine()
        expect(STABLE).toContain(machine.state)
        const session = machine.session ?? machine.recoverable[0]?.session ?? null
        const messages = session?.conversation.filter(({ from }) => from === 'user') ?? null
        // Of an approved spec there is nothing left to keep.
        if (messages !== null) expect(messages).toHaveLength(await typed(world))
      } finally {
        world.dispose()
      }
    }),
    { numRuns: 60 },
  )
})
