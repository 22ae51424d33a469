/** What everybody who stands in for a person must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import { anItem } from '../helpers/requests.ts'
import type { PersonAnswer } from '../../src/core/answers/person-answer.ts'
import type { AnswerTaken, HumanReviewer } from '../../src/ports/human-reviewer.ts'

export interface PersonUnderTest {
  readonly human: HumanReviewer
  /** The ids of the items a person can see. */
  readonly visible: () => readonly string[]
  /** The person answers this item as soon as they see it; nothing else is answered. */
  readonly willAnswer: (id: string, choice: string) => void
  /** Lets the world go on until this is so. */
  readonly until: (isSo: () => boolean) => Promise<void>
  /** Lets the world go on long enough for anything that is still to come by itself. */
  readonly quiet: () => Promise<void>
}

export function describeHumanReviewer(name: string, make: () => PersonUnderTest): void {
  describe(name, () => {
    let made: PersonUnderTest
    let heard: PersonAnswer[]
    beforeEach(() => {
      made = make()
      heard = []
    })
    const keeping = (kept: PersonAnswer[]) => (answer: PersonAnswer) => {
      kept.push(answer)
      return Promise.resolve<AnswerTaken>({ ok: true })
    }
    const listen = (): (() => void) => made.human.listen(keeping(heard))

    test('an item that was presented is where a person can see it', async () => {
      await made.human.present(anItem('E-1'))
      expect(made.visible()).toEqual(['E-1'])
    })

    test('presenting it again changes nothing', async () => {
      listen()
      made.willAnswer('E-1', 'retry')
      await made.human.present(anItem('E-1'))
      await made.until(() => heard.length > 0)
      await made.human.present(anItem('E-1'))
      await made.quiet()
      expect([made.visible().length, heard.length]).toEqual([1, 1])
    })

    test('an answer that could not be processed is delivered again, and a refused one is not', async () => {
      let isFull = true
      made.human.listen(async (answer) => {
        if (isFull) {
          isFull = false
          throw new Error('the disk is full')
        }
        heard.push(answer)
        return { ok: false, refusal: { kind: 'over', why: 'E-1 is not open', remedy: 'none' } }
      })
      made.willAnswer('E-1', 'retry')
      await made.human.present(anItem('E-1'))
      await made.until(() => heard.length > 0)
      await made.quiet()
      expect(heard.map(({ id, choice }) => [id, choice])).toEqual([['E-1', 'retry']])
    })

    test('an answer waits for the first listener', async () => {
      made.willAnswer('E-1', 'retry')
      await made.human.present(anItem('E-1'))
      await made.until(() => true)
      listen()
      await made.until(() => heard.length > 0)
      expect(heard[0]).toMatchObject({ id: 'E-1', choice: 'retry' })
      expect(heard[0]?.by).not.toBe('')
    })

    test('an answer may never come', async () => {
      listen()
      await made.human.present(anItem('E-1'))
      await made.quiet()
      expect(heard).toEqual([])
    })

    test('listeners are never called from within present or listen', async () => {
      made.willAnswer('E-1', 'retry')
      made.willAnswer('E-2', 'retry')
      await made.human.present(anItem('E-1'))
      listen()
      expect(heard).toEqual([])
      const presenting = made.human.present(anItem('E-2'))
      expect(heard).toEqual([])
      await presenting
    })

    test('who stopped listening hears nothing more', async () => {
      const unlisten = listen()
      unlisten()
      unlisten()
      const others: PersonAnswer[] = []
      made.human.listen(keeping(others))
      made.willAnswer('E-1', 'retry')
      await made.human.present(anItem('E-1'))
      await made.until(() => others.length > 0)
      expect(heard).toEqual([])
    })
  })
}
