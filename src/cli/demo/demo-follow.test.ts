import { expect, test } from 'vitest'
import type { Daemon } from '../../client/daemon.ts'
import type { EventMessage, PlanAnswer } from '../../protocol/answers.ts'
import type { Call } from '../command.ts'
import { followDemo, type Patience } from './demo-follow.ts'

const call = { json: true, terminal: {} } as unknown as Call
const planAt = (version: number, outcome: string, open: boolean): PlanAnswer =>
  ({
    plans: [{ id: 'harbour' }],
    seq: 0,
    version,
    outcome,
    inbox: open ? [{ id: 'E-1', kind: 'escalation', blocking: true, task: '7' }] : [],
  }) as unknown as PlanAnswer
const message = (version: number): EventMessage =>
  ({ version, activity: [], details: [], text: null }) as unknown as EventMessage

/** A plan that asks at once, and is released when it is answered, by the script or by `person`. */
function askingDaemon(
  person: ((asked: { readonly forPage: Promise<void> }) => Promise<void>) | null,
  browsers = 0,
) {
  const answers: unknown[] = []
  const askedForPage = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isOpen = true
  const daemon = {
    get: async (path: string) => {
      if (path === '/api/settings') {
        askedForPage.resolve()
        return { sessions: { count: browsers } }
      }
      return isOpen ? planAt(1, 'waiting', true) : planAt(2, 'released', false)
    },
    post: async (_path: string, body: { by: string }) => {
      answers.push(body.by)
      isOpen = false
      answered.resolve()
    },
    async *events() {
      yield message(1)
      if (person !== null) {
        await person({ forPage: askedForPage.promise })
        isOpen = false
        answered.resolve()
      }
      await answered.promise
      yield message(2)
    },
  } as unknown as Daemon
  return { daemon, answers }
}

const follow = (daemon: Daemon, patience: Patience | null): Promise<PlanAnswer | null> =>
  followDemo(call, {
    daemon,
    begun: planAt(0, 'moving', false),
    until: new AbortController().signal,
    patience,
  })

/** Longer than a test may take. */
const NEVER_MS = 3_600_000

test("the script answers at once where no person watches, and else after the person's time", async () => {
  for (const patience of [null, { ms: 5, atPageMs: NEVER_MS }]) {
    const { daemon, answers } = askingDaemon(null)
    expect(await follow(daemon, patience)).toMatchObject({ outcome: 'released' })
    expect(answers).toEqual(["the demo's script"])
  }
})

test('a person whose browser shows the page has more time, and the script answers after it', async () => {
  const { daemon, answers } = askingDaemon(null, 1)
  expect(await follow(daemon, { ms: 5, atPageMs: 10 })).toMatchObject({ outcome: 'released' })
  expect(answers).toEqual(["the demo's script"])
  const watched = askingDaemon(({ forPage }) => forPage, 1)
  expect(await follow(watched.daemon, { ms: 5, atPageMs: NEVER_MS })).toMatchObject({ outcome: 'released' })
  expect(watched.answers).toEqual([])
})

test('the script does not answer what the person has answered on the page', async () => {
  const { daemon, answers } = askingDaemon(async () => undefined)
  expect(await follow(daemon, { ms: NEVER_MS, atPageMs: NEVER_MS })).toMatchObject({ outcome: 'released' })
  expect(answers).toEqual([])
})
