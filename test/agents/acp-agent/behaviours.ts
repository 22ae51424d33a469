/** The ways in which the misbehaving agent works, one each. A turn that does not end by itself ends when it is cancelled. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ANSWERING } from './answering.ts'
import type { Incoming, Peer, RpcAnswer, RpcError } from './peer.ts'
import type { Ended, Turn, TurnEnd } from './turn.ts'

export interface Behaviour {
  readonly turn?: (turn: Turn) => TurnEnd | Promise<TurnEnd>
  /** Before anything is read. */
  readonly begin?: (peer: Peer) => void
  /** What a request of the client gets instead of the right answer; undefined where it gets that. */
  readonly instead?: (incoming: Incoming) => RpcAnswer | 'never' | undefined
  /** Sends each message this often. */
  readonly copies?: number
  /** Whether it says that it takes images. */
  readonly takesImages?: true
  readonly onCancel?: 'ignore'
  /** At the end of stdin and at SIGTERM. */
  readonly onEnd?: 'ignore'
}

const work = (turn: Turn): Ended => {
  turn.think('I look at the task.')
  turn.say('I do the task. ')
  turn.work()
  turn.say('It is done.')
  return turn.done()
}

const untilCancelled = async (turn: Turn): Promise<TurnEnd> => {
  await turn.cancelled
  return { stopReason: 'cancelled' }
}

const failWith = (error: RpcError) => ({ turn: (): TurnEnd => ({ error }) })

const only =
  (method: string, answer: RpcAnswer | 'never') =>
  (incoming: Incoming): RpcAnswer | 'never' | undefined =>
    incoming.method === method ? answer : undefined

const SIGNED_OUT: RpcError = {
  code: -32000,
  message: 'Authentication required',
  data: { authMethods: [{ id: 'login', name: 'Log in' }] },
}
const LIMITED: RpcError = {
  code: -32603,
  message: 'Internal error: API Error: Request rejected (429)',
  data: { errorKind: 'rate_limit' },
}
const USAGE_LIMIT: RpcError = {
  code: -32603,
  message: 'Internal error',
  data: { codexErrorInfo: 'usageLimitExceeded', message: 'The usage limit has been reached' },
}

const ORDERLY = {
  works: { turn: work },
  /** It reports no tokens and no cost. */
  works_without_usage: { turn: (turn) => ({ ...work(turn), usage: null }) },
  asks_first: {
    turn: async (turn) => {
      const [file] = turn.script.writes
      const path = join(turn.session.cwd, file?.path ?? '')
      const isAllowed = await turn.ask({ kind: 'edit', title: 'Write', paths: [path], rawInput: { path } })
      if (isAllowed) return work(turn)
      turn.say('I was not allowed to.')
      return turn.done()
    },
  },
  asks_to_push: {
    turn: async (turn) => {
      const isAllowed = await turn.ask({
        kind: 'execute',
        title: '`git push origin main`',
        rawInput: { command: 'git push origin main' },
      })
      turn.say(isAllowed ? 'I pushed.' : 'I did not push.')
      return work(turn)
    },
  },
  asks_outside: {
    turn: async (turn) => {
      for (const path of [
        '/etc/passwd',
        join(turn.session.cwd, '../other/file'),
        '../../up',
        '~/.ssh/id',
        '',
      ]) {
        await turn.ask({ kind: 'edit', title: `Write ${path}`, paths: [path], rawInput: { file_path: path } })
      }
      return work(turn)
    },
  },
  /** Until it is cancelled. */
  works_on: {
    turn: (turn) => {
      turn.say('I am at it.')
      return untilCancelled(turn)
    },
  },
  is_silent: { turn: untilCancelled },
  takes_images: { turn: work, takesImages: true },
  /** It works, and goes on to spend a tenth of a dollar at a time. */
  spends_on: {
    turn: async (turn) => {
      turn.work()
      const cancelled = turn.cancelled.then(() => 'cancelled')
      for (let spent = 1; spent < 1000; spent++) {
        const cost = { amount: spent / 10, currency: 'USD' }
        turn.update({ sessionUpdate: 'usage_update', used: 1000, size: 200_000, cost })
        turn.peer.note({ spent: spent / 10 })
        if ((await Promise.race([cancelled, delay(turn.script.lateMs)])) === 'cancelled') break
      }
      return { stopReason: 'cancelled' }
    },
  },
} satisfies Readonly<Record<string, Behaviour>>

