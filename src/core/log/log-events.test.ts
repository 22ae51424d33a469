import { expect, test } from 'vitest'
import { SAMPLE_INTERVIEW_EVENTS } from '../../../test/helpers/interview-events.ts'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { INTERVIEW_DEFINITIONS, interviewDefinitionOf } from '../interview/events/interview-events.ts'
import { isInterviewEvent, isPlanEvent, logCodec } from './log-events.ts'

test('the log reads events of both families', () => {
  for (const event of [...Object.values(SAMPLE_EVENTS), ...SAMPLE_INTERVIEW_EVENTS]) {
    expect(logCodec.check(JSON.parse(JSON.stringify(event)))).toEqual(event)
    expect(isPlanEvent(event)).toBe(!isInterviewEvent(event))
  }
})

test('every event of an interview has a sample', () => {
  const types = INTERVIEW_DEFINITIONS.map(({ shape }) => shape.type)
  expect(SAMPLE_INTERVIEW_EVENTS.map(({ type }) => type)).toEqual(types)
})

test('an invalid event of an interview is refused with the field that is wrong', () => {
  const [opened] = SAMPLE_INTERVIEW_EVENTS
  expect(() => logCodec.check({ ...opened, number: 0 })).toThrow('invalid interview.opened: number')
  expect(() => logCodec.check({ ...opened, v: 2 })).toThrow('interview.opened has version 2')
  expect(() => logCodec.check({ ...opened, extra: 1 })).toThrow('invalid interview.opened')
  expect(() => logCodec.check({ type: 'interview.unknown', v: 1 })).toThrow('unknown event type')
})

test('every event of an interview has lines that can be written as JSON', () => {
  for (const event of SAMPLE_INTERVIEW_EVENTS) {
    const { text, facts } = interviewDefinitionOf(event.type).render(event)
    for (const { data } of facts) expect(JSON.parse(JSON.stringify(data))).toEqual(data)
    expect(text).not.toBe('')
  }
})
