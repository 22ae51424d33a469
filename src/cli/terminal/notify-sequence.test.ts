import { expect, test } from 'vitest'
import { notifySequence } from './notify-sequence.ts'

const NOTICE = { title: 'Bosun', text: 'E-1 asks; now' }
const shown = (env: Record<string, string>, notice = NOTICE): string =>
  JSON.stringify(notifySequence(env, notice)).slice(1, -1)

test.each([
  [
    { TERM: 'xterm-kitty' },
    String.raw`\u001b]99;i=bosun:d=0;Bosun\u001b\\\u001b]99;i=bosun:p=body;E-1 asks, now\u001b\\`,
  ],
  [{ TERM: 'foot' }, String.raw`\u001b]777;notify;Bosun;E-1 asks, now\u001b\\`],
  [{ TERM_PROGRAM: 'iTerm.app' }, String.raw`\u001b]9;Bosun: E-1 asks, now\u0007`],
  [{ TERM: 'xterm-256color' }, String.raw`\u0007`],
  [{ TERM: 'screen', STY: '1.x', KITTY_WINDOW_ID: '1' }, String.raw`\u0007`],
  [
    { TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: '/tmp/x,1,0', LC_TERMINAL: 'iTerm2' },
    String.raw`\u001bPtmux;\u001b\u001b]9;Bosun: E-1 asks, now\u0007\u001b\\\u0007`,
  ],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/x,1,0' }, String.raw`\u0007`],
])('a terminal with %j is sent what it knows', (env, sequence) => {
  expect(shown(env)).toBe(sequence)
})

test('text from outside cannot end the sequence and begin another', () => {
  const hostile = { title: 'Bosun', text: 'a\u0007b\u001b]52;c;eA==\u0007c\u009cd' }
  const sent = notifySequence({ TERM_PROGRAM: 'iTerm.app' }, hostile)
  for (const end of ['\u0007', '\u009c']) expect(sent.slice(0, -1)).not.toContain(end)
  expect(sent.split('\u001b').length).toBe(2)
})
