import { describe, expect, test } from 'vitest'
import { dueNotices, webhookRetryMs, quietUntil, type KeptNotice, type NoticeRules } from './due-notices.ts'

const RULES: NoticeRules = { on: ['needs_you'], repeatMs: 1_800_000, quietUntil: null }
const START = 1_000_000_000

const asked = (id: string, at: number, fields: Partial<KeptNotice> = {}): KeptNotice => ({
  id,
  kind: 'needs_you',
  stream: 'r/shop',
  task: null,
  item: id,
  blocking: true,
  text: 'which?',
  at: START + at,
  sentAt: null,
  ...fields,
})

const due = (
  notices: readonly KeptNotice[],
  at: number,
  {
    lastSentAt = null,
    closed = [],
    rules = {},
  }: { lastSentAt?: number | null; closed?: readonly string[]; rules?: Partial<NoticeRules> } = {},
) => {
  const { batch, kept, wakeAt } = dueNotices(notices, {
    now: START + at,
    rules: { ...RULES, ...rules },
    lastSentAt: lastSentAt === null ? null : START + lastSentAt,
    isOpen: ({ item }) => !closed.includes(item ?? ''),
  })
  return {
    sent: batch.map(({ id, isRepeated }) => (isRepeated ? `${id} again` : id)),
    kept,
    wakeIn: wakeAt === null ? null : wakeAt - START - at,
  }
}

describe('notices', () => {
  test('the first is sent within a second or so', () => {
    expect(due([asked('E-1', 0)], 0)).toMatchObject({ sent: [], wakeIn: 1000 })
    expect(due([asked('E-1', 0)], 1000)).toMatchObject({ sent: ['E-1'] })
  })

  test('those that follow within a minute are sent together', () => {
    const next = [asked('E-2', 5000), asked('E-3', 9000)]
    expect(due(next, 10_000, { lastSentAt: 1000 })).toMatchObject({ sent: [], wakeIn: 51_000 })
    expect(due(next, 61_000, { lastSentAt: 1000 })).toMatchObject({ sent: ['E-2', 'E-3'] })
  })

  test('one that was answered before it was sent is not sent', () => {
    expect(due([asked('E-1', 0)], 5000, { closed: ['E-1'] })).toEqual({ sent: [], kept: [], wakeIn: null })
  })

  test('one that still blocks after a while is sent once more, and then never again', () => {
    const { kept, wakeIn } = due([asked('E-1', 0)], 1000)
    expect(wakeIn).toBe(1_800_000)
    expect(due(kept, 60_000, { lastSentAt: 1000 }).sent).toEqual([])
    expect(due(kept, 1_800_999, { lastSentAt: 1000 })).toMatchObject({ sent: [], wakeIn: 1 })
    const again = due(kept, 1_801_000, { lastSentAt: 1000 })
    expect(again).toEqual({ sent: ['E-1 again'], kept: [], wakeIn: null })
    expect(due(kept, 1_801_000, { lastSentAt: 1000, closed: ['E-1'] }).sent).toEqual([])
  })

  test('one that blocks nothing is not repeated', () => {
    expect(due([asked('Q-1', 0, { blocking: false })], 1000)).toMatchObject({ sent: ['Q-1'], kept: [] })
    expect(due([asked('E-1', 0)], 1000, { rules: { repeatMs: 0 } })).toMatchObject({ kept: [] })
  })

  test('of a kind that is not asked for are dropped', () => {
    expect(due([asked('p', 0, { kind: 'progress', item: null })], 5000)).toMatchObject({ sent: [], kept: [] })
  })

  test('are held in quiet hours, and sent at their end if they are still open', () => {
    const quiet = { rules: { quietUntil: START + 100_000 } }
    expect(due([asked('E-1', 0)], 5000, quiet)).toMatchObject({ sent: [], wakeIn: 95_000 })
    expect(due([asked('E-1', 0)], 100_000)).toMatchObject({ sent: ['E-1'] })
  })

  test('a clock that was set back holds none of them for long', () => {
    expect(due([asked('E-1', 200_000_000)], 0).sent).toEqual(['E-1'])
    expect(due([asked('E-1', 0)], 1000, { lastSentAt: 500_000 }).sent).toEqual(['E-1'])
  })
})

test('quiet hours may span midnight', () => {
  const at = (clock: string, quiet: string): string | null => {
    const [hours = 0, minutes = 0] = clock.split(':').map(Number)
    const now = (hours * 60 + minutes) * 60_000 + 30_000
    const end = quietUntil(quiet, now, hours * 60 + minutes)
    return end === null ? null : new Date(end).toISOString().slice(8, 16)
  }
  expect(at('23:10', '22:00-07:00')).toBe('02T07:00')
  expect(at('06:59', '22:00-07:00')).toBe('01T07:00')
  expect(at('07:00', '22:00-07:00')).toBeNull()
  expect(at('12:30', '12:00-13:00')).toBe('01T13:00')
  expect(at('13:00', '12:00-13:00')).toBeNull()
  expect(quietUntil(null, 0, 0)).toBeNull()
})

test('a webhook is tried again after ever longer waits, and then given up', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(webhookRetryMs)).toEqual([
    5000,
    30_000,
    120_000,
    600_000,
    1_800_000,
    7_200_000,
    null,
  ])
})
