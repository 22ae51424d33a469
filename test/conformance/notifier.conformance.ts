/** What every notifier must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Notice, Notifier } from '../../src/ports/notifier.ts'

export interface NotifierUnderTest {
  readonly notifier: Notifier
  /** The texts that people got, in order. */
  readonly texts: () => readonly string[]
}

const notice = (id: string, text: string): Notice => ({ id, plan: 'shop', text })

export function describeNotifier(name: string, make: () => NotifierUnderTest): void {
  describe(name, () => {
    let made: NotifierUnderTest
    beforeEach(() => {
      made = make()
    })

    test('tells people', async () => {
      await made.notifier.notify(notice('report 1', 'one'))
      await made.notifier.notify(notice('report 2', 'two'))
      expect(made.texts()).toEqual(['one', 'two'])
    })

    test('does not repeat a text', async () => {
      await made.notifier.notify(notice('report 1', 'one'))
      await made.notifier.notify(notice('report 1', 'one, again'))
      expect(made.texts()).toEqual(['one'])
    })
  })
}
