import { expect, test } from 'vitest'
import { LiveBlock } from './follow.ts'
import { styleOf } from './terminal/terminal.ts'
import type { Terminal } from './terminal/terminal.ts'

const ESC = '\u001b'
const SEQUENCES = new RegExp(`${ESC}\\[(\\d+)A|(${ESC}\\[J)|([^${ESC}]+|${ESC}\\[\\d+m)`, 'g')

/** A screen that knows the two sequences the block uses. */
class Screen {
  readonly lines: string[] = ['']
  readonly terminal = {
    width: 20,
    print: (text: string) => Promise.resolve(this.#take(text)),
  } as unknown as Terminal

  #take(text: string): 'written' {
    for (const [, up, , rest] of text.matchAll(SEQUENCES)) {
      if (up !== undefined) this.lines.splice(this.lines.length - 1 - Number(up), Number(up))
      for (const [place, part] of (rest ?? '').split('\n').entries()) {
        if (place > 0) this.lines.push('')
        this.lines[this.lines.length - 1] += part
      }
    }
    return 'written'
  }
}

test('what stands above stays, the block is drawn over', async () => {
  const screen = new Screen()
  const live = new LiveBlock(screen.terminal)
  await live.draw([], ['one', 'two'])
  await live.draw(['happened'], ['three'])
  await live.draw(['again'], ['four', 'five', 'six'])
  expect(screen.lines).toEqual(['happened', 'again', 'four', 'five', 'six', ''])
  await live.clear()
  expect(screen.lines).toEqual(['happened', 'again', ''])
})

test('no line is wider than the terminal, no block taller than it can be drawn over, nothing escapes', async () => {
  const screen = new Screen()
  const live = new LiveBlock(screen.terminal)
  const { red } = styleOf('coloured')
  await live.draw(
    ['\u001b]0;title\u0007plain'],
    [red('x'.repeat(50)), ...Array.from({ length: 50 }, () => 'row')],
  )
  expect(screen.lines[0]).toBe('plain')
  expect(screen.lines[1]).toBe(`${'x'.repeat(18)}…`)
  expect(screen.lines.length).toBeLessThan(25)
})
