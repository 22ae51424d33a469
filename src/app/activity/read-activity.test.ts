import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { notesInMemory } from '../../../test/helpers/test-host.ts'
import { logCodec, type LogEvent } from '../../core/log/log-events.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { readActivity } from './read-activity.ts'

const START = Date.UTC(2026, 0, 5, 9)
const REPORT = (text: string) => ({ type: 'progress.reported', v: 1, why: text, text }) as const

/** What happened, in order, as `name@second` or `blog:name@second`; what begins with a capital is an event of plan `p`. */
async function hostWith(...lines: readonly string[]): Promise<HostToRead> {
  const log = new MemoryEventLog<LogEvent>(logCodec)
  const notes = await notesInMemory()
  const versions = { shop: 0, blog: 0 }
  for (const line of lines) {
    const repository = line.startsWith('blog:') ? 'blog' : 'shop'
    const [event = '', second = ''] = line.replace('blog:', '').split('@')
    const at = START + 1000 * Number(second)
    if (/^[A-Z]/.test(event)) {
      const expectedVersion = versions[repository]++
      await log.append({ stream: `${repository}/p`, expectedVersion, at, events: [REPORT(event)] })
    } else {
      await notes.append({ repository, at, event, plan: null, worker: null, task: null, data: '{}' })
    }
  }
  const repositories = { list: async () => Object.keys(versions).map((id) => ({ id })) }
  return { parts: { repositories, log, notes }, plans: () => [] } as unknown as HostToRead
}

/** Every page back to the first line, each as the names of its lines. */
async function pagesOf(host: HostToRead, query: { readonly limit: number; readonly event?: string }) {
  const pages: string[] = []
  for (let before: string | undefined; pages.length < 100;) {
    const { activity, truncated, next } = await readActivity(host, { ...query, before })
    pages.push(
      activity
        .map(({ event, data }) => (event === 'progress_report' ? String(data['why']) : event))
        .join(' '),
    )
    expect(truncated).toBe(next !== null)
    if (next === null) return pages
    before = next
  }
  return pages
}

describe('the activity log', () => {
  test('is read back from its end, a page at a time, each page in the order of time', async () => {
    const host = await hostWith('a@1', 'B@2', 'c@3', 'D@4', 'E@5')
    expect(await pagesOf(host, { limit: 2 })).toEqual(['D E', 'B c', 'a'])
    expect(await pagesOf(host, { limit: 5 })).toEqual(['a B c D E'])
    expect(await pagesOf(await hostWith(), { limit: 2 })).toEqual([''])
  })

  test('is one list of several repositories', async () => {
    const host = await hostWith('A@1', 'blog:b@2', 'c@3', 'blog:D@4', 'E@5')
    expect(await pagesOf(host, { limit: 5 })).toEqual(['A b c D E'])
    const one = await readActivity(host, { limit: 5, repository: 'blog' })
    expect(one.activity.map(({ timestamp }) => new Date(timestamp).getSeconds())).toEqual([2, 4])
  })

  test('leaves out and repeats no line of those that have the same time', async () => {
    const host = await hostWith('a@1', 'B@1', 'blog:x@1', 'blog:Y@1', 'c@1', 'D@1', 'blog:z@1')
    for (const limit of [1, 2, 3]) {
      const all = (await pagesOf(host, { limit })).reverse().join(' ').split(' ')
      expect(all.toSorted().join('')).toBe('BDYacxz')
    }
  })

  test('leaves out and repeats no line of an event that has several, wherever a page ends', async () => {
    const host = await hostWith()
    const log = host.parts.log as MemoryEventLog<LogEvent>
    const sample = SAMPLE_EVENTS['inbox.opened']
    const opened = { ...sample, item: { ...sample.item, subject: 'worker', about: 'w-p-1-1' } } as const
    const closed = { type: 'inbox.withdrawn', v: 1, id: 'E-1', why: 'the worker has stopped' } as const
    await log.append({ stream: 'shop/p', expectedVersion: 0, at: START, events: [opened] })
    await log.append({ stream: 'shop/p', expectedVersion: 1, at: START + 1, events: [closed] })
    for (const limit of [1, 2, 3, 4]) {
      const lines = (await pagesOf(host, { limit })).reverse().join(' ')
      expect(lines).toBe('escalation_opened alert_created escalation_withdrawn alert_resolved')
    }
  })

  test('keeps its order where the clock was set back', async () => {
    const notes = await hostWith('a@1', 'b@9', 'c@3', 'd@4')
    expect(await pagesOf(notes, { limit: 4 })).toEqual(['a b c d'])
    const events = await hostWith('A@9', 'B@2', 'C@3', 'D@4')
    expect(await pagesOf(events, { limit: 1 })).toEqual(['D', 'C', 'B', 'A'])
  })

  test('is read across the pieces in which it is loaded', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `${at % 3 === 0 ? 'N' : 'n'}${at}@${at}`)
    const pages = await pagesOf(await hostWith(...lines), { limit: 7 })
    expect(pages.reverse().join(' ').split(' ')).toEqual(lines.map((line) => line.split('@')[0]))
  })

  test('is filtered, and pages of what is left follow each other', async () => {
    const host = await hostWith('a@1', 'B@2', 'a@3', 'B@4', 'a@5')
    expect(await pagesOf(host, { limit: 2, event: 'a' })).toEqual(['a a', 'a'])
    const since = await readActivity(host, { limit: 10, since: START + 4000 })
    expect(since.activity.map(({ event }) => event)).toEqual(['progress_report', 'a'])
    expect((await readActivity(host, { limit: 10, plan: 'p' })).activity).toHaveLength(2)
  })

  test('refuses a place that no page named', async () => {
    const host = await hostWith('a@1')
    await expect(readActivity(host, { limit: 1, before: '../etc' })).rejects.toMatchObject({ code: 'usage' })
  })

  test('names the task of a line by its title, of the plan of its own repository', async () => {
    const host = await hostWith()
    const { notes } = host.parts as unknown as { notes: Awaited<ReturnType<typeof notesInMemory>> }
    for (const repository of ['shop', 'blog']) {
      const note = { repository, at: START, event: 'checkin_received', plan: 'p', worker: null, task: '1' }
      await notes.append({ ...note, data: '{}' })
    }
    const plan = {
      home: { stream: 'shop/p' },
      state: { tasks: new Map([['1', { spec: { title: 'Add the basket' } }]]) },
    }
    const { activity } = await readActivity({ ...host, plans: () => [plan] } as unknown as HostToRead, {
      limit: 10,
    })
    expect(activity.flatMap(({ task_title }) => task_title ?? [])).toEqual(['Add the basket'])
  })
})
