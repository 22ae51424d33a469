/** `bosun interview`: starts an interview or goes on with the open one, and talks until it needs the user no more. */
import { setTimeout } from 'node:timers/promises'
import { pmAbandon, pmStart, pmStatus } from '../../client/interview.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import { terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import type { PmStatus } from '../../protocol/interview.ts'
import { callerName, repoHere } from '../caller.ts'
import type { Call, CommandResult } from '../command.ts'
import type { ExitName } from '../exit-codes.ts'
import { ensureCommit } from '../terminal/ensure-commit.ts'
import type { Dialogue } from '../terminal/terminal.ts'
import { talk, type Talk } from './talk.ts'

const LEVELS = ['non_technical', 'basic', 'expert'] as const
type Level = (typeof LEVELS)[number]
const POLL_MS = 200

/** `isBegun`: the caller has begun it, and follows the plan that comes of it. */
export async function runInterview(
  call: Call,
  { isBegun = false, by = callerName(call) } = {},
): Promise<CommandResult> {
  const level = levelOf(call)
  const ways = ['--new', '--resume', '--abandon'].filter((flag) => call.flag(flag.slice(2)))
  if (ways.length > 1) throw usageRefusal(`${ways.join(' and ')} exclude each other`, 'Pass one of them.')
  const interrupted = call.services.interruption()
  const daemon = await call.services.daemon()
  const repo = (await repoHere(call)) ?? call.terminal.cwd
  if (call.flag('abandon')) return abandoned(await pmAbandon(daemon, { repo, by }))
  const mayAsk = call.mayAsk && !(call.json && call.terminal.input === 'terminal')
  const dialogue = mayAsk ? await call.terminal.converse({ echo: call.json ? 'none' : 'stdout' }) : null
  const print = printer(call)
  try {
    const open = await pmStatus(daemon, repo)
    const isDropped = call.flag('new') && open.session_id !== null
    const first = isDropped ? await pmAbandon(daemon, { repo, by }) : open
    const begun: Talk = {
      daemon,
      repo,
      by,
      environment: await environmentHere(call.terminal.cwd, call.terminal.env),
      print,
      style: call.json ? call.terminal.messageStyle : call.terminal.style,
      ask: dialogue === null ? null : (question) => asked(dialogue, question, interrupted),
      edit: dialogue === null || call.terminal.input !== 'terminal' ? null : (text) => dialogue.edit(text),
      pause: () => setTimeout(POLL_MS, undefined, { signal: interrupted }).catch(() => undefined),
      isInterrupted: () => interrupted.aborted,
      followsPlan: isBegun,
    }
    if (first.session_id === null && (await offerFirstCommit(call, begun)) === 'declined')
      return notStarted(first)
    const started =
      first.session_id === null
        ? await start(call, begun, { first, level })
        : isBegun
          ? first
          : await goOn(call, begun, first)
    if (started === 'left') return result('interrupted', first)
    if (started === 'nothing_said') return result('needs_person', first)
    const { exit, status } = await talk(begun, started)
    return result(exit, status)
  } finally {
    dialogue?.close()
  }
}

/** Without a way to say what is wanted, the call only looks, and nothing has to be there. */
async function offerFirstCommit(call: Call, { ask }: Talk): Promise<'ready' | 'declined'> {
  if (ask === null && call.option('text') === undefined && !call.flag('resume')) return 'ready'
  return ensureCommit({
    project: await call.services.newProject(),
    isAgreed: call.flag('yes'),
    ask: call.terminal.input === 'terminal' ? ask : null,
    terminal: call.terminal,
  })
}

function levelOf(call: Call): Level | undefined {
  const asked = call.option('expertise')
  if (asked === undefined) return undefined
  const level = LEVELS.find((one) => one === asked.replaceAll('-', '_'))
  if (level !== undefined) return level
  throw usageRefusal(`unknown expertise "${asked}"`, `Use one of ${LEVELS.join(', ')}.`)
}

/** With `--json` stdout carries the document alone. */
function printer(call: Call): Talk['print'] {
  const { terminal } = call
  return async (text) => {
    if (call.json) terminal.printMessage(text)
    else await terminal.print(terminalTextWithColours(text))
  }
}

