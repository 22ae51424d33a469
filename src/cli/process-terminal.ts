/** The terminal of this process. */
import { isatty } from 'node:tty'
import picocolors from 'picocolors'
import { Refusal } from '../lib/refusal.ts'
import { colourWanted } from './colour.ts'
import type { Style, Terminal } from './terminal.ts'

export function processTerminal(flags: { readonly noColour: boolean }): Terminal {
  const { env } = process
  const styleFor = (fd: number): Style =>
    picocolors.createColors(colourWanted({ env, noColourFlag: flags.noColour, isTerminal: isatty(fd) }))
  return {
    cwd: process.cwd(),
    env,
    width: width(env['COLUMNS']),
    style: styleFor(1),
    talkStyle: styleFor(2),
    print: (text) => write(process.stdout, text),
    say: (text) => void write(process.stderr, text),
    readInput,
  }
}

/** A pipe has no width of its own; what is cut there is cut late. */
const PIPE_COLUMNS = 120

function width(asked: string | undefined): number {
  const columns = isatty(1) ? process.stdout.columns : Number(asked)
  return Number.isSafeInteger(columns) && columns > 0 ? columns : PIPE_COLUMNS
}

/** A reader that has gone away (`| head`) is no failure: the rest is simply not wanted. */
function write(stream: NodeJS.WriteStream, text: string): Promise<'written' | 'unwanted'> {
  return new Promise((resolve, reject) => {
    // The stream reports a failed write to the callback and to its listeners; the callback is enough.
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)
    stream.write(text, (error) => {
      if (error === null || error === undefined) resolve('written')
      else if (isGone(error)) resolve('unwanted')
      else reject(error)
    })
  })
}

function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
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
