import { expect, test } from 'vitest'
import { readOutputLine, type OutputFormat } from './output-formats.ts'

const read = (format: OutputFormat, line: object) => readOutputLine(format, JSON.stringify(line))
const amounts = (tokensIn: number, out: number, cached: number | null = null, usd: number | null = null) => ({
  in: tokensIn,
  out,
  cached,
  usd,
})

test('a line that is no JSON is text', () => {
  for (const line of ['Warning: no colours', '{ broken', '[1]'])
    expect(readOutputLine('codex', line)).toEqual({ text: line })
})

test('an unknown line says nothing', () => {
  for (const format of ['claude', 'codex', 'pi'] as const)
    expect(read(format, { type: 'news', message: 7, part: null, usage: 'much' })).toEqual({ text: null })
})

test('an answer of Claude Code is its text and its tools, with its usage by its id', () => {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 2,
    output_tokens: 3,
  }
  const content = [
    { type: 'text', text: 'I write.' },
    { type: 'tool_use', name: 'Write', input: { path: 'a' } },
  ]
  expect(read('claude', { type: 'assistant', message: { id: 'm1', model: 'opus', content, usage } })).toEqual(
    {
      text: 'I write.\n[Write] {"path":"a"}',
      step: { id: 'm1', used: amounts(17, 3, 5) },
      model: 'opus',
    },
  )
})

test('a sub-agent counts, and its model is not that of the worker', () => {
  const message = { id: 'm2', model: 'haiku', content: [], usage: { input_tokens: 4, output_tokens: 1 } }
  const line = read('claude', { type: 'assistant', parent_tool_use_id: 't1', message })
  expect(line).toEqual({ text: null, step: { id: 'm2', used: amounts(4, 1) } })
})

test('an error that Claude Code words as an answer names no model', () => {
  const message = { id: 'm3', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 429' }] }
  expect(read('claude', { type: 'assistant', message })).toEqual({ text: 'API Error: 429' })
})

test('the result of Claude Code counts all models, which has sub-agents in it', () => {
  const modelUsage = {
    opus: { inputTokens: 10, cacheReadInputTokens: 5, cacheCreationInputTokens: 0, outputTokens: 3 },
    haiku: { inputTokens: 4, outputTokens: 1 },
  }
  const usage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 }
  const result = {
    type: 'result',
    subtype: 'success',
    result: 'Done.',
    total_cost_usd: 0.2,
    usage,
    modelUsage,
  }
  expect(read('claude', result)).toEqual({ text: null, total: amounts(19, 4, 5, 0.2) })
})

test('a failure is text', () => {
  expect(read('claude', { type: 'result', is_error: true, result: 'API Error: 401' }).text).toBe(
    'API Error: 401',
  )
  expect(read('codex', { type: 'turn.failed', error: { message: 'limit' } }).text).toBe('limit')
  const failed = { role: 'assistant', content: [], errorMessage: '429' }
  expect(read('pi', { type: 'message_end', message: failed }).text).toBe('429')
})

test('a turn of Codex has its usage, and its items are text', () => {
  const usage = { input_tokens: 10, cached_input_tokens: 5, output_tokens: 3 }
  expect(read('codex', { type: 'turn.completed', usage })).toEqual({ text: null, total: amounts(10, 3, 5) })
  const item = { type: 'command_execution', command: 'npm test', aggregated_output: 'ok\n' }
  expect(read('codex', { type: 'item.completed', item }).text).toBe('[run] npm test\nok\n')
})

test('each step of pi is counted, with its cost', () => {
  const usage = { input: 10, output: 3, cacheRead: 5, cacheWrite: 2, cost: { total: 0.1 } }
  const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi' }], usage }
  expect(read('pi', { type: 'message_end', message })).toEqual({
    text: 'Hi',
    step: { id: null, used: amounts(17, 3, 5, 0.1) },
  })
})

test('negative and endless numbers count as nothing', () => {
  const usage = '{"input_tokens":-5,"cached_input_tokens":1e999,"output_tokens":"3"}'
  const line = readOutputLine('codex', `{"type":"turn.completed","usage":${usage}}`)
  expect(line.total).toEqual({ in: null, out: null, cached: null, usd: null })
})
