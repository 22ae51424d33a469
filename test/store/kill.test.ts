import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Entry } from '../../src/ports/event-log.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { sampleCodec, type SampleEvent } from '../helpers/store-events.ts'
import { startFixture, type Child } from './child.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let root: string
let children: Child[]

beforeEach(async () => {
  root = tempFolder('kill')
  children = []
})
afterEach(async () => {
  for (const child of children) await child.kill()
})

function startAppender(group = 8): Child {
  const child = startFixture('appender.ts', root, `${group}`)
  children.push(child)
  return child
}

async function open(): Promise<Store<SampleEvent>> {
  const opened = await openStore({ root, codec: sampleCodec })
  if (!opened.ok) throw new Error(`held by ${opened.pid}`)
  return opened.store
}

async function everything(store: Store<SampleEvent>): Promise<Entry<SampleEvent>[]> {
  const all: Entry<SampleEvent>[] = []
  for (let page = await store.log.tail(0, 1000); page.length > 0;) {
    all.push(...page)
    page = await store.log.tail(all.length, 1000)
  }
  return all
}

test('a writer killed at any moment has lost nothing it acknowledged, and left the database sound', async () => {
  for (const acknowledged of [1, 2, 5, 11, 23]) {
    const child = startAppender()
    expect(await child.line()).toBe('open')
    let last = 0
    for (let count = 0; count < acknowledged; count++) last = Number(await child.line())
    const rest = await child.kill()
    last = Math.max(last, ...rest.map(Number))

    const store = await open()
    const entries = await everything(store)
    expect(entries.length, `killed after ${acknowledged}`).toBeGreaterThanOrEqual(last)
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(await store.integrity).toEqual({ state: 'ok' })
    await store.close()
  }
})

test('a writer that is killed frees the lock', async () => {
  const child = startAppender()
  await child.line()
  expect(await openStore({ root, codec: sampleCodec })).toMatchObject({ ok: false, why: 'held' })
  await child.kill()
  await (await open()).close()
})

test('a second process is refused at once, with the pid of the first', async () => {
  const first = startAppender()
  await first.line()
  const second = startAppender()
  expect(await second.line()).toBe(`held ${first.process.pid}`)
  expect(await second.line()).toBeNull()
})

test('what the killed writer had not acknowledged is there whole or not at all', async () => {
  const child = startAppender(64)
  await child.line()
  await child.line()
  await child.kill()
  const store = await open()
  const entries = await everything(store)
  // The stream ends with the last entry that is there.
  const stream = entries[0]?.stream ?? ''
  const version = entries.length
  const append = (at: number) =>
    store.log.append({
      stream,
      expectedVersion: at,
      at: 1,
      events: [{ type: 'note.written', v: 1, text: `${at}` }],
    })
  expect(await append(version - 1)).toMatchObject({ ok: false, why: 'conflict', version })
  expect(await append(version)).toMatchObject({ ok: true })
  await store.close()
})
