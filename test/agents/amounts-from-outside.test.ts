/** Amounts that agents and models report, by every way in: those that cannot be true count as not reported, and are told. */
import { describe, expect, test } from 'vitest'
import { readingAmounts } from '../../src/agents/command/reported-amounts.ts'
import { readOutputLine } from '../../src/agents/command/output-formats.ts'
import { parseReport } from '../../src/agents/command/parse-report.ts'
import { parseUpdate, promptResponseSchema } from '../../src/agents/supervisor/acp/updates.ts'
import { UsageMeter } from '../../src/agents/supervisor/acp/usage-meter.ts'
import { journalEntrySchema } from '../../src/agents/worker-records.ts'
import { readCheckin, spentIn } from '../../src/app/checkins/worker-channel.ts'
import { costOf } from '../../src/brain/budget-ledger.ts'
import { usageSchema } from '../../src/core/event-schemas/schemas.ts'
import { usageOf, type SessionUsage } from '../../src/ports/agent.ts'

const WRONG: readonly (readonly [string, unknown])[] = [
  ['above 2^53', 1e17],
  ['2^53', 2 ** 53],
  ['infinite', Infinity],
  ['not a number', NaN],
  ['negative', -1],
  ['text', '12'],
  ['a list', [1]],
]

describe.each(WRONG)('an amount that is %s', (_, wrong) => {
  const told = (read: () => unknown): readonly string[] => {
    const refused: string[] = []
    readingAmounts(read, (what) => refused.push(what))
    return refused
  }

  test('is not counted for a turn of a session, and is told', () => {
    const meter = new UsageMeter({ usage: 'sum' })
    const usage = { inputTokens: wrong, outputTokens: 3 }
    const refused = told(() => meter.turn(promptResponseSchema.parse({ stopReason: 'end_turn', usage })))
    expect(refused).toEqual([expect.stringMatching(/^not counted: .+ as tokens$/)])
    expect(meter.total).toMatchObject({ tokensIn: null, tokensOut: 3 })
  })

  test('is not counted as the cost of a session, and is told', () => {
    const update = { sessionUpdate: 'usage_update', used: 5, cost: { amount: wrong, currency: 'USD' } }
    let read: unknown
    expect(told(() => (read = parseUpdate({ sessionId: 's', update })?.update))).toHaveLength(1)
    expect(read).toEqual({ kind: 'usage', used: 5, usd: null })
  })

  test('is not counted for a command, and is told', () => {
    const usage = { input: wrong, output: 3, cost: { total: wrong } }
    const line = JSON.stringify({ type: 'message_end', message: { role: 'assistant', usage } })
    const { step } = readOutputLine('pi', line)
    expect(step?.used).toMatchObject({ in: null, out: 3, usd: null })
    // JSON has no such numbers.
    const isSent = !(typeof wrong === 'number' && !Number.isFinite(wrong))
    expect(told(() => readOutputLine('pi', line))).toHaveLength(isSent ? 2 : 0)
  })

  test('is left out of a report, with a note', () => {
    const text = JSON.stringify({ usage: { tokens_in: wrong, tokens_out: 3, usd: wrong } })
    const { value, notes } = parseReport(text)
    expect(value?.usage).toEqual({ tokensIn: null, tokensOut: 3, usd: null })
    if (typeof wrong !== 'number' || Number.isFinite(wrong)) expect(notes).toHaveLength(2)
  })

  test('is left out of a check-in, with a note, or the check-in is refused by the name of the key', () => {
    const read = readCheckin({ status: 'in_progress', progress_pct: 1, token_usage: wrong }, 0)
    // Shells send numbers as text.
    if (wrong === '12') return expect(read).toMatchObject({ ok: true, checkin: { notes: [] } })
    if (!read.ok) return expect(read.problem).toContain('token_usage')
    expect(spentIn(read.checkin.content)).toBeNull()
    expect(read.checkin.notes).toEqual(['token_usage: no count of tokens; not counted'])
  })

  test('is left out of a journal', () => {
    const of = { kind: 'usage', seq: 1, model: null }
    const read = journalEntrySchema.parse({
      ...of,
      tokensIn: wrong,
      tokensOut: 3,
      tokensCached: wrong,
      usd: wrong,
    })
    expect(read).toMatchObject({ tokensIn: null, tokensOut: 3, tokensCached: null, usd: null })
  })

  test('is left out of what a model used', () => {
    const tokens = wrong as number
    const reply = { text: '', model: 'm', tokensIn: tokens, tokensOut: 3, tokensCached: tokens, usd: tokens }
    const cost = costOf(reply, { prices: {}, asked: 'm' })
    expect(cost).toEqual({ tokensIn: 0, tokensOut: 3, tokensCached: 0, usd: null })
  })

  test('is left out of what is recorded, as a sum too', () => {
    const of = { model: null } as const
    const used = { tokensIn: wrong, tokensOut: 2.5, tokensCached: wrong, usd: wrong, ...of } as SessionUsage
    expect(usageSchema.parse(usageOf(used))).toMatchObject({ tokensIn: null, tokensOut: 3, usd: null })
  })
})
