import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HostToRead } from '../host/host-to-read.ts'
import { ActivityFile } from './activity-file.ts'
import { readActivity } from './read-activity.ts'

const START = Date.UTC(2026, 0, 5, 9)
let root: string
const opened: ActivityFile[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-activity-'))
})
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close()
  rmSync(root, { recursive: true, force: true })
})

/** The lines of each repository, as `name@second`. */
async function hostWith(
  logs: Readonly<Record<string, readonly string[]>>,
  { maxBytes = 1_000_000, padding = '' } = {},
): Promise<HostToRead> {
  const files = new Map<string, ActivityFile>()
  for (const [id, lines] of Object.entries(logs)) {
    const file = await ActivityFile.open(join(root, id), maxBytes)
    for (const [at, line] of lines.entries()) {
      const [event = '', second = ''] = line.split('@')
      const timestamp = new Date(START + 1000 * Number(second)).toISOString()
      await file.appendEntries([{ seq: at + 1, lines: [{ timestamp, event, data: { padding } }] }])
    }
    files.set(id, file)
    opened.push(file)
  }
  const readBackwards = async (id: string, from: string | null) => {
    const lines = files.get(id)?.readBackwards(from)
    if (lines === undefined) throw new Error(`no repository ${id}`)
    return lines
  }
  const parts = { repositories: { list: async () => [...files.keys()].map((id) => ({ id })) } }
  return { parts, journal: { readBackwards }, plans: () => [] } as unknown as HostToRead
}

/** Every page back to the first line, each as the names of its lines. */
async function pagesOf(host: HostToRead, query: { readonly limit: number; readonly event?: string }) {
  const pages: string[] = []
  for (let before: string | undefined; pages.length < 100;) {
    const { activity, truncated, next } = await readActivity(host, { ...query, before })
    pages.push(activity.map(({ event }) => event).join(' '))
    expect(truncated).toBe(next !== null)
    if (next === null) return pages
    before = next
  }
  return pages
}

describe('the activity log', () => {
  test('is read back from its end, a page at a time, each page in the order of time', async () => {
    const host = await hostWith({ shop: ['a@1', 'b@2', 'c@3', 'd@4', 'e@5'] })
    expect(await pagesOf(host, { limit: 2 })).toEqual(['d e', 'b c', 'a'])
    expect(await pagesOf(host, { limit: 5 })).toEqual(['a b c d e'])
    expect(await pagesOf(await hostWith({}), { limit: 2 })).toEqual([''])
  })

  test('is one list of several repositories', async () => {
    const host = await hostWith({ shop: ['a@1', 'c@3', 'e@5'], blog: ['b@2', 'd@4'] })
    expect(await pagesOf(host, { limit: 2 })).toEqual(['d e', 'b c', 'a'])
  })

  test('leaves out and repeats no line of those that have the same time', async () => {
    const host = await hostWith({ shop: ['a@1', 'b@1', 'c@1', 'd@1'], blog: ['x@1', 'y@1', 'z@1'] })
    for (const limit of [1, 2, 3]) {
      const all = (await pagesOf(host, { limit })).reverse().join(' ').split(' ')
      expect(all.toSorted().join('')).toBe('abcdxyz')
    }
  })

  test('keeps its order where the clock was set back', async () => {
    const host = await hostWith({ shop: ['a@1', 'b@9', 'c@3', 'd@4'] })
    expect(await pagesOf(host, { limit: 1 })).toEqual(['d', 'c', 'b', 'a'])
    const since = await hostWith({ later: ['a@9', 'b@2', 'c@3', 'd@4'] })
    expect(await pagesOf(since, { limit: 1 })).toEqual(['d', 'c', 'b', 'a'])
  })

  test('is read across files that were put aside, and lines that are longer than a piece', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `n${at}@${at}`)
    const host = await hostWith({ shop: lines }, { maxBytes: 1_100_000, padding: 'é'.repeat(50_000) })
    const pages = await pagesOf(host, { limit: 7 })
    expect(pages.reverse().join(' ').split(' ')).toEqual(lines.map((line) => line.split('@')[0]))
  })

  test('is filtered, and pages of what is left follow each other', async () => {
    const host = await hostWith({ shop: ['a@1', 'b@2', 'a@3', 'b@4', 'a@5'] })
    expect(await pagesOf(host, { limit: 2, event: 'a' })).toEqual(['a a', 'a'])
    const since = await readActivity(host, { limit: 10, since: START + 4000 })
    expect(since.activity.map(({ event }) => event)).toEqual(['b', 'a'])
  })

  test('counts lines that cannot be read', async () => {
    const host = await hostWith({ shop: ['a@1'] })
    appendFileSync(join(root, 'shop/pm-activity.jsonl'), '{"timestamp": 7}\nnot JSON\n')
    expect(await readActivity(host, { limit: 10 })).toMatchObject({
      activity: [{ event: 'a' }],
      unreadable: 2,
      next: null,
    })
  })

  test('refuses a place that no page named', async () => {
    const host = await hostWith({ shop: ['a@1'] })
    await expect(readActivity(host, { limit: 1, before: '../etc' })).rejects.toMatchObject({ code: 'usage' })
  })

  test('names the task of a line by its title, of the plan of its own repository', async () => {
    const host = await hostWith({ shop: [], blog: [] })
    for (const [at, file] of opened.entries()) {
      const line = { timestamp: new Date(START + at).toISOString(), event: 'task_committed', data: {} }
      await file.appendEntries([{ seq: 1, lines: [{ ...line, plan_id: 'p', task_id: '1' }] }])
    }
    const plan = {
      id: 'p',
      home: { repository: { id: 'shop' } },
      state: { tasks: new Map([['1', { spec: { title: 'Add the basket' } }]]) },
    }
    const { activity } = await readActivity({ ...host, plans: () => [plan] } as unknown as HostToRead, {
      limit: 10,
    })
    expect(activity.map(({ task_title }) => task_title)).toEqual(['Add the basket', undefined])
  })
})
