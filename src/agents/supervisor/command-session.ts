import { StringDecoder } from 'node:string_decoder'
import { readingAmounts } from '../command/reported-amounts.ts'
import { readOutputLine } from '../command/output-formats.ts'
import { CommandUsage } from './command-usage.ts'
import { lastLine } from './worker-end.ts'
import type { AgentSession, SessionParts } from './session.ts'

/** A longer line is kept as it stands, in pieces. */
const MAX_LINE = 4 * 1024 * 1024
/** Running usage is noted where it grew by this part. */
const NEWS = 0.02

/**
 * A plain command: it reads its brief on stdin, what it prints is kept, and its exit is its end. What it prints as JSON is
 * kept as the text that a person would read.
 */
export function commandSession(parts: SessionParts): AgentSession {
  const { job, started, output, note, onUsed } = parts
  const { child, exited } = started
  const format = job.prints ?? 'unmetered'
  const usage = new CommandUsage(job.brief)
  child.stderr?.on('data', (chunk: Buffer) => output.add(chunk))
  if (format === 'unmetered' || format === 'text')
    child.stdout?.on('data', (chunk: Buffer) => {
      output.add(chunk)
      usage.printed(chunk.length)
    })
  else {
    let noted = 0
    const lines = lineReader((line) => {
      const read = readingAmounts(
        () => readOutputLine(format, line),
        (what) => output.add(Buffer.from(`${what}\n`)),
      )
      usage.take(read)
      if (read.text !== null) {
        usage.printed(read.text.length)
        output.add(Buffer.from(`${read.text}\n`))
      }
      // It gives a sign of life, whatever the line says.
      else output.touch(line.length)
      const used = usage.used
      if (used === null || used.isEstimated === true) return
      onUsed(used)
      const tokens = (used.tokensIn ?? 0) + (used.tokensOut ?? 0)
      if (tokens <= noted * (1 + NEWS)) return
      noted = tokens
      note({ kind: 'usage', ...used })
    })
    child.stdout?.on('data', (chunk: Buffer) => lines.add(chunk))
    child.stdout?.on('end', () => lines.end())
  }
  return {
    over: exited,
    receive: () => undefined,
    leave: async () => false,
    lastOutput: () => output.lastOutput(),
    lastWords: () => lastLine(output.lastOutput()) ?? '',
    usage: () => (format === 'unmetered' ? null : usage.used),
  }
}

/** Cuts a stream into lines. */
function lineReader(onLine: (line: string) => void): { add(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    add(chunk) {
      const pieces = (rest + decoder.write(chunk)).split('\n')
      rest = pieces.pop() ?? ''
      for (const line of pieces) onLine(line)
      if (rest.length <= MAX_LINE) return
      onLine(rest)
      rest = ''
    },
    end() {
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
