/** Splits shell text into pipelines in one pass, aware of quotes, `$(…)`, heredocs and comments. */

/** One pipeline: the text between `&&`, `||`, `;` and line ends. */
export interface Pipeline {
  /** As written, line ends inside quotes included. */
  readonly text: string
  /** The words of each command in the pipe, without quotes. */
  readonly commands: readonly (readonly string[])[]
  /** Line ends before it in the whole text. */
  readonly line: number
  /** The operator before it. */
  readonly joint: '' | '&&' | '||' | ';' | '&' | '\n'
}

type Context = 'plain' | 'double' | 'paren'

interface Cursor {
  readonly source: string
  at: number
  line: number
  readonly contexts: Context[]
  readonly heredocs: string[]
  /** Null: between words. */
  word: string | null
  words: string[]
  commands: string[][]
  start: number
  startLine: number
  /** Where the pipeline ends, without trailing comments. */
  end: number
  joint: Pipeline['joint']
  readonly found: Pipeline[]
}

export function pipelinesOf(source: string): Pipeline[] {
  const cursor: Cursor = {
    source,
    at: 0,
    line: 0,
    contexts: ['plain'],
    heredocs: [],
    word: null,
    words: [],
    commands: [],
    start: 0,
    startLine: 0,
    end: 0,
    joint: '',
    found: [],
  }
  while (cursor.at < source.length) step(cursor)
  endPipeline(cursor, '')
  return cursor.found
}

function step(cursor: Cursor): void {
  const { source, at } = cursor
  const char = source[at] ?? ''
  const context = cursor.contexts.at(-1) ?? 'plain'
  if (char === '\\' && at + 1 < source.length) {
    const next = source[at + 1] ?? ''
    if (next === '\n') cursor.line++
    take(cursor, next === '\n' && context === 'plain' ? '' : next, 2)
    if (next === '\n' && context === 'plain') endWord(cursor)
  } else if (char === '$' && source[at + 1] === '(') {
    cursor.contexts.push('paren')
    take(cursor, '$(', 2)
  } else if (context === 'double') {
    inDouble(cursor, char)
  } else if (char === '\n') {
    lineEnd(cursor, context)
  } else if (char === "'") {
    singleQuoted(cursor)
  } else if (char === '"') {
    cursor.contexts.push('double')
    take(cursor, context === 'plain' ? '' : char, 1)
  } else if (char === '<' && source[at + 1] === '<' && source[at + 2] !== '<') {
    heredocStart(cursor)
  } else if (context === 'paren') {
    if (char === '(') cursor.contexts.push('paren')
    if (char === ')') cursor.contexts.pop()
    take(cursor, char, 1)
  } else {
    inPlain(cursor, char)
  }
}

/** Adds to the current word and moves on. */
function take(cursor: Cursor, text: string, length: number): void {
  cursor.word = (cursor.word ?? '') + text
  cursor.at += length
  cursor.end = cursor.at
}

function inDouble(cursor: Cursor, char: string): void {
  if (char === '\n') cursor.line++
  if (char !== '"') {
    take(cursor, char, 1)
    return
  }
  cursor.contexts.pop()
  take(cursor, cursor.contexts.at(-1) === 'plain' ? '' : char, 1)
}

function singleQuoted(cursor: Cursor): void {
  const close = cursor.source.indexOf("'", cursor.at + 1)
  const end = close === -1 ? cursor.source.length : close
  const quoted = cursor.source.slice(cursor.at + 1, end)
  for (const char of quoted) if (char === '\n') cursor.line++
  take(cursor, quoted, end + 1 - cursor.at)
}

