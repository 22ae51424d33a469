/** `bosun interview`: starts an interview or goes on with the open one, and talks until it needs the user no more. */
import { setTimeout } from 'node:timers/promises'
import { usageRefusal, refusal } from '../../lib/refusal.ts'
import { counted } from '../../lib/text/counted.ts'
import { terminalLine, terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import type { PmStatus } from '../../protocol/interview.ts'
import { callerName, interviewPlace } from '../caller.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { ensureCommit, interruptible } from '../terminal/ensure-commit.ts'
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
  const ways = ['--new', '--resume', '--abandon'].filter(
    (flag) => call.flag(flag.slice(2)) || call.option(flag.slice(2)) !== undefined,
  )
  if (ways.length > 1) throw usageRefusal(`${ways.join(' and ')} exclude each other`, 'Pass one of them.')
  const interrupted = call.services.interruption()
  const daemon = await call.services.daemon()
  const place = await interviewPlace(call, by)
  const { repo } = place
  if (call.flag('abandon')) return abandoned(await daemon.post('/api/pm/abandon', { repo, by }))
  const mayAsk = call.mayAsk && !(call.json && call.terminal.input === 'terminal')
  const dialogue = mayAsk ? await call.terminal.converse({ echo: call.json ? 'none' : 'stdout' }) : null
  const print = printer(call)
  try {
    const open = await daemon.get('/api/pm/status', { repo })
    const isDropped = call.flag('new') && open.session_id !== null
    const first = isDropped ? await daemon.post('/api/pm/abandon', { repo, by }) : open
    const begun: Talk = {
      daemon,
      ...place,
      print,
      style: call.json ? call.terminal.messageStyle : call.terminal.style,
      ask: dialogue === null ? null : interruptible(dialogue, interrupted),
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
    if (started === 'left') return resultOf(first, '', 'interrupted')
    if (started === 'nothing_said') return resultOf(first, '', 'needs_person')
    const { exit, status } = await talk(begun, started)
    return resultOf(status, '', exit)
  } finally {
    dialogue?.close()
  }
}

/** Without a way to say what is wanted, the call only looks, and nothing has to be there. */
async function offerFirstCommit(call: Call, { ask }: Talk): Promise<'ready' | 'declined'> {
  if (
    ask === null &&
    call.option('text') === undefined &&
    !call.flag('resume') &&
    call.option('resume') === undefined
  )
    return 'ready'
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

/** Nothing starts before the user has stated what they want, or that an earlier interview goes on. */
async function start(
  call: Call,
  begun: Talk,
  { first, level }: { readonly first: PmStatus; readonly level: Level | undefined },
): Promise<PmStatus | 'left' | 'nothing_said'> {
  const choice = await resumeChoice(call, begun, first)
  if (choice === 'left' || choice === 'nothing_said') return choice
  const isContinued = typeof choice === 'object'
  const opening = isContinued ? { text: call.option('text') } : await firstText(call, begun)
  if (opening === 'left' || opening === 'nothing_said') return opening
  const { text } = opening
  return begun.daemon.post('/api/pm/start', {
    repo: begun.repo,
    by: begun.by,
    environment: begun.environment,
    ...(level === undefined ? {} : { expertise: level }),
    ...(text === undefined ? {} : { text }),
    ...(choice === 'keep' ? {} : { resume: isContinued && choice.session }),
  })
}

/** Interviews that ended with an error are offered again. */
async function resumeChoice(
  call: Call,
  { ask, print }: Talk,
  { kept: [newest, ...older] }: PmStatus,
): Promise<{ readonly session: string } | 'drop' | 'keep' | 'left' | 'nothing_said'> {
  const named = call.option('resume')
  if (named !== undefined) return { session: named }
  if (newest === undefined) return 'keep'
  if (call.flag('new')) return 'drop'
  if (call.flag('resume')) return { session: newest.session_id }
  const ended = `An earlier interview (${counted(newest.messages, 'message')}) ended with an error: ${newest.why}\n`
  const names = older.map(
    ({ title, messages }) => `“${terminalLine(title)}” (${counted(messages, 'message')})`,
  )
  if (ask === null || call.terminal.input !== 'terminal') {
    if (call.option('text') !== undefined) return 'keep'
    const ways = older.map(
      ({ session_id }, at) => `Continue ${names[at]} with: bosun interview --resume ${session_id}\n`,
    )
    await print(`${ended}Continue it with: bosun interview --resume\n${ways.join('')}`)
    return 'nothing_said'
  }
  const more = names.map((name, at) => `  ${at + 4} continue ${name}\n`).join('')
  await print(
    `${ended}  1 continue it\n  2 begin anew, and keep it for later\n  3 begin anew, and drop it\n${more}`,
  )
  for (;;) {
    const line = (await ask(older.length === 0 ? '1, 2 or 3> ' : `1 to ${older.length + 3}> `))?.trim()
    if (line === undefined) return 'left'
    if (line === '2') return 'keep'
    if (line === '3') return 'drop'
    const chosen = line === '' || line === '1' ? newest : older[Number(line) - 4]
    if (chosen !== undefined) return { session: chosen.session_id }
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
    throw refusal(
      'conflict',
      `an interview is open in this repository (session ${status.session_id ?? ''}, ${status.state})`,
      'Continue it: bosun interview. To end it and begin anew: bosun interview --new.',
    )
  }
  await print(`Continuing the open interview (${counted(status.messages, 'message')} so far).\n\n`)
  return status
}

const notStarted = (status: PmStatus): CommandResult => resultOf(status, 'nothing was started\n')

const abandoned = (status: PmStatus): CommandResult =>
  resultOf(status, 'the interview is abandoned; nothing of it goes on\n')
