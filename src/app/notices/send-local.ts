/** Shows a notice on this machine's desktop, or hands it to a command of the user. */
import { builtEnvironment, variablesOf } from '../../lib/process/built-environment.ts'
import { runProgram, type ProgramOutcome } from '../../lib/process/run-program.ts'
import type { DesktopProgram } from '../../lib/process/desktop-program.ts'

type Env = Readonly<Record<string, string | undefined>>

/** It takes title and text as its arguments. */
const OSASCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
]
const DESKTOP_MS = 10_000
const COMMAND_MS = 30_000
const MAX_BYTES = 64 * 1024
/** How a program finds the desktop that it belongs to. */
const DESKTOP_VARIABLES = 'DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS'

/** The problem; null where it was shown. */
export async function showOnDesktop(
  { kind, file }: DesktopProgram,
  { title, text }: { readonly title: string; readonly text: string },
  env: Env,
): Promise<string | null> {
  // The text comes as arguments of its own: nothing in it is read as a command or a markup.
  const args =
    kind === 'osascript'
      ? [...OSASCRIPT.flatMap((line) => ['-e', line]), title, text]
      : ['--app-name=Bosun', '--', title, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]
  const outcome = await runProgram({
    command: file,
    args,
    cwd: '/',
    env: builtEnvironment(env, variablesOf(env, DESKTOP_VARIABLES)),
    timeoutMs: DESKTOP_MS,
    maxBytes: MAX_BYTES,
  })
  return problemOf(outcome, kind)
}

/** It gets the notice as JSON on stdin. The problem; null where it ended with 0. */
export async function runNoticeCommand(
  command: string | readonly string[],
  { document, folder }: { readonly document: string; readonly folder: string },
  env: Env,
): Promise<string | null> {
  const [program = '', ...args] = typeof command === 'string' ? ['sh', '-c', command] : command
  const outcome = await runProgram({
    command: program,
    args,
    cwd: folder,
    env: builtEnvironment(env, variablesOf(env, DESKTOP_VARIABLES)),
    timeoutMs: COMMAND_MS,
    maxBytes: MAX_BYTES,
    input: document,
  })
  return problemOf(outcome, 'notify.command')
}

function problemOf(outcome: ProgramOutcome, name: string): string | null {
  switch (outcome.kind) {
    case 'exited':
      if (outcome.code === 0) return null
      return `${name} failed with exit code ${outcome.code}: ${outcome.stderr.split('\n', 1)[0] ?? ''}`
    case 'signalled':
      return `${name} was ended by ${outcome.signal}`
    case 'timed_out':
      return `${name} did not end within ${outcome.afterMs / 1000} s`
    case 'too_long':
      return `${name} printed more than ${outcome.maxBytes} bytes`
    case 'not_started':
      return `${name} could not be started: ${outcome.reason}`
  }
}
