import { expect, test } from 'vitest'
import { fenceResolver, marksOf } from './lines.ts'

test('fences, task headings, steps and other headings are marked, other lines are not', () => {
  const marks = marksOf(['# A', 'x', '### Task 1: b', '**Step 1: c**', '- [ ] **Files:**', '```js', '``'])
  expect(marks.map((mark) => [mark.kind, mark.index])).toEqual([
    ['heading', 0],
    ['task', 2],
    ['step', 3],
    ['step', 4],
    ['fence', 5],
  ])
})

test('an unclosed fence is searched only once, so that many of them stay cheap', () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? '```md' : '### Task 1: x'))
  let looks = 0
  const marks = new Proxy(marksOf(texts), {
    get: (target, key, receiver) => {
      looks++
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  const resolve = fenceResolver(marks, texts.length)
  for (let at = 0; at < marks.length; at += 2) resolve(at)
  expect(looks).toBeLessThan(20 * texts.length)
})
