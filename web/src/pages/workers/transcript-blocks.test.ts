import { expect, test } from 'vitest'
import type { TranscriptLine } from '../../../../src/protocol/worker-views.ts'
import { transcriptBlocks } from './transcript-blocks.ts'

const line = (kind: TranscriptLine['kind'], more: Partial<TranscriptLine> = {}): TranscriptLine => ({
  timestamp: null,
  kind,
  call: null,
  text: '',
  outcome: null,
  detail: null,
  ...more,
})

test('a tool call and its end are one block, also with another call between them', () => {
  const blocks = transcriptBlocks([
    line('tool_started', { call: 'a', text: 'read x' }),
    line('tool_started', { call: 'b', text: 'read y' }),
    line('tool_ended', { call: 'a', outcome: 'completed', detail: 'content of x' }),
  ])
  expect(blocks).toMatchObject([
    { of: 'tool', text: 'read x', outcome: 'completed', detail: 'content of x' },
    { of: 'tool', text: 'read y', outcome: null },
  ])
})

test('a tool call has the name that its end gives it, and a permission keeps what was asked', () => {
  const blocks = transcriptBlocks([
    line('tool_started', { call: 'a', text: 'execute Terminal' }),
    line('tool_ended', { call: 'a', text: 'execute npm test', outcome: 'completed' }),
    line('tool_started', { call: 'b', text: 'read x' }),
    line('tool_ended', { call: 'b', outcome: 'failed' }),
    line('permission_asked', { call: 'c', text: 'curl x' }),
    line('permission_answered', { call: 'c', text: 'by Ann', outcome: 'allowed' }),
  ])
  expect(blocks.map(({ text }) => text)).toEqual(['execute npm test', 'read x', 'curl x'])
})

test('a running tool call has its arguments as soon as the agent sends them, and its end has them once', () => {
  const lines = [
    line('tool_started', { call: 'a', text: 'execute Terminal' }),
    line('tool_updated', { call: 'a', text: 'execute npm', detail: '{"command":"npm"}' }),
    line('tool_updated', { call: 'a', text: 'execute npm test', detail: '{"command":"npm test"}' }),
  ]
  const running = { text: 'execute npm test', outcome: null, detail: '{"command":"npm test"}' }
  expect(transcriptBlocks(lines)).toMatchObject([running])
  expect(transcriptBlocks(lines.slice(2))).toMatchObject([running])
  const detail = '{"command":"npm test"}\n2 passed'
  const end = line('tool_ended', { call: 'a', outcome: 'completed', detail })
  expect(transcriptBlocks([...lines, end])).toMatchObject([{ outcome: 'completed', detail }])
  const begun = line('tool_started', { call: 'b', text: 'read x', detail: '{"path":"x"}' })
  expect(transcriptBlocks([begun, line('tool_ended', { call: 'b', outcome: 'failed' })])).toMatchObject([
    { outcome: 'failed', detail: '{"path":"x"}' },
  ])
})

test('a message that was cut within a word is whole again', () => {
  const blocks = transcriptBlocks([
    line('message', { text: 'I look at the te' }),
    line('message', { text: 'sts.\n\nThey pass.' }),
    line('thought', { text: 'Well, ' }),
    line('thought', { text: 'well.' }),
  ])
  expect(blocks.map(({ text }) => text)).toEqual(['I look at the tests.\n\nThey pass.', 'Well, well.'])
})

test('an end without a beginning is shown, not dropped', () => {
  expect(
    transcriptBlocks([line('tool_ended', { call: 'a', text: 'read x', outcome: 'failed' })]),
  ).toMatchObject([{ of: 'tool', text: 'read x', outcome: 'failed' }])
})

test('neighbouring output is one block, and prompts stay apart', () => {
  const blocks = transcriptBlocks([
    line('output', { text: 'one\n' }),
    line('output', { text: 'two' }),
    line('prompt', { text: 'a' }),
    line('prompt', { text: 'b' }),
  ])
  expect(blocks.map((block) => ('text' in block ? block.text : ''))).toEqual(['one\ntwo', 'a', 'b'])
})

test('a block keeps its key while lines are added', () => {
  const lines = [line('message', { text: 'a' }), line('tool_started', { call: 'a' })]
  const before = transcriptBlocks(lines)
  const after = transcriptBlocks([
    ...lines,
    line('tool_ended', { call: 'a' }),
    line('message', { text: 'b' }),
  ])
  expect(after.slice(0, 2).map(({ key }) => key)).toEqual(before.map(({ key }) => key))
})
