import { describe, expect, test } from 'vitest'
import { goOn, newInterview, say, sendBack, type Driven } from '../../../test/helpers/drive-form.ts'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { PmStatus } from '../../protocol/interview.ts'
import { styleOf } from '../terminal/terminal.ts'
import { previewChoice, talk, type Talk } from './talk.ts'

/** Another one for another draft. */
const shaOf = ({ draft }: Driven): string => (draft ?? '').length.toString(16).padStart(64, '0')

interface Given {
  readonly error?: string
  readonly plan?: string
  readonly interrupted?: boolean
  /** It ends by itself when the state is read for the third time. */
  readonly outage?: { readonly state: 'SUSPEND' | 'WORKING'; readonly until: string | null }
}

/** A daemon with the real form in it; its architect approves at once, or fails. */
function daemonWith(interview: Driven, given: Given = {}) {
  let state: PmStatus['state'] = given.outage?.state ?? interview.state
  let plan: string | null = given.plan ?? null
  let looks = 0
  const isOut = (): boolean => given.outage !== undefined && state === given.outage.state
  const sent: string[] = []
  const openQuestion = (): PmStatus['open_question'] => {
    const last = interview.conversation.at(-1)
    return state === 'AWAIT_USER' && last?.from === 'pm'
      ? { text: last.text, questions: last.questions }
      : null
  }
  const status = (): PmStatus => ({
    session_id: state === 'WAITING' ? null : '1.1',
    state,
    suspended_from: null,
    open_question: openQuestion(),
    spec_sha: interview.draft === null ? null : shaOf(interview),
    expertise: 'basic',
    messages: interview.conversation.length,
    spent_usd: 0,
    why: isOut() ? 'anthropic is unavailable (529)' : null,
    parked_until: isOut() ? (given.outage?.until ?? null) : null,
    recoverable:
      given.error === undefined || state !== 'WAITING'
        ? null
        : {
            session_id: '1.1',
            title: 'Carts',
            state: 'AWAIT_ARCHITECT',
            why: given.error,
            since: '',
            messages: 2,
            spec_sha: shaOf(interview),
          },
    kept: [],
    plan,
    damaged: null,
  })
  const answers: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>> = {
    '/api/pm/status': () => {
      if (isOut() && ++looks > 2) state = interview.state
      if (state === 'AWAIT_ARCHITECT') {
        state = 'WAITING'
        plan = given.error === undefined ? 'clock' : null
      }
      return status()
    },
    '/api/pm/chat': ({ message, answers, after }) => {
      if (message === undefined) {
        const messages = interview.conversation.map((one, at) => ({
          ...one,
          from: one.from === 'system' ? 'architect' : one.from,
          position: at + 1,
          at: '',
        }))
        return { session_id: '1.1', state, messages: messages.slice(Number(after)), next: messages.length }
      }
      const said = typeof message === 'string' ? message : ''
      const filled = (answers ?? {}) as Readonly<Record<string, string>>
      sent.push(said === '' ? JSON.stringify(filled) : said)
      if (said === 'too long')
        throw new Refusal({ code: 'usage', message: 'the message is too long', remedy: 'Shorten it.' })
      state = say(interview, said, filled).state
      return status()
    },
    '/api/pm/preview/spec': () => ({
      session_id: '1.1',
      state,
      spec_sha: shaOf(interview),
      user_spec_md: interview.draft,
      bootstrap_spec_md: null,
      spec_metadata: { title: 'Clock', version: '1.0', priority: 'must', requirements_count: 1 },
    }),
    '/api/pm/preview/action': ({ action, spec_sha }) => {
      expect(spec_sha).toBe(shaOf(interview))
      sent.push(String(action))
      state = action === 'submit_to_architect' ? 'AWAIT_ARCHITECT' : goOn(interview).state
      return status()
    },
    '/api/plans/{id}': () => ({ tasks: [{ id: 'S-001.1', title: 'Add a clock' }] }),
  }
  const call = (path: string, body: Readonly<Record<string, unknown>>): Promise<never> =>
    Promise.resolve().then(() => answers[path]?.(body) as never)
  const daemon: Pick<Daemon, 'get' | 'post'> = {
    get: (path, asked) => call(path, { ...asked }),
    post: (path, body) => call(path, body),
  }
  return { daemon, sent, status, looks: () => looks }
}

