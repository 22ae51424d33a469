import { expect, test } from 'vitest'
import { Hub } from './hub.ts'
import type { FromHub } from './messages.ts'

const SESSION = 'a'.repeat(64)

/** A daemon that the test drives, and a clock that only the test moves. */
class World {
  readonly sent: FromHub[] = []
  readonly asked: string[] = []
  readonly streams: ReadableStreamDefaultController<Uint8Array>[] = []
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>()
  seq = 10
  now = 0
  /** Status of every answer; 0 for no answer. */
  answers = 200
  readonly hub = new Hub({
    fetch: (path, init) => this.#fetch(path, init),
    now: () => this.now,
    random: () => 0.5,
    after: (ms, run) => {
      const timer = { at: this.now + ms, run }
      this.#timers.add(timer)
      return () => this.#timers.delete(timer)
    },
    send: (message) => this.sent.push(message),
  })

  async #fetch(path: string, { signal }: RequestInit): Promise<Response> {
    this.asked.push(path)
    if (this.answers === 0) throw new TypeError('refused')
    if (this.answers !== 200) return new Response('{}', { status: this.answers })
    if (path === '/api/snapshot') return Response.json({ seq: this.seq })
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.streams.push(stream)
        signal?.addEventListener('abort', () => stream.error(new Error('aborted')))
      },
    })
    return new Response(body)
  }

  /** Lets every promise settle. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  async pass(ms: number): Promise<void> {
    this.now += ms
    for (const timer of this.#timers) {
      if (timer.at > this.now) continue
      this.#timers.delete(timer)
      timer.run()
    }
    await this.settle()
  }

  async say(...seqs: readonly number[]): Promise<void> {
    const text = seqs.map((seq) => `event: happened\ndata: ${JSON.stringify({ seq })}\nid: ${seq}\n\n`)
    this.streams.at(-1)?.enqueue(new TextEncoder().encode(text.join('')))
    this.seq = Math.max(this.seq, ...seqs)
    await this.settle()
  }

  get states(): readonly string[] {
    return this.sent.flatMap((message) => (message.type === 'status' ? [message.status.state] : []))
  }

  get events(): readonly (number | null)[] {
    return this.sent.flatMap((message) =>
      message.type === 'events' ? message.events.map(({ seq }) => seq) : [],
    )
  }

  get snapshots(): number {
    return this.sent.filter(({ type }) => type === 'snapshot').length
  }
}

async function live(): Promise<World> {
  const world = new World()
  world.hub.useSession(SESSION)
  await world.settle()
  expect(world.states).toEqual(['live'])
  return world
}

test('the stream begins where the snapshot was taken', async () => {
  const world = await live()
  expect(world.asked.slice(0, 2)).toEqual(['/api/snapshot', '/api/events?after=10&notices=true'])
})

test('events that come close together share one snapshot', async () => {
  const world = await live()
  const before = world.snapshots
  await world.say(11, 12)
  await world.say(13)
  await world.pass(100)
  expect(world.events).toEqual([11, 12, 13])
  expect(world.snapshots).toBe(before + 1)
})

test('a stream that was cut is resumed behind its last event, and no event is passed on twice', async () => {
  const world = await live()
  await world.say(11)
  world.streams.at(-1)?.close()
  await world.settle()
  expect(world.states.at(-1)).toBe('connecting')
  await world.pass(1000)
  expect(world.asked.filter((path) => path.startsWith('/api/events'))).toEqual([
    '/api/events?after=10&notices=true',
    '/api/events?after=11&notices=true',
  ])
  expect(world.states.at(-1)).toBe('live')
  await world.say(11, 12)
  expect(world.events).toEqual([11, 12])
})

test('a stream that says nothing, not even that it is there, is cut and opened again', async () => {
  const world = await live()
  await world.pass(36_000)
  await world.pass(1000)
  expect(world.streams).toHaveLength(2)
})

test('while the daemon is gone it is offline since the first failure, and asked ever more rarely', async () => {
  const world = await live()
  await world.pass(5000)
  world.answers = 0
  world.streams.at(-1)?.close()
  await world.settle()
  const before = world.asked.length
  for (let second = 0; second < 120; second++) await world.pass(1000)
  expect(world.sent.findLast(({ type }) => type === 'status')).toMatchObject({
    status: { state: 'offline', since: 5000 },
  })
  expect(world.asked.length - before).toBeLessThan(12)
  world.answers = 200
  world.hub.retry()
  await world.settle()
  expect(world.states.at(-1)).toBe('live')
})

test('a tab that slept for hours goes on from a new snapshot, and does not read what it missed one by one', async () => {
  const world = await live()
  await world.say(11)
  world.now += 8 * 3_600_000
  world.seq = 500_000
  world.streams.at(-1)?.close()
  await world.settle()
  await world.pass(1000)
  expect(world.asked.findLast((path) => path.startsWith('/api/events'))).toBe(
    '/api/events?after=500000&notices=true',
  )
  expect(world.sent.some(({ type }) => type === 'gap')).toBe(true)
  expect(world.states.at(-1)).toBe('live')
  await world.say(500_001)
  expect(world.events).toEqual([11, 500_001])
})

test('a tab that slept while little happened reads what it missed', async () => {
  const world = await live()
  world.now += 8 * 3_600_000
  world.seq = 40
  world.streams.at(-1)?.close()
  await world.settle()
  await world.pass(1000)
  expect(world.asked.findLast((path) => path.startsWith('/api/events'))).toBe(
    '/api/events?after=10&notices=true',
  )
})

test('a log that is shorter than before is another one, so everything fetched from it is out of date', async () => {
  const world = await live()
  await world.say(11)
  world.seq = 3
  await world.pass(100)
  expect(world.sent.some(({ type }) => type === 'gap')).toBe(true)
})

test('a session that has ended signs out and is not tried again', async () => {
  const world = await live()
  world.answers = 401
  world.streams.at(-1)?.close()
  await world.settle()
  await world.pass(1000)
  expect(world.states.at(-1)).toBe('signed_out')
  expect(world.sent.at(-1)).toEqual({ type: 'session', session: null })
  const asked = world.asked.length
  await world.pass(120_000)
  expect(world.asked).toHaveLength(asked)
  world.answers = 200
  world.hub.useSession('b'.repeat(64))
  await world.settle()
  expect(world.states.at(-1)).toBe('live')
})

test('a session that another tab has kept replaces none that works, and a new one replaces all', async () => {
  const world = await live()
  world.hub.useSession('c'.repeat(64), 'kept')
  expect(world.sent.at(-1)).toEqual({ type: 'session', session: SESSION })
  world.hub.useSession('d'.repeat(64), 'exchange')
  await world.settle()
  expect(world.hub.session).toBe('d'.repeat(64))
  expect(world.states.at(-1)).toBe('live')
})

test('a tab that opens later is greeted with the session, the state and the last snapshot', async () => {
  const world = await live()
  expect(world.hub.greeting().map(({ type }) => type)).toEqual(['session', 'status', 'snapshot'])
})

test('a snapshot that the daemon does not give is reported with the time of the one that is shown, and no more once it does', async () => {
  const world = await live()
  const told = () => world.sent.flatMap((one) => (one.type === 'unrefreshed' ? [one.at] : []))
  await world.pass(1000)
  world.answers = 500
  await world.say(11)
  await world.pass(80)
  expect(told()).toEqual([0])
  expect(world.states).toEqual(['live'])
  world.answers = 200
  await world.say(12)
  await world.pass(80)
  expect(told()).toEqual([0])
  expect(world.sent.at(-1)).toMatchObject({ type: 'snapshot', at: world.now })
})
