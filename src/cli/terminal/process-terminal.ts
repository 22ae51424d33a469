/**
 * The terminal of this process. It writes to file descriptors: Node's streams take longer to load than most commands
 * run, so they are used only for a terminal or where a write would block.
 */
import { fstatSync, writeSync } from 'node:fs'
import { refusal } from '../../lib/refusal.ts'
import { terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import { workingFolder } from '../../lib/files/working-folder.ts'
import { styleOf, type Style, type AttachedEnd, type AttachedProgram, type Terminal } from './terminal.ts'
import { errorCode } from '../../lib/files/system-error.ts'

const STDIN = 0
const STDOUT = 1
const STDERR = 2
/** The assumed width of a pipe. */
const PIPE_COLUMNS = 120
/** The assumed height where the terminal reports none. */
const PIPE_ROWS = 24

export function processTerminal(flags: { readonly noColour: boolean }): Terminal {
  const { env } = process
  const styleFor = (fd: number): Style => {
    const asked = { env, noColourFlag: flags.noColour, isTerminal: isTerminal(fd) }
    return styleOf(colourWanted(asked) ? 'coloured' : 'plain')
  }
  return {
    get cwd() {
      return workingFolder()
    },
    env,
    get input() {
      return isTerminal(STDIN) ? 'terminal' : 'other'
    },
    get output() {
      return isTerminal(STDOUT) && env['TERM'] !== 'dumb' ? 'terminal' : 'other'
    },
    get width() {
      return width(env['COLUMNS'])
    },
    get height() {
      const rows = isTerminal(STDOUT) ? process.stdout.rows : 0
      return Number.isSafeInteger(rows) && rows > 0 ? rows : PIPE_ROWS
    },
    style: styleFor(STDOUT),
    messageStyle: styleFor(STDERR),
    print: (text) => write(STDOUT, text),
    onUnread: (call) => watchReader(STDOUT, call),
    // A failed write to stderr cannot be reported anywhere.
    printMessage: (text) => void write(STDERR, terminalTextWithColours(text)).catch(() => undefined),
    readInput,
    converse: async (how = { echo: 'stdout' }) => (await import('./dialogue.ts')).processDialogue(env, how),
    attach,
  }
}

function isTerminal(fd: number): boolean {
  return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd)
}

function width(asked: string | undefined): number {
  const columns = isTerminal(STDOUT) ? process.stdout.columns : Number(asked)
  return Number.isSafeInteger(columns) && columns > 0 ? columns : PIPE_COLUMNS
}

/** A reader that has gone (`| head`) is not an error; the rest is dropped. */
async function write(fd: typeof STDOUT | typeof STDERR, text: string): Promise<'written' | 'unwanted'> {
  const bytes = Buffer.from(text)
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at)
    return 'written'
  } catch (error) {
    if (errorCode(error) === 'EPIPE') return 'unwanted'
    // A daemon log on a full disk is cut short; the daemon goes on.
    if (fd === STDERR && errorCode(error) === 'ENOSPC') return 'written'
    if (errorCode(error) !== 'EAGAIN') throw error
    // A non-blocking pipe is full: the stream can wait for it.
    return writeToStream(fd === STDOUT ? process.stdout : process.stderr, bytes.subarray(at))
  }
}

function writeToStream(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<'written' | 'unwanted'> {
  return new Promise((resolve, reject) => {
    // The stream reports a failed write to the callback and to its listeners; the callback is enough.
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)
    stream.write(bytes, (error) => {
      if (error === null || error === undefined) resolve('written')
      else if (errorCode(error) === 'EPIPE' || errorCode(error) === 'ERR_STREAM_DESTROYED')
        resolve('unwanted')
      else reject(error)
    })
  })
}

async function readInput(maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw refusal('failed', `standard input is longer than ${maxBytes} bytes`, 'Pass a smaller file.')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** While a program runs at this terminal, Ctrl-C reaches it too, and is meant for it. */
const FOR_PROGRAM: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']

function attach({ command, cwd, env }: AttachedProgram): Promise<AttachedEnd> {
  const { spawn } = process.getBuiltinModule('node:child_process')
  const [program = '', ...args] = command
  const ignore = (): void => undefined
  for (const signal of FOR_PROGRAM) process.on(signal, ignore)
  return new Promise<AttachedEnd>((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: 'inherit' })
    child.once('error', ({ message }) => resolve({ kind: 'not_started', why: message }))
    child.once('exit', () => resolve({ kind: 'ended' }))
  }).finally(() => {
    for (const signal of FOR_PROGRAM) process.off(signal, ignore)
  })
}

/** How often `tail` checks; it holds the pipe at most this long after Bosun was killed. */
const CHECK_SECONDS = '0.2'

/**
 * Calls `onGone` at most once, when the reader of a pipe has gone (`| head -1`) while there is nothing to write; Node notices
 * only on a write. GNU `tail`, following a file that never grows, dies of SIGPIPE when its output has no reader. Without GNU
 * `tail` the next write detects it. The returned function stops watching.
 */
function watchReader(fd: number, onGone: () => void): () => void {
  if (process.platform !== 'linux' || !fstatSync(fd).isFIFO()) return () => undefined
  // Loaded lazily: most commands follow nothing.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const args = ['-f', '-s', CHECK_SECONDS, `--pid=${process.pid}`, '/dev/null']
  const tail = spawn('tail', args, { stdio: ['ignore', fd, 'ignore'] })
  // Not installed: the next write detects it.
  tail.once('error', () => undefined)
  tail.once('exit', (_, signal) => {
    if (signal === 'SIGPIPE') onGone()
  })
  tail.unref()
  return () => void tail.kill()
}

/** Decides whether to colour; the user's settings win over the terminal's abilities. */
export function colourWanted(asked: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly noColourFlag: boolean
  readonly isTerminal: boolean
}): boolean {
  const { env } = asked
  if (asked.noColourFlag || isSet(env['NO_COLOR'])) return false
  if (env['FORCE_COLOR'] === '0' || env['FORCE_COLOR'] === 'false') return false
  if (isSet(env['FORCE_COLOR'])) return true
  return asked.isTerminal && env['TERM'] !== 'dumb'
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