interface Talked {
  readonly exit: string
  readonly shown: string
  readonly sent: readonly string[]
  /** How often the state was read during an outage. */
  readonly looks: number
}

/** `null`: there is no person to ask. */
async function talked(
  interview: Driven,
  lines: readonly string[] | null,
  given: Given = {},
): Promise<Talked> {
  const { daemon, sent, status, looks } = daemonWith(interview, given)
  const left = [...(lines ?? [])]
  let shown = ''
  const parts: Talk = {
    daemon,
    repo: '/repo',
    by: 'ann',
    style: styleOf('plain'),
    print: (text) => Promise.resolve(void (shown += text)),
    ask: lines === null ? null : () => Promise.resolve(left.shift() ?? null),
    edit: null,
    pause: () => Promise.resolve(),
    isInterrupted: () => given.interrupted === true && left.length === 0,
    followsPlan: false,
  }
  const { exit } = await talk(parts, status())
  return { exit, shown, sent, looks: looks() }
}

const started = (): Driven => say(newInterview(), 'Add a clock to the page')

/** Field by field: the goal stays, all others but what must be true stay empty. */
const FILLED = ['', '', 'It shows the time', 'It ticks', '', '', '', ''] as const
const SENT = JSON.stringify({ done: 'It shows the time\nIt ticks' })

test('an interview goes from fields to preview, architect and plan', async () => {
  const { exit, shown, sent } = await talked(started(), [...FILLED, '2'])
  expect(exit).toBe('ok')
  expect(sent).toEqual([SENT, 'submit_to_architect'])
  expect(shown).toContain('1/6 What should be built, changed or fixed, and why?\n   Add a clock to the page')
  expect(shown).toContain('### R-002: It ticks')
  expect(shown).toContain('1 Continue Interview\n  2 Submit for Development')
  expect(shown).toContain('The spec is with the architect.')
  expect(shown).toContain('plan clock, 1 task:\n  S-001.1  Add a clock\nFollow it with: bosun run clock')
})

test('a field that needs an answer is asked for until it has one', async () => {
  const { shown, sent } = await talked(started(), ['', '', '', 'It shows the time', '', '', '', '', 'q'])
  expect(shown).toContain('This one needs an answer.')
  expect(sent).toEqual([JSON.stringify({ done: 'It shows the time' })])
})

test('what was filled in before the user leaves stands in the form the next time', async () => {
  const interview = started()
  const { exit, sent } = await talked(interview, ['', 'sailors', '', 'q'])
  expect({ exit, sent }).toEqual({ exit: 'ok', sent: [JSON.stringify({ users: 'sailors' })] })
  expect(interview.conversation.at(-1)?.questions[1]).toMatchObject({ id: 'users', default: 'sailors' })
})

test('a changed spec becomes the plan that it was before', async () => {
  const { shown } = await talked(started(), [...FILLED, '2'], { plan: 'clock' })
  expect(shown).toContain('The spec became plan clock, 1 task:')
})

test('going on from the preview shows the form with what the draft says', async () => {
  const changed = ['', '', 'It shows the date', '', '', '', '']
  const { exit, sent, shown } = await talked(started(), [...FILLED, '1', ...changed, 's'])
  expect(exit).toBe('ok')
  expect(sent).toEqual([
    SENT,
    'continue_interview',
    JSON.stringify({ done: 'It shows the date' }),
    'submit_to_architect',
  ])
  expect(shown).toContain('   It shows the time\n   It ticks')
  expect(shown).toContain('### R-001: It shows the date')
})

test('words at the preview are asked about: which field are they for?', async () => {
  const { shown, sent } = await talked(started(), [...FILLED, 'also on phones', 'q'])
  expect(sent).toEqual([SENT, 'continue_interview', 'also on phones'])
  expect(shown).toContain('Which field is this for? "also on phones"')
})

