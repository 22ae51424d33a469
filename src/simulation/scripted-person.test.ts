import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../test/helpers/sample-events.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import type { AnswerTaken, PersonAnswer } from '../core/answers/person-answer.ts'
import type { InboxItem } from '../core/event-schemas/schemas.ts'
import { inSequence, ScriptedPerson } from './scripted-person.ts'

const anItem = (id: string): InboxItem => ({ ...SAMPLE_EVENTS['inbox.opened'].item, id })

describe('a scripted person', () => {
  const answering = (answer: (given: PersonAnswer) => Promise<AnswerTaken>) => {
    const { clock, quiet } = virtualWorld()
    const script = () => ({ choice: 'retry', feedback: '', afterMs: 10, times: 1 })
    return { person: new ScriptedPerson({ clock, script, answer }), quiet }
  }

  test('answers an item once, however often it is shown', async () => {
    const given: string[] = []
    const { person, quiet } = answering(async ({ id, choice }) => {
      given.push(`${id} ${choice}`)
      return { ok: true }
    })
    person.see(anItem('E-1'))
    await quiet()
    person.see(anItem('E-1'))
    await quiet()
    expect(given).toEqual(['E-1 retry'])
  })

  test('repeats an answer that could not be processed, and not one that was refused', async () => {
    let tries = 0
    const { person, quiet } = answering(async () => {
      if (++tries === 1) throw new Error('the disk is full')
      return { ok: false, refusal: { kind: 'over', why: 'E-1 is not open', remedy: 'none' } }
    })
    person.see(anItem('E-1'))
    await quiet()
    expect([tries, person.refusals.length]).toEqual([2, 1])
  })
})

describe('decisions in sequence', () => {
  test('are given one after the other, then pause', () => {
    const script = inSequence([{ choice: 'revise', feedback: 'smaller' }, { choice: 'approve' }])
    expect([anItem('A-1'), anItem('A-2'), anItem('A-3')].map((item) => script(item))).toMatchObject([
      { choice: 'revise', feedback: 'smaller' },
      { choice: 'approve', feedback: '' },
      { choice: 'pause' },
    ])
  })

  test('are not spent on the sign-off', () => {
    const script = inSequence([{ choice: 'approve' }])
    expect(script({ ...anItem('R-9'), kind: 'release' })).toBeNull()
    expect(script(anItem('A-1'))?.choice).toBe('approve')
  })
})
