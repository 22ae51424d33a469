/**
 * The terminal of this process. It writes to file descriptors: Node's streams take longer to load than most commands
 * run, so they are used only for a terminal or where a write would block.
 */
import { fstatSync, writeSync } from 'node:fs'
import { Refusal } from '../../lib/refusal.ts'
import { terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import { workingFolder } from '../../lib/files/working-folder.ts'
import { colourWanted } from './colour.ts'
import { watchReader } from './closed-pipe.ts'
import { styleOf, type Style } from './style.ts'
import type { Terminal } from './terminal.ts'
import { errorCode } from '../../lib/system/error-code.ts'

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
    attach: async (program) => (await import('./attach.ts')).attach(program),
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
      throw new Refusal({
        code: 'failed',
        message: `standard input is longer than ${maxBytes} bytes`,
        remedy: 'Pass a smaller file.',
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
