import { describe, expect, test } from 'vitest'
import { anItem } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import type { PresentItem } from '../core/decide/effects.ts'
import { describeHumanReviewer } from '../../test/conformance/human-reviewer.conformance.ts'
import { inSequence, ScriptedPerson } from './scripted-person.ts'

describeHumanReviewer('the scripted person', () => {
  const { clock, until, quiet } = virtualWorld()
  const answers = new Map<string, string>()
  const human = new ScriptedPerson(clock, ({ item }) => {
    const choice = answers.get(item.id)
    return choice === undefined ? null : { choice, feedback: '', afterMs: 10, times: 1 }
  })
  return {
    human,
    visible: () => [...human.presented.keys()],
    willAnswer: (id, choice) => answers.set(id, choice),
    until,
    quiet,
  }
})

describe('decisions in sequence', () => {
  const signOff: PresentItem = { ...anItem('R-9'), item: { ...anItem('R-9').item, kind: 'release' } }

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
    expect(script(signOff)).toBeNull()
    expect(script(anItem('A-1'))?.choice).toBe('approve')
  })
})
