import { expect, test } from 'vitest'
import { addDecision, decisionLog, decisionsIn, type DecisionLog } from './decision-log.ts'

function logOf(count: number): DecisionLog | null {
  let log: DecisionLog | null = null
  for (let at = 1; at <= count; at++) log = addDecision(log, at, `reason ${at}`)
  return log
}

test('a log without decisions is empty', () => {
  expect(decisionsIn(null)).toEqual([])
})

test('decisions are listed in the order they were made', () => {
  expect(decisionsIn(logOf(2))).toEqual([
    { at: 1, text: 'reason 1' },
    { at: 2, text: 'reason 2' },
  ])
})

test('a log of up to 200 decisions is whole', () => {
  expect(decisionsIn(logOf(200)).map(({ at }) => at)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1))
})

test('a longer log keeps its latest part and notes the cut', () => {
  const decisions = decisionsIn(logOf(201))
  expect(decisions).toHaveLength(102)
  expect(decisions[0]).toEqual({ at: 201, text: '(earlier decisions are in the log only)' })
  expect(decisions[1]?.text).toBe('reason 101')
  expect(decisions.at(-1)?.text).toBe('reason 201')
})

test('a log that is listed and loaded again continues in the same way', () => {
  const again = decisionLog(decisionsIn(logOf(199)))
  expect(again).toEqual(logOf(199))
  expect(decisionsIn(addDecision(addDecision(again, 200, 'reason 200'), 201, 'reason 201'))).toEqual(
    decisionsIn(logOf(201)),
  )
})
