import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SAMPLE_INTERVIEW_EVENTS } from '../../../test/helpers/interview-events.ts'
import { interviewDefinitionOf, type InterviewEvent } from './events/interview-events.ts'
import { foldInterview, interviewRejection } from './fold.ts'
import type { Machine } from './machine.ts'
import { owedToInterview } from './owed.ts'
import { SUSPENSIONS, TRANSITIONS } from './transitions.ts'

const LEGAL = new Set([...TRANSITIONS, ...SUSPENSIONS].map(({ from, on, to }) => `${from} ${on} ${to}`))

const OPENED: InterviewEvent = {
  type: 'interview.opened',
  v: 1,
  repository: 'shop-12345678',
  number: 1,
  recoverable: [],
  plan: null,
}
const others = SAMPLE_INTERVIEW_EVENTS.filter(({ type }) => type !== 'interview.opened')
const started = others.find((event) => event.type === 'interview.started')

/** Every sample, and variants that lead elsewhere. */
const EVENTS: readonly InterviewEvent[] = [
  ...others,
  ...(started === undefined ? [] : [{ ...started, bootstrap: { ...started.bootstrap, needed: false } }]),
  ...(started === undefined ? [] : [{ ...started, earlier: 'restored' as const }]),
  {
    type: 'interview.review_answered',
    v: 1,
    key: 'k',
    result: { status: 'approved', feedback: '', type: 'spec' },
    stories: [{ id: 'S-1' }],
    planText: 'plan: search',
    judgedBy: 'nobody',
    spentUsd: 0,
  },
  {
    type: 'interview.review_answered',
    v: 1,
    key: 'k',
    result: { status: 'approved', feedback: '', type: 'code' },
    stories: [],
    planText: null,
    judgedBy: 'nobody',
    spentUsd: 0,
  },
  { type: 'interview.failed', v: 1, cause: 'abandoned', why: 'abandoned by ada' },
]

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...EVENTS) },
  { weight: 2, arbitrary: fc.constant('owed' as const) },
)

function take(machine: Machine, event: InterviewEvent, version: number): boolean {
  const { state: from } = machine
  const before = structuredClone(machine)
  const fact = { version, at: version * 1000, event }
  const refused = interviewRejection(machine, event)
  if (refused !== null) {
    expect(refused).not.toBe('')
    expect(machine).toEqual(before)
    return false
  }
  foldInterview(machine, fact)
  const on = interviewDefinitionOf(event.type).trigger(event)
  if (on === null) expect(machine.state).toBe(from)
  else expect([...LEGAL]).toContain(`${from} ${on} ${machine.state}`)
  return true
}

test('random calls, turns, results, outages and stops only ever take transitions of the table', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const machine = foldInterview(null, { version: 1, at: 0, event: OPENED })
      let version = 1
      for (const one of steps) {
        const owed = owedToInterview(machine, version * 1000, { lastCheck: null, loadedAt: 0 })
        const events = one === 'owed' ? (owed.kind === 'append' ? owed.events : []) : [one]
        for (const event of events) {
          const isTaken = take(machine, event, version + 1)
          // What the rules decide by themselves always fits.
          if (one === 'owed') expect(isTaken, event.type).toBe(true)
          if (isTaken) version++
        }
      }
      // A snapshot is a copy: the same events from it come to the same.
      expect(JSON.parse(JSON.stringify(machine))).toEqual(machine)
    }),
    { numRuns: 400 },
  )
})

test('every transition of the table can be reached', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { minLength: 40, maxLength: 80 }), (events) => {
      const machine = foldInterview(null, { version: 1, at: 0, event: OPENED })
      for (const [index, event] of events.entries()) {
        const { state: from } = machine
        const on = interviewDefinitionOf(event.type).trigger(event)
        // DONE is tried at the end only, or little else would be.
        if (on === 'shutdown' && index < events.length - 1) continue
        if (interviewRejection(machine, event) !== null) continue
        foldInterview(machine, { version: index + 2, at: index, event })
        if (on !== null) reached.add(`${from} ${on} ${machine.state}`)
      }
    }),
    { numRuns: 1500, seed: 7 },
  )
  const wanted = [...TRANSITIONS, ...SUSPENSIONS].filter(({ on }) => on !== 'wait')
  expect(wanted.map(({ from, on, to }) => `${from} ${on} ${to}`).filter((row) => !reached.has(row))).toEqual(
    [],
  )
})