const DISORDERLY = {
  is_late: {
    turn: async (turn) => {
      await delay(turn.script.lateMs)
      return work(turn)
    },
  },
  works_when_let: { turn: (turn) => turn.letGo().then(() => work(turn)) },
  updates_after_end: {
    turn: (turn) => {
      setTimeout(() => {
        turn.say('One more thing.')
        turn.endTool('call-1-1', 'failed')
      }, turn.script.lateMs).unref()
      return work(turn)
    },
  },
  sends_twice: { turn: work, copies: 2 },
  sends_unknown_updates: {
    turn: (turn) => {
      turn.update({ sessionUpdate: 'weather_update', degrees: 7 })
      turn.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'hologram', data: 'x' } })
      turn.update({})
      turn.peer.notify('_private/telemetry', { of: 'nothing' })
      turn.peer.notify('session/unheard_of', { sessionId: turn.session.id })
      return work(turn)
    },
  },
  sends_unknown_requests: {
    turn: async (turn) => {
      for (const method of ['craft/drainMidTurnQueue', 'terminal/create', 'session/elicit', '']) {
        turn.peer.note({
          asked: method,
          answer: await turn.peer.request(method, { sessionId: turn.session.id }),
        })
      }
      return work(turn)
    },
  },
  has_wrong_session: {
    turn: async (turn) => {
      const sessionId = 'somebody-else'
      const content = { type: 'text', text: 'Not for you.' }
      turn.peer.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content },
      })
      await turn.ask({ kind: 'edit', title: 'Write for another' }, sessionId)
      return work(turn)
    },
  },
  has_wrong_ids: {
    turn: (turn) => {
      turn.peer.answer('never-asked', { result: {} })
      turn.peer.answer(null, { result: {} })
      turn.peer.answer(99_999, { error: { code: -32603, message: 'for nobody' } })
      turn.endTool('no-such-call')
      return work(turn)
    },
  },
  sends_wrong_json: {
    turn: (turn) => {
      for (const line of [
        '{"jsonrpc": "2.0", "method"',
        '[]',
        '7',
        'null',
        '"text"',
        '{}',
        '{"jsonrpc":"1.0"}',
      ]) {
        turn.peer.print(`${line}\n`)
      }
      return work(turn)
    },
  },
  sends_wrong_types: {
    turn: (turn) => {
      turn.update({
        sessionUpdate: 'tool_call',
        toolCallId: 7,
        title: null,
        kind: 'magic',
        locations: 'here',
      })
      turn.update({ sessionUpdate: 'usage_update', used: 'much', size: -1, cost: { amount: 'free' } })
      turn.update({ sessionUpdate: 'plan', entries: {} })
      turn.peer.notify('session/update', { sessionId: turn.session.id })
      return work(turn)
    },
  },
  sends_huge_line: {
    turn: (turn) => {
      turn.say('x'.repeat(turn.script.bytes))
      return work(turn)
    },
  },
  /** A line that has no end, until its bytes are out. */
  sends_endless_line: {
    turn: (turn) => {
      turn.peer.print('{"jsonrpc":"2.0","method":"session/update","params":{"text":"')
      turn.peer.print('x'.repeat(turn.script.bytes))
      return untilCancelled(turn)
    },
  },
  floods: {
    turn: (turn) => {
      for (let at = 0; at < turn.script.count; at++) turn.say(`line ${at}\n`)
      return work(turn)
    },
  },
  storms_for_permission: {
    turn: async (turn) => {
      const asked = Array.from({ length: turn.script.count }, (_, at) =>
        turn.ask({ kind: 'execute', title: `command ${at}`, rawInput: { command: `true ${at}` } }),
      )
      await Promise.all(asked)
      return work(turn)
    },
  },
  asks_and_never_ends: {
    turn: async (turn) => {
      await turn.ask({ kind: 'execute', title: 'rm -rf /', rawInput: { command: 'rm -rf /' } })
      return untilCancelled(turn)
    },
  },
  /** It ends while its question is open. */
  asks_and_ends: {
    turn: (turn) => {
      void turn.ask({ kind: 'execute', title: 'git push', rawInput: { command: 'git push' } })
      return work(turn)
    },
  },
  ends_without_tokens: { turn: () => ({ stopReason: 'end_turn' }) },
  ends_with_error_as_text: {
    turn: (turn) => {
      turn.say('Ran into this error: Rate limit exceeded: retry after 7200 s.\n\nPlease retry.')
      return { stopReason: 'end_turn', usage: null }
    },
  },
  ends_with_error_in_meta: {
    turn: (turn) => {
      const error = {
        message: 'exceeded retry limit, last status: 429',
        codexErrorInfo: 'responseTooManyFailedAttempts',
      }
      turn.update({
        sessionUpdate: 'session_info_update',
        _meta: { codex: { threadStatus: 'systemError', error } },
      })
      return { stopReason: 'end_turn', usage: null, _meta: { codex: { error } } }
    },
  },
  refuses: { turn: () => ({ stopReason: 'refusal' }) },
  runs_out_of_tokens: { turn: (turn) => ({ ...work(turn), stopReason: 'max_tokens' }) },
  ends_for_no_reason: { turn: (turn) => ({ ...work(turn), stopReason: 'weather' }) },
  cancels_itself: { turn: () => ({ stopReason: 'cancelled' }) },
  prints_garbage: {
    begin: (peer) => peer.print('Welcome to the agent!\n\u001B[31mred\u001B[0m\n'),
    turn: (turn) => {
      turn.peer.print(new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0x0a]))
      turn.peer.print('Warning: config is deprecated\n\n\n')
      return work(turn)
    },
  },
  /** It calls methods of the client that the client did not offer. */
  writes_by_client: {
    turn: async (turn) => {
      const sessionId = turn.session.id
      for (const path of [join(turn.session.cwd, 'by-client.txt'), '/etc/by-client', '../by-client']) {
        const answer = await turn.peer.request('fs/write_text_file', {
          sessionId,
          path,
          content: 'by the client\n',
        })
        turn.peer.note({ written: path, answer })
      }
      const read = await turn.peer.request('fs/read_text_file', { sessionId, path: '/etc/passwd' })
      turn.peer.note({ read: '/etc/passwd', answer: read })
      return work(turn)
    },
  },
  closes_stream: {
    turn: (turn) => {
      turn.say('I leave.')
      process.stdout.end()
      return 'never'
    },
  },
  exits: {
    turn: async (turn) => {
      turn.work()
      await flushed()
      process.exit(3)
    },
  },
  exits_as_if_done: {
    turn: async (turn) => {
      turn.say('Done.')
      await flushed()
      process.exit(0)
    },
  },
  is_killed: {
    turn: () => {
      process.kill(process.pid, 'SIGKILL')
      return 'never'
    },
  },
  ignores_cancel: {
    turn: (turn) => {
      turn.say('I do not listen.')
      return 'never'
    },
    onCancel: 'ignore',
  },
  ignores_every_end: {
    turn: (turn) => {
      turn.say('I stay.')
      return 'never'
    },
    onCancel: 'ignore',
    onEnd: 'ignore',
  },
  /** The turn ends well and the process does not. */
  stays_after_end: { turn: work, onEnd: 'ignore' },
  leaves_child: {
    turn: (turn) => {
      const seconds = process.env['TEST_TAG'] ?? '600'
      spawn('sleep', [seconds], { detached: true, stdio: 'ignore' }).unref()
      return work(turn)
    },
  },
  is_signed_out: { instead: only('session/new', { error: SIGNED_OUT }) },
  signs_out_in_turn: failWith(SIGNED_OUT),
  is_limited: failWith(LIMITED),
  is_over_usage_limit: failWith(USAGE_LIMIT),
  fails: failWith({ code: -32603, message: 'Internal error' }),
  fails_oddly: failWith({ code: 12, message: 'x'.repeat(100_000), data: ['no', { object: true }] }),
  cannot_load: {
    turn: work,
    instead: only('session/load', { error: { code: -32602, message: 'Invalid session identifier' } }),
  },
  /** It says that it cannot continue sessions. */
  cannot_continue: {
    turn: work,
    instead: only('initialize', { result: { protocolVersion: 1, agentCapabilities: {} } }),
  },
  reviews_when_asked_again: {
    turn: (turn) => {
      const report = process.env['BOSUN_REPORT'] ?? ''
      if (turn.session.turns > 1) writeFileSync(report, '{ "verdict": "approved", "summary": "fine" }')
      return work(turn)
    },
  },
  never_initializes: { instead: only('initialize', 'never') },
  never_opens_session: { instead: only('session/new', 'never') },
  never_closes_session: { turn: work, instead: only('session/close', 'never') },
  takes_no_http: {
    turn: work,
    instead: only('initialize', { result: { protocolVersion: 1, agentCapabilities: {} } }),
  },
  has_another_version: {
    instead: only('initialize', { result: { protocolVersion: 99, agentCapabilities: {} } }),
  },
  answers_initialize_wrongly: { instead: only('initialize', { result: { hello: 'world' } }) },
  has_no_session_id: { instead: only('session/new', { result: {} }) },
} satisfies Readonly<Record<string, Behaviour>>

const flushed = (): Promise<void> => new Promise((resolve) => process.stdout.write('', () => resolve()))

const ALL = { ...ORDERLY, ...ANSWERING, ...DISORDERLY }
export type BehaviourName = keyof typeof ALL
export const BEHAVIOURS: Readonly<Record<BehaviourName, Behaviour>> = ALL

export const isBehaviour = (name: string): name is BehaviourName => name in BEHAVIOURS
