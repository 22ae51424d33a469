/** The interview of a request at this terminal: questions and answers, the spec, and the plan that it becomes. */
import { setTimeout } from 'node:timers/promises'
import { pmAction, pmChat, pmConversation, pmPreview, pmStatus } from '../../client/interview.ts'
import type { Daemon } from '../../client/daemon.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { ConversationAnswer, PmStatus } from '../../protocol/interview.ts'
import type { Call } from '../command.ts'
import type { Dialogue } from '../terminal/terminal.ts'

export interface Attended {
  readonly daemon: Daemon
  readonly repo: string
  readonly interrupted: AbortSignal
}

const POLL_MS = 200
/** States in which nothing is expected of the person. */
const BUSY: readonly PmStatus['state'][] = ['WORKING', 'AWAIT_ARCHITECT', 'SUSPEND']

/** The id of the plan; null where the person leaves, or the interview ended without one. */
export async function attendInterview(call: Call, at: Attended): Promise<string | null> {
  const before = (await pmStatus(at.daemon, at.repo)).plan
  const dialogue = await call.terminal.converse()
  let seen = 0
  try {
    for (;;) {
      const status = await settled(call, at)
      const { messages, next } = await pmConversation(at.daemon, at.repo, seen)
      seen = next
      for (const message of messages) if (message.from === 'pm') show(call, messageText(message))
      if (status.state === 'PREVIEW') {
        if ((await decide(call, at, dialogue)) === 'left') return null
      } else if (status.state === 'AWAIT_USER' && status.session_id !== null) {
        const answer = await dialogue.ask('> ')
        if (answer === null || at.interrupted.aborted) return left(call)
        if (answer.trim() === '') continue
        await pmChat(at.daemon, { repo: at.repo, session_id: status.session_id, message: answer })
      } else if (status.plan !== null && status.plan !== before) return status.plan
      else {
        show(call, `the interview has ended${status.why === null ? '' : `: ${terminalLine(status.why)}`}\n`)
        return null
      }
    }
  } finally {
    dialogue.close()
  }
}

/** Waits while the machine works; what hinders it is shown once. */
async function settled(call: Call, { daemon, repo, interrupted }: Attended): Promise<PmStatus> {
  let shown = ''
  for (;;) {
    const status = await pmStatus(daemon, repo)
    if (!BUSY.includes(status.state)) return status
    const hint = status.why ?? (status.state === 'AWAIT_ARCHITECT' ? 'the architect reviews the spec' : '')
    if (hint !== '' && hint !== shown) show(call, `${terminalLine(hint)}\n`)
    shown = hint
    await setTimeout(POLL_MS, undefined, { signal: interrupted }).catch(() => undefined)
    if (interrupted.aborted) return { ...status, state: 'DONE', why: 'interrupted' }
  }
}

async function decide(
  call: Call,
  { daemon, repo }: Attended,
  dialogue: Dialogue,
): Promise<'went on' | 'left'> {
  const { user_spec_md: spec, bootstrap_spec_md: bootstrap, spec_sha } = await pmPreview(daemon, repo)
  show(call, `\n${terminalText(spec)}\n${bootstrap === null ? '' : `${terminalText(bootstrap)}\n`}`)
  for (;;) {
    const line = (
      await dialogue.ask('Submit it for development (s), continue the interview (c), or leave (q)? ')
    )?.trim()
    if (line === undefined || line === 'q') {
      left(call)
      return 'left'
    }
    if (line === 's') await pmAction(daemon, { repo, action: 'submit_to_architect', spec_sha })
    else if (line === 'c') await pmAction(daemon, { repo, action: 'continue_interview', spec_sha })
    else continue
    return 'went on'
  }
}

function left(call: Call): null {
  show(call, 'the interview is kept; start the same request again to continue it\n')
  return null
}

const show = (call: Call, text: string): void => call.terminal.printMessage(text)

function messageText({ text, questions }: ConversationAnswer['messages'][number]): string {
  const asked = questions.flatMap(({ text: question, options, default: usual }, at) => [
    `${at + 1}. ${terminalLine(question)}`,
    ...options.map(
      ({ key, label, consequence }) =>
        `   ${terminalLine(key)}) ${terminalLine(label)}${key === usual ? ' (default)' : ''}${consequence === '' ? '' : `: ${terminalLine(consequence)}`}`,
    ),
  ])
  return `\n${[terminalText(text), ...asked].join('\n')}\n`
}
