import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JournalFact } from '../../worker-folder.ts'
import { Redactor } from '../../../lib/text/redactor.ts'
import { SessionLog } from './session-log.ts'

let noted: JournalFact[]
let lines: Record<string, unknown>[]
let log: SessionLog
beforeEach(() => {
  vi.useFakeTimers()
  noted = []
  lines = []
  log = new SessionLog({
    note: (fact) => noted.push(fact),
    transcribe: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    now: () => 5,
  })
})
afterEach(() => vi.useRealTimers())

test('chunks of one second are one entry in the journal and one line in the transcript', () => {
  for (const word of ['I ', 'do ', 'it.']) log.text('message', word)
  expect(noted).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(noted).toEqual([{ kind: 'text', of: 'message', text: 'I do it.' }])
  expect(lines).toEqual([{ at: 5, kind: 'message', text: 'I do it.' }])
})

test('the journal keeps the end of a flood of text, the transcript all of it', () => {
  for (let nth = 0; nth < 1000; nth++) log.text('message', 'x'.repeat(100))
  log.flush()
  expect(noted).toMatchObject([{ text: 'x'.repeat(500) }])
  expect(lines.map(({ text }) => String(text).length).reduce((sum, one) => sum + one, 0)).toBe(100_000)
})

test('thoughts and messages are separate pieces, in their order', () => {
  log.text('thought', 'hm')
  log.text('message', 'yes')
  log.fact({ kind: 'turn_ended', reason: 'end_turn' }, { text: 'end_turn' })
  expect(lines.map(({ kind }) => kind)).toEqual(['thought', 'message', 'turn_ended'])
})

test('what only the transcript keeps of an entry is not in the journal', () => {
  log.fact({ kind: 'tool_ended', id: '1', outcome: 'completed' }, { text: '', detail: 'long' })
  expect([noted, lines[0]?.['detail']]).toEqual([
    [{ kind: 'tool_ended', id: '1', outcome: 'completed' }],
    'long',
  ])
})

test('the journal stops at its most entries and notes that', () => {
  for (let nth = 0; nth < 20_100; nth++)
    log.fact({ kind: 'tool_started', id: String(nth), tool: '', title: '' })
  expect(noted).toHaveLength(20_000)
  expect(noted.at(-1)).toEqual({ kind: 'error', text: 'more than 20000 entries of tool_started' })
})

test('nothing is written after it was closed', () => {
  log.text('message', 'last words')
  log.close()
  const before = [noted.length, lines.length]
  log.text('message', 'too late')
  log.fact({ kind: 'error', text: 'too late' })
  vi.advanceTimersByTime(5000)
  expect([noted.length, lines.length]).toEqual(before)
})

test('what could be the beginning of a secret waits a second for the next piece, and is then written', () => {
  const hide = new Redactor([{ name: 'TOKEN', value: 'e5f0a1b2c3' }])
  log = new SessionLog({
    note: (fact) => noted.push(fact),
    transcribe: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    now: () => 5,
    hide,
  })
  log.text('message', 'I read the te')
  vi.advanceTimersByTime(1000)
  expect(lines.map(({ text }) => text).join('')).toBe('I read the te')
  log.text('message', 'sts, and e5f0')
  log.text('message', 'a1b2c3 too, the')
  log.fact({ kind: 'turn_ended', reason: 'end_turn' }, { text: 'end_turn' })
  expect(lines.map(({ text }) => text).join('|')).toMatch(/sts, and \[secret TOKEN\] too, the\|end_turn$/)
})
