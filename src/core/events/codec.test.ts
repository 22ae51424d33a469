import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { NO_EVIDENCE } from '../event-schemas/evidence.ts'
import { checkEvent, eventCodec, type Older } from './codec.ts'
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

  test('is rejected in a newer version than this build supports', () => {
    const next = event.v + 1
    expect(() => checkEvent({ ...event, v: next })).toThrow(
      `${event.type} has version ${next}; this Bosun supports up to ${event.v}`,
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

describe('an event of an older version', () => {
  const steps: Older = {
    'plan.resumed': [
      ({ who, ...rest }) => ({ ...rest, v: 2, person: who }),
      ({ person, ...rest }) => ({ ...rest, v: 1, by: person }),
    ],
  }

  test('is upgraded step by step', () => {
    expect(checkEvent({ type: 'plan.resumed', v: 1, who: 'ada' }, steps)).toEqual({
      type: 'plan.resumed',
      v: 1,
      by: 'ada',
    })
  })

  test('runs only the upcasts it needs', () => {
    expect(checkEvent({ type: 'plan.resumed', v: 2, person: 'ada' }, steps)).toMatchObject({ by: 'ada' })
  })

  test('is validated after the last upcast', () => {
    expect(() => checkEvent({ type: 'plan.resumed', v: 2 }, steps)).toThrow('invalid plan.resumed')
  })

  test('is rejected when it is newer than the last upcast', () => {
    expect(() => checkEvent({ type: 'plan.resumed', v: 4, by: 'ada' }, steps)).toThrow(
      'plan.resumed has version 4; this Bosun supports up to 3',
    )
  })
})

const first = { gate: 'unit', outcome: 'failed', evidence: 'two tests fail' }

test('a verdict of the first version keeps its line as the summary', () => {
  const about = { task: '1', attempt: 1, tree: 't', scope: 'all' }
  expect(checkEvent({ type: 'task.gated', v: 1, ...about, verdicts: [first] })).toEqual({
    type: 'task.gated',
    v: 2,
    ...about,
    verdicts: [{ gate: 'unit', outcome: 'failed', summary: 'two tests fail', evidence: NO_EVIDENCE }],
  })
})

test('an invalid verdict of the first version is still rejected', () => {
  const event = { type: 'release.gated', v: 1, round: 1, tree: 't', verdicts: ['passed'] }
  expect(() => checkEvent(event)).toThrow('invalid release.gated')
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

test('a baseline of the first version keeps its existing tasks and has no branches', () => {
  const seen = { sha: 's', contextBlock: 'a shop', failing: ['cart > adds'] }
  const existing = [{ task: '1', evidence: 'it is there' }]
  expect(checkEvent({ type: 'plan.baselined', v: 1, ...seen, existing })).toEqual({
    type: 'plan.baselined',
    v: 2,
    ...seen,
    start: null,
    audits: [{ task: '1', status: 'EXISTS', evidence: 'it is there', files: [], runs: [] }],
    branches: { noticed: [], more: 0, trouble: null },
  })
  const broken = { type: 'plan.baselined', v: 1, ...seen, existing: ['1'] }
  expect(() => checkEvent(broken)).toThrow('invalid plan.baselined')
})

test('the error about an invalid event is one bounded line', () => {
  const broken = { type: 'plan.registered', v: 1, repo: 7 }
  expect(() => checkEvent(broken)).toThrow(/^invalid plan\.registered: repo: [^\n]{1,300} \(and \d+ more\)$/)
})