function heredocStart(cursor: Cursor): void {
  const head = cursor.source.slice(cursor.at, cursor.at + 80)
  const match = /^<<-?\s{0,4}(["']?)([A-Za-z_]\w{0,40})\1/.exec(head)
  if (match?.[2] !== undefined) cursor.heredocs.push(match[2])
  take(cursor, match?.[0] ?? '<<', match?.[0].length ?? 2)
}

/** At a line end pending heredocs are read, and outside brackets the pipeline ends. */
function lineEnd(cursor: Cursor, context: Context): void {
  cursor.line++
  cursor.at++
  const from = cursor.at
  for (const delimiter of cursor.heredocs.splice(0)) skipHeredoc(cursor, delimiter)
  if (context === 'paren') {
    cursor.word = `${cursor.word ?? ''}\n${cursor.source.slice(from, cursor.at)}`
    cursor.end = cursor.at
    return
  }
  if (cursor.at > from) cursor.end = cursor.at - 1
  endPipeline(cursor, '\n')
}

function skipHeredoc(cursor: Cursor, delimiter: string): void {
  while (cursor.at < cursor.source.length) {
    const found = cursor.source.indexOf('\n', cursor.at)
    const end = found === -1 ? cursor.source.length : found
    const line = cursor.source.slice(cursor.at, end)
    cursor.at = Math.min(end + 1, cursor.source.length)
    cursor.line++
    if (line.trim() === delimiter) return
  }
}

function inPlain(cursor: Cursor, char: string): void {
  const { source, at } = cursor
  const next = source[at + 1] ?? ''
  if (char === ' ' || char === '\t') {
    endWord(cursor)
    cursor.at++
  } else if (char === '#' && cursor.word === null) {
    const end = source.indexOf('\n', at)
    cursor.at = end === -1 ? source.length : end
  } else if ((char === '&' || char === '|') && next === char) {
    cursor.at += 2
    endPipeline(cursor, char === '&' ? '&&' : '||')
  } else if (char === ';') {
    cursor.at++
    endPipeline(cursor, ';')
  } else if (char === '|') {
    endCommand(cursor)
    cursor.at++
    cursor.end = cursor.at
  } else if (char === '&' && next !== '>' && source[at - 1] !== '>') {
    cursor.at++
    cursor.end = cursor.at
    endPipeline(cursor, '&')
  } else {
    take(cursor, char, 1)
  }
}

function endWord(cursor: Cursor): void {
  if (cursor.word !== null && cursor.word !== '') cursor.words.push(cursor.word)
  cursor.word = null
}

function endCommand(cursor: Cursor): void {
  endWord(cursor)
  if (cursor.words.length > 0) cursor.commands.push(cursor.words)
  cursor.words = []
}

function endPipeline(cursor: Cursor, joint: Pipeline['joint']): void {
  endCommand(cursor)
  if (cursor.commands.length > 0) {
    const lead = leadOf(cursor.source, cursor.start, cursor.end)
    const text = cursor.source.slice(cursor.start + lead.length, cursor.end).trim()
    cursor.found.push({
      text,
      commands: cursor.commands,
      line: cursor.startLine + lead.lines,
      joint: cursor.joint,
    })
    cursor.joint = joint
  } else if (cursor.joint !== '&&' && cursor.joint !== '||' && cursor.found.length > 0) {
    cursor.joint = joint === '' ? cursor.joint : joint
  }
  cursor.commands = []
  cursor.start = cursor.at
  cursor.end = cursor.at
  cursor.startLine = cursor.line
}

/** Blanks and comment lines before a pipeline's first word. */
function leadOf(
  source: string,
  start: number,
  end: number,
): { readonly length: number; readonly lines: number } {
  let at = start
  let lines = 0
  while (at < end) {
    const char = source[at] ?? ''
    if (char === '\n') lines++
    else if (char === '#') {
      const close = source.indexOf('\n', at)
      if (close === -1 || close >= end) break
      at = close
      continue
    } else if (char.trim() !== '') break
    at++
  }
  return { length: at - start, lines }
}

const STRUCTURE = new Set([
  'for',
  'while',
  'until',
  'if',
  'case',
  'do',
  'done',
  'then',
  'else',
  'fi',
  'esac',
  '{',
  '}',
])

/** A loop, a condition or a function: removing one command would break the rest. */
export function isStructured(pipelines: readonly Pipeline[]): boolean {
  return pipelines.some(
    ({ commands, text }) => STRUCTURE.has(commands[0]?.[0] ?? '') || /^[\w-]{1,80}\(\)/.test(text),
  )
}

/** Joins pipelines to one command; line ends become `&&` where that is equivalent. */
export function joined(pipelines: readonly Pipeline[]): string {
  const plain =
    !isStructured(pipelines) && pipelines.every((one) => !one.text.includes('\n') && !one.text.endsWith('&'))
  return pipelines.reduce((text, { joint, text: next }, index) => {
    if (index === 0) return next
    if (!plain) return joint === '&&' || joint === '||' ? `${text} ${joint} ${next}` : `${text}\n${next}`
    if (joint === '||') return `${text} || ${next}`
    return joint === ';' ? `${text}; ${next}` : `${text} && ${next}`
  }, '')
}
