/** Notifies the person at an attached terminal. When that is due the daemon says, by the same rules as for every other way. */
import type { PageNotice } from '../../protocol/rows/page-notice.ts'
import type { Terminal } from './terminal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'

/** What to write to the terminal. */
export async function attachedNotice(env: Terminal['env'], { title, text }: PageNotice): Promise<string> {
  const { desktopProgram } = await import('../../lib/process/desktop-program.ts')
  // On this desktop the daemon shows the text itself.
  const shownBy = desktopProgram(env) === null ? env : {}
  return notifySequence(shownBy, { title, text: text.replaceAll('\n', ' · ') })
}

type Env = Readonly<Record<string, string | undefined>>

const BELL = '\u0007'
const OSC = '\u001b]'
const END = '\u001b\\'
const MAX_TEXT = 200

/**
 * How a terminal is asked to notify the person at it: by a sequence that it knows, else by its bell. Terminals show
 * nothing where they do not know a sequence, so each is only sent what it is known to take.
 */
export function notifySequence(
  env: Env,
  { title, text }: { readonly title: string; readonly text: string },
): string {
  const sequence = sequenceOf(env, { title: plain(title), text: plain(text) })
  if (sequence === null) return BELL
  // tmux passes on what is wrapped, where `allow-passthrough` is on; and it marks the window for the bell.
  return (env['TMUX'] ?? '') === ''
    ? sequence
    : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}${END}${BELL}`
}

function sequenceOf(
  env: Env,
  { title, text }: { readonly title: string; readonly text: string },
): string | null {
  const [term = '', program = ''] = [env['TERM'], env['TERM_PROGRAM']]
  const has = (name: string): boolean => (env[name] ?? '') !== ''
  // GNU screen passes none of them on.
  if (has('STY')) return null
  if (term === 'xterm-kitty' || has('KITTY_WINDOW_ID'))
    return `${OSC}99;i=bosun:d=0;${title}${END}${OSC}99;i=bosun:p=body;${text}${END}`
  if (/^(foot|rxvt|contour)/.test(term)) return `${OSC}777;notify;${title};${text}${END}`
  const isKnown = ['iTerm.app', 'WezTerm', 'ghostty'].includes(program) || env['LC_TERMINAL'] === 'iTerm2'
  if (isKnown || has('WEZTERM_PANE') || has('GHOSTTY_RESOURCES_DIR'))
    return `${OSC}9;${title}: ${text}${BELL}`
  return null
}

/** A semicolon would end a part. */
const plain = (text: string): string => terminalLine(text).replaceAll(';', ',').slice(0, MAX_TEXT)
