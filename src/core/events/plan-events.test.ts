import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { checkEvent } from './codec.ts'
import { always, changesNothing, eventShape, type EventDefinition } from './define.ts'
import { notShown } from './rendering.ts'
import { text } from '../event-schemas/schemas.ts'
import { definitionOf, EVENT_DEFINITIONS, isEventType } from './plan-events.ts'

const EVENT_TYPES = EVENT_DEFINITIONS.map(({ shape }) => shape.type)

test('every event has one definition', () => {
  expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length)
  for (const type of EVENT_TYPES) expect(definitionOf(type).shape.type).toBe(type)
})

test.each(['plan.forgotten', 'toString', 'constructor', '', 7, null])('%j is not a type of event', (type) => {
  expect(isEventType(type)).toBe(false)
})

describe.each(EVENT_TYPES)('the definition of %s', (type) => {
  const { shape, ...definition } = definitionOf(type)
  const event = SAMPLE_EVENTS[type]

  test('accepts its sample', () => {
    expect(checkEvent(event)).toMatchObject({ type, v: shape.version })
  })

  test('either changes the state in place or replaces it', () => {
    expect([definition.apply, definition.replace].filter((way) => way !== undefined)).toHaveLength(1)
  })

  test('is shown in a sentence without line breaks, and as data under a name', () => {
    const { text, facts } = definition.render(event, 1)
    for (const one of facts) expect(one.event).toMatch(/^[a-z]+(_[a-z]+)+$/)
    for (const sentence of [text, ...facts.map((one) => one.text ?? null)])
      expect(sentence ?? 'left out').toMatch(/^[^\n]+$/)
  })
})

test('a definition that leaves a part out does not compile', () => {
  const shape = eventShape('plan.sampled', 1, () => ({ note: text }))
  const whole: EventDefinition<typeof shape> = {
    shape,
    rejectionReason: always,
    apply: changesNothing,
    render: notShown,
  }
  const { rejectionReason, apply, render } = whole
  // @ts-expect-error: it has no rejection reason.
  const unchecked: typeof whole = { shape, apply, render }
  // @ts-expect-error: it changes nothing.
  const unapplied: typeof whole = { shape, rejectionReason, render }
  // @ts-expect-error: it is not shown.
  const silent: typeof whole = { shape, rejectionReason, apply }
  expect([unchecked, unapplied, silent].map((part) => Object.keys(part).length)).toEqual([3, 3, 3])
})
