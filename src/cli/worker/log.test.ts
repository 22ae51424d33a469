import { expect, test } from 'vitest'
import type { TranscriptLine } from '../../protocol/worker-views.ts'
import { styleOf } from '../terminal/terminal.ts'
import { TranscriptWriter } from './log.ts'

type Entry = Partial<TranscriptLine> & Pick<TranscriptLine, 'kind'>

/** What is printed entry by entry, and at the end. */
function printed(entries: readonly Entry[], style: 'plain' | 'coloured' = 'plain'): readonly string[] {
  const writer = new TranscriptWriter(styleOf(style))
  const all = entries.map((entry) => ({
    timestamp: null,
    call: null,
    text: '',
    outcome: null,
    detail: null,
    ...entry,
  }))
  return [...all.map((entry) => writer.write(entry)), writer.end()]
}
const shown = (...entries: readonly Entry[]): string => printed(entries).join('')

test("an agent's text that was recorded in pieces is one text, printed as it comes", () => {
  expect(
    printed([
      { kind: 'message', text: 'I look at the te' },
      { kind: 'usage' },
      { kind: 'message', text: 'sts.\n\n' },
      { kind: 'message', text: 'They pass.\n' },
      { kind: 'thought', text: 'So ' },
      { kind: 'thought', text: 'far.' },
      { kind: 'tool_started', text: 'read x' },
    ]),
  ).toEqual([
    'agent  I look at the te',
    '',
    'sts.',
    '\n\n  They pass.',
    '\nthinks So ',
    'far.',
    '\ntool   read x\n',
    '',
  ])
})

test('messages, tool calls and permissions are a line each, with their outcome', () => {
  const lines = [
    shown({ kind: 'message', text: 'I begin.' }),
    shown({ kind: 'tool_started', text: 'edit src/a.ts' }),
    shown({ kind: 'tool_ended', text: 'edit src/a.ts', outcome: 'completed' }),
    shown({ kind: 'tool_ended', text: 'execute npm test', outcome: 'failed', detail: '1 failed' }),
    shown({ kind: 'permission_asked', text: 'git push', outcome: 'deny', detail: 'pushes' }),
    shown({ kind: 'permission_answered', text: 'by policy', outcome: 'deny' }),
  ]
  expect(lines).toEqual([
    'agent  I begin.\n',
    'tool   edit src/a.ts\n',
    '       completed edit src/a.ts\n',
    'failed execute npm test\n  1 failed\n',
    'asks   git push: deny (pushes)\n',
    'answer deny by policy\n',
  ])
})

test('what an agent says cannot move the cursor or set the title', () => {
  const evil = 'a\u001b[2Jb\u001b]0;owned\u0007c\u202ed'
  for (const kind of ['message', 'output', 'error', 'tool_started'] as const)
    // eslint-disable-next-line no-control-regex
    expect(shown({ kind, text: evil })).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('a long brief is cut, and the cut is named', () => {
  const text = shown({
    kind: 'prompt',
    text: Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n'),
  })
  expect(text.split('\n')).toHaveLength(14)
  expect(text).toContain('… 28 more lines (--json shows them)')
})

test('a thought is dimmed', () => {
  const text = printed([{ kind: 'thought', text: 'hm' }], 'coloured').join('')
  expect(text).toBe('\u001b[2mthinks \u001b[22m\u001b[2mhm\u001b[22m\n')
})

test('an empty line gets no spaces', () => {
  expect(shown({ kind: 'message', text: 'a\n\nb' })).toBe('agent  a\n\n  b\n')
})
