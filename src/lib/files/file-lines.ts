import { createReadStream } from 'node:fs'
import { Refusal } from '../refusal.ts'

const MAX_LINE_CHARS = 16_000_000

/**
 * The lines of a text file, without their line feeds. Only `\n` ends a line: JSON may hold the other line
 * ends of Unicode as they are. Refuses what is not UTF-8 and lines that would fill the memory.
 */
export async function* fileLines(path: string, maxLineChars = MAX_LINE_CHARS): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let line = 1
  const refuse = (message: string): Refusal => {
    const remedy = 'Is it the right file?'
    return new Refusal({ code: 'failed', message, remedy, faults: [{ file: path, line, message, remedy }] })
  }
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw refuse('not valid UTF-8 text')
    }
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const lines = decode(chunk).split('\n')
    lines[0] = rest + (lines[0] ?? '')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      yield text
      line++
    }
    if (rest.length > maxLineChars) throw refuse(`this line is longer than ${maxLineChars} characters`)
  }
  rest += decode()
  if (rest !== '') yield rest
}