test('the architect\u2019s words are shown where the spec was sent back', async () => {
  const interview = say(say(newInterview(), 'Add a clock'), 'It shows the time')
  const { shown } = await talked(sendBack(interview, 'R-001: which zone?'), ['q'])
  expect(shown).toContain('The architect sent it back:\n')
  expect(shown).toContain('which zone?')
})

test('a nod at the preview submits nothing', async () => {
  const { exit, sent, shown } = await talked(started(), [...FILLED, 'ok', 'q'])
  expect({ exit, sent }).toEqual({ exit: 'ok', sent: [SENT] })
  expect(shown).toContain('Type 2 to submit it')
})

test('without a person to ask, the open question is shown and a person is needed', async () => {
  const { exit, shown, sent } = await talked(started(), null)
  expect(exit).toBe('needs_person')
  expect(shown).toContain('3. What must be true when it is done?')
  expect(shown).toContain('Continue it with: bosun interview')
  expect(sent).toEqual([])
})

test('the end of the input leaves the interview open', async () => {
  expect(await talked(started(), [])).toMatchObject({ exit: 'needs_person' })
  expect(await talked(started(), FILLED)).toMatchObject({ exit: 'needs_person' })
})

test('q leaves the interview open', async () => {
  const { exit, shown, sent } = await talked(started(), ['q'])
  expect({ exit, sent }).toEqual({ exit: 'ok', sent: [] })
  expect(shown).toContain('Continue it with: bosun interview')
})

test('Ctrl-C leaves the interview open and says how to go on', async () => {
  const { exit, shown } = await talked(started(), ['a line'], { interrupted: true })
  expect(exit).toBe('interrupted')
  expect(shown).toContain('Continue it with: bosun interview')
})

test('a refused message is shown with its remedy, and the next one counts', async () => {
  const { exit, shown } = await talked(started(), [...FILLED, 'too long', ...FILLED, '2'])
  expect(exit).toBe('ok')
  expect(shown).toContain('the message is too long\n  Shorten it.')
})

test('an error is shown, and nothing is lost', async () => {
  const { exit, shown } = await talked(started(), [...FILLED, '2'], { error: 'the disk is full' })
  expect(exit).toBe('failed')
  expect(shown).toContain(
    'ended with an error: the disk is full\nNothing is lost. Continue it with: bosun interview --resume',
  )
})

describe('during an outage', () => {
  const until = '2026-11-18T07:05:00.000Z'
  const outages = [
    [{ state: 'SUSPEND', until: null }, 'Suspended: anthropic is unavailable (529). It goes on by itself.'],
    [
      { state: 'WORKING', until },
      `Parked until ${until}: anthropic is unavailable (529). It goes on by itself.`,
    ],
  ] as const

  test.each(outages)('without a person to ask, %o is shown and not waited for', async (outage, words) => {
    const { exit, shown, looks } = await talked(started(), null, { outage })
    expect({ exit, looks }).toEqual({ exit: 'needs_person', looks: 0 })
    expect(shown).toContain(words)
    expect(shown).toContain('Continue it with: bosun interview')
  })

  test.each(outages)('with a person, %o is shown once and waited for', async (outage, words) => {
    const { exit, shown, sent } = await talked(started(), [...FILLED, 'q'], { outage })
    expect({ exit, sent }).toEqual({ exit: 'ok', sent: [SENT] })
    expect(shown.split(words)).toHaveLength(2)
  })
})

test('a conversation that goes on shows the last words of the PM alone', async () => {
  const { shown } = await talked(say(started(), '2: sailors'), null)
  expect(shown).not.toContain('nobody judges')
  expect(shown).toContain('Still needed: What must be true')
})

test.each([
  ['1', 'continue'],
  ['Submit for Development', 'submit'],
  ['q', 'leave'],
  ['', 'again'],
  ['please add a search', 'change'],
  ['ok', 'unclear'],
])('at the preview, "%s" means %s', (line, choice) => {
  expect(previewChoice(line)).toBe(choice)
})
