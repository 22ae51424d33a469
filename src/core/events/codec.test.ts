import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { checkEvent, eventCodec } from './codec.ts'
import { EVENT_DEFINITIONS, type EventType, type PlanEvent } from './plan-events.ts'

const samples = Object.values(SAMPLE_EVENTS) as PlanEvent[]
const fieldsOf = (event: PlanEvent): string[] =>
  Object.keys(event).filter((field) => field !== 'type' && field !== 'v')
const without = (event: PlanEvent, field: string): unknown =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name !== field))

test('there is a sample of every event', () => {
  expect(Object.keys(SAMPLE_EVENTS).toSorted()).toEqual(
    EVENT_DEFINITIONS.map(({ shape }) => shape.type).toSorted(),
  )
})

describe.each(samples)('$type', (event) => {
  test('survives a round trip through JSON', () => {
    expect(checkEvent(JSON.parse(JSON.stringify(event)))).toEqual(event)
    expect(eventCodec.check(event)).toEqual(event)
  })

  test('is rejected when a field is missing, and the error names the field', () => {
    for (const field of fieldsOf(event)) {
      expect(() => checkEvent(without(event, field))).toThrow(
        new RegExp(`^invalid ${event.type}: .*${field}`, 's'),
      )
    }
  })

  test('is rejected with an unknown field, and the error names the field', () => {
    expect(() => checkEvent({ ...event, colour: 'red' })).toThrow(
      new RegExp(`^invalid ${event.type}: .*colour`, 's'),
    )
  })

  test('is rejected in another version', () => {
    const next = event.v + 1
    expect(() => checkEvent({ ...event, v: next })).toThrow(
      `${event.type} has version ${next}; this Bosun reads version ${event.v}`,
    )
  })
})

test.each([null, 'plan.paused', 7, [], undefined])('%j is not an event', (input) => {
  expect(() => checkEvent(input)).toThrow('an event must be an object')
})

test.each(['plan.forgotten', 'toString', '__proto__', 7, null])('%j is not a type of event', (type) => {
  expect(() => checkEvent({ type, v: 1 })).toThrow(`unknown event type ${JSON.stringify(type)}`)
})

test.each([undefined, null, '1', 0, -1, 1.5, Number.NaN])('%j is not a version', (v) => {
  expect(() => checkEvent({ ...SAMPLE_EVENTS['plan.resumed'], v })).toThrow('plan.resumed has no version')
})

test.each<[string, EventType, Record<string, unknown>]>([
  ['a worker id with a slash', 'worker.started', { worker: '../w' }],
  ['an attempt before the first', 'worker.started', { attempt: 0 }],
  [
    'an outcome that does not exist',
    'task.gated',
    { verdicts: [{ gate: 'unit', outcome: 'green', evidence: '' }] },
  ],
  [
    'a gate that does not exist',
    'task.gated',
    { verdicts: [{ gate: 'mood', outcome: 'passed', evidence: '' }] },
  ],
  ['no verdicts at all', 'task.gated', { verdicts: [] }],
  ['an event without an author', 'plan.paused', { by: '' }],
  ['a negative time', 'worker.ended', { end: { kind: 'limited', until: -1 } }],
])('%s is rejected', (_, type, fields) => {
  expect(() => checkEvent({ ...SAMPLE_EVENTS[type], ...fields })).toThrow(`invalid ${type}`)
})

test('a report from an older log has no criteria', () => {
  const report = {
    explanation: '',
    selfAssessment: 'confident',
    blockers: [],
    risks: [],
    reviewNote: null,
  }
  const ended = { worker: 'w-a-1', task: '1', attempt: 1, end: { kind: 'done' }, report }
  expect(checkEvent({ type: 'worker.ended', v: 1, ...ended })).toMatchObject({ report: { criteria: [] } })
})

test('the error about an invalid event is one bounded line', () => {
  const broken = { type: 'plan.registered', v: 1, repo: 7 }
  expect(() => checkEvent(broken)).toThrow(/^invalid plan\.registered: repo: [^\n]{1,300} \(and \d+ more\)$/)
})