/** Null at the end of the input, and when the user interrupts. */
async function asked(dialogue: Dialogue, question: string, interrupted: AbortSignal): Promise<string | null> {
  if (interrupted.aborted) return null
  const stopped = Promise.withResolvers<null>()
  const stop = (): void => stopped.resolve(null)
  interrupted.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([dialogue.ask(question), stopped.promise])
  } finally {
    interrupted.removeEventListener('abort', stop)
  }
}

/** Nothing starts before the user has stated what they want, or that an earlier interview goes on. */
async function start(
  call: Call,
  begun: Talk,
  { first, level }: { readonly first: PmStatus; readonly level: Level | undefined },
): Promise<PmStatus | 'left' | 'nothing_said'> {
  const choice = await resumeChoice(call, begun, first)
  if (choice === 'left' || choice === 'nothing_said') return choice
  const opening = choice === 'continue' ? { text: call.option('text') } : await firstText(call, begun)
  if (opening === 'left' || opening === 'nothing_said') return opening
  const { text } = opening
  return pmStart(begun.daemon, {
    repo: begun.repo,
    by: begun.by,
    environment: begun.environment,
    ...(level === undefined ? {} : { expertise: level }),
    ...(text === undefined ? {} : { text }),
    ...(choice === 'keep' ? {} : { resume: choice === 'continue' }),
  })
}

/** An interview that ended with an error is offered again. */
async function resumeChoice(
  call: Call,
  { ask, print }: Talk,
  { recoverable }: PmStatus,
): Promise<'continue' | 'drop' | 'keep' | 'left' | 'nothing_said'> {
  if (recoverable === null) return 'keep'
  if (call.flag('new')) return 'drop'
  if (call.flag('resume')) return 'continue'
  const { why, messages } = recoverable
  if (ask === null || call.terminal.input !== 'terminal') {
    if (call.option('text') !== undefined) return 'keep'
    await print(
      `An earlier interview (${counted(messages, 'message')}) ended with an error: ${why}\nContinue it with: bosun interview --resume\n`,
    )
    return 'nothing_said'
  }
  await print(
    `An earlier interview (${counted(messages, 'message')}) ended with an error: ${why}\n  1 continue it\n  2 begin anew, and keep it for later\n  3 begin anew, and drop it\n`,
  )
  for (;;) {
    const line = (await ask('1, 2 or 3> '))?.trim()
    if (line === undefined) return 'left'
    if (line === '1' || line === '') return 'continue'
    if (line === '2') return 'keep'
    if (line === '3') return 'drop'
  }
}

async function firstText(
  call: Call,
  { ask, print }: Talk,
): Promise<{ readonly text: string } | 'left' | 'nothing_said'> {
  const given = call.option('text')?.trim()
  if (given !== undefined && given !== '') return { text: given }
  if (ask !== null) {
    await print('What would you like to build, change or fix? One sentence is enough.\n')
    for (;;) {
      const line = await ask('> ')
      if (line === null) break
      if (line.trim() !== '') return { text: line }
    }
    if (call.terminal.input === 'terminal') return 'left'
  }
  await print('No interview is open. Start one with: bosun interview --text "what you want"\n')
  return 'nothing_said'
}

async function goOn(call: Call, { print }: Talk, status: PmStatus): Promise<PmStatus> {
  if (call.option('text') !== undefined) {
    throw new Refusal({
      code: 'conflict',
      message: `an interview is open in this repository (session ${status.session_id ?? ''}, ${status.state})`,
      remedy: 'Continue it: bosun interview. To end it and begin anew: bosun interview --new.',
    })
  }
  await print(`Continuing the open interview (${counted(status.messages, 'message')} so far).\n\n`)
  return status
}

const notStarted = (status: PmStatus): CommandResult => ({
  ...result('ok', status),
  text: () => 'nothing was started\n',
})

const abandoned = (status: PmStatus): CommandResult => ({
  ...result('ok', status),
  text: () => 'the interview is abandoned; nothing of it goes on\n',
})

const result = (exit: ExitName, status: PmStatus): CommandResult => ({
  exit,
  document: status,
  text: () => '',
})
