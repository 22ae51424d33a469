import { expect, test } from 'vitest'
import type { EventMessage } from '../protocol/answers.ts'
import type { Call } from './command.ts'
import { followerFor } from './follow.ts'
import { attachedNotice, notifySequence } from './follow.ts'

const NOTICE = {
  id: 'msg_1',
  title: 'Bosun: 2 things need you',
  text: 'shop E-1: a\nshop E-2: b',
  link: null,
}
const BELL = '\u0007'

const message: EventMessage = {
  seq: 1,
  version: 1,
  timestamp: '2026-01-01T10:00:00Z',
  plan: 'shop',
  task: null,
  text: null,
  details: [],
  activity: [{ timestamp: '2026-01-01T10:00:00Z', event: 'escalation_opened', text: '', data: {} }],
}

function atTerminal(env: Readonly<Record<string, string>> = {}) {
  const written: string[] = []
  const terminal = {
    env,
    output: 'terminal',
    width: 80,
    height: 24,
    style: { dim: (text: string) => text },
    print: async (text: string) => {
      written.push(text)
      return 'written' as const
    },
  }
  const follower = followerFor({ terminal, json: false } as unknown as Call, {
    command: 'watch',
    block: () => [],
    isOnePlan: false,
  })
  return { follower, written }
}

test('a terminal rings for a notice, not for an event: when that is due the daemon decides', async () => {
  const { follower, written } = atTerminal()
  expect(follower.notices).toBe('terminal')
  await follower.show(message)
  expect(written.join('')).not.toContain(BELL)
  await follower.show({ ...message, activity: [], notice: NOTICE })
  expect(written.join('')).toContain(BELL)
  await follower.end()
})

test('a terminal asks for no notices where the environment turns them off', async () => {
  const { follower } = atTerminal({ BOSUN_NOTIFY: 'off' })
  expect(follower.notices).toBeUndefined()
  await follower.end()
})

test('a terminal that knows a sequence shows all lines of a notice', async () => {
  expect(await attachedNotice({ TERM_PROGRAM: 'WezTerm' }, NOTICE)).toBe(
    `\u001b]9;Bosun: 2 things need you: shop E-1: a · shop E-2: b${BELL}`,
  )
})

const SHOWN = { title: 'Bosun', text: 'E-1 asks; now' }
const shown = (env: Record<string, string>, notice = SHOWN): string =>
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
