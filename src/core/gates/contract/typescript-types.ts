/** The parts of TypeScript that signatures are made of: strings, types, parameters. */
import {
  afterAngles,
  afterClosing,
  inside,
  lineOf,
  quotedEnd,
  splitAtCommas,
  type Dialect,
  type Token,
} from './lexer.ts'
import type { Parameter } from './public-symbol.ts'

const BEFORE_REGEX: ReadonlySet<string> = new Set('( , = : [ ! & | ? { } ; + - * % ~ ^ =>'.split(' '))
const WORDS_BEFORE_REGEX: ReadonlySet<string> = new Set(
  'return typeof case in of delete void throw new do else yield await instanceof'.split(' '),
)

export const TYPESCRIPT: Dialect = {
  marks: ['...', '=>', '?.', '??'],
  stringAt: (text, at, before) => {
    const char = text.charAt(at)
    if (char === '"' || char === "'") return quotedEnd(text, at, false)
    if (char === '`') return templateEnd(text, at)
    if (char === '/' && mayBeRegex(before)) return regexEnd(text, at)
    return null
  },
}

function mayBeRegex(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'word') return WORDS_BEFORE_REGEX.has(before.text)
  return before.kind === 'mark' && BEFORE_REGEX.has(before.text)
}

function regexEnd(text: string, at: number): number | null {
  let inClass = false
  for (let place = at + 1; place < text.length; place++) {
    const char = text.charAt(place)
    if (char === '\n') return null
    if (char === '\\') place++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) {
      const flags = /^[a-z]*/.exec(text.slice(place + 1, place + 12))?.[0] ?? ''
      return place + 1 + flags.length
    }
  }
  return null
}

/** With what is put in between, which may hold templates again. */
function templateEnd(text: string, at: number): number {
  const open: ('`' | '{')[] = ['`']
  for (let place = at + 1; place < text.length; place++) {
    const char = text.charAt(place)
    if (open.at(-1) === '`') {
      if (char === '\\') place++
      else if (char === '`') {
        open.pop()
        if (open.length === 0) return place + 1
      } else if (text.startsWith('${', place)) {
        open.push('{')
        place++
      }
    } else if (char === '`') open.push('`')
    else if (char === '{') open.push('{')
    else if (char === '}') open.pop()
    else if (char === '"' || char === "'") place = (quotedEnd(text, place, false) ?? place + 1) - 1
  }
  return text.length
}

const PREFIXES: ReadonlySet<string> = new Set(
  'keyof typeof readonly unique infer asserts new abstract'.split(' '),
)
const GO_ON: ReadonlySet<string> = new Set(['|', '&', '.'])

/** Where the type that begins at `at` ends. A line that cannot go on a type ends it, as a semicolon does. */
export function endOfType(tokens: readonly Token[], at: number): number {
  let place = at
  let isOpen = true
  let conditions = 0
  for (let token = tokens[place]; token !== undefined; token = tokens[place]) {
    const isMark = token.kind === 'mark'
    const isCondition =
      isMark && ((token.text === '?' && conditions > 0) || (token.text === ':' && conditions > 0))
    // After parentheses an arrow makes a type of a function; after anything else it begins the body of one.
    const isArrow = token.text === '=>' && tokens[place - 1]?.text === ')'
    const goesOn = (isMark && GO_ON.has(token.text)) || isArrow || isCondition || token.text === 'extends'
    if (token.isFirst && !isOpen && !goesOn) return place
    if (!isMark) {
      if (isOpen) {
        isOpen = isPrefix(tokens, place)
        place++
        if (token.text === 'import' && tokens[place]?.text === '(') place = afterClosing(tokens, place)
        continue
      }
      if (token.text === 'extends') conditions++
      else if (token.text !== 'is') return place
      isOpen = true
      place++
      continue
    }
    if (token.text === '(' || token.text === '{') {
      if (!isOpen) return place
      place = afterClosing(tokens, place)
      isOpen = false
    } else if (token.text === '[') {
      place = afterClosing(tokens, place)
      isOpen = false
    } else if (token.text === '<') {
      const end = afterAngles(tokens, place)
      if (end === null) return place
      place = end
    } else if (goesOn || (isOpen && token.text === '-')) {
      if (token.text === ':') conditions--
      isOpen = true
      place++
    } else return place
  }
  return place
}

/** `keyof T`, but not `z.infer<T>`. */
function isPrefix(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (token?.kind !== 'word' || !PREFIXES.has(token.text) || after === undefined || before?.text === '.')
    return false
  return after.kind !== 'mark' || '([{'.includes(after.text) || (token.text === 'new' && after.text === '<')
}

/** A type on one line: the same however it was laid out, whichever marks divide its members. */
export function typeText(tokens: readonly Token[]): string {
  const [first, ...rest] = tokens
  const own = first?.kind === 'mark' && (first.text === '|' || first.text === '&') ? rest : tokens
  return lineOf(withSameMarks(own))
}

function withSameMarks(tokens: readonly Token[]): readonly Token[] {
  const open: string[] = []
  const same: Token[] = []
  for (const token of tokens) {
    const before = same.at(-1)
    const inMembers = open.at(-1) === '{'
    const isDivider = token.kind === 'mark' && (token.text === ';' || (token.text === ',' && inMembers))
    if (inMembers && token.isFirst && before !== undefined && startsMember(before, token)) {
      same.push({ ...token, kind: 'mark', text: ';' })
    }
    if (token.kind === 'mark') {
      if ('([{'.includes(token.text)) open.push(token.text)
      if (')]}'.includes(token.text)) {
        open.pop()
        while (isDividerMark(same.at(-1))) same.pop()
      }
    }
    if (isDivider && isDividerMark(same.at(-1))) continue
    // A union may be written with a mark before its first member.
    if (token.text === '|' && before?.kind === 'mark' && '([{<,;:='.includes(before.text)) continue
    same.push(isDivider ? { ...token, text: ';' } : token)
  }
  return same
}

const isDividerMark = (token: Token | undefined): boolean =>
  token?.kind === 'mark' && (token.text === ';' || token.text === ',')

function startsMember(before: Token, token: Token): boolean {
  const isComplete = before.kind !== 'mark' || ')]}>'.includes(before.text)
  return isComplete && (token.kind !== 'mark' || token.text === '[' || token.text === '(')
}

const ACCESS: ReadonlySet<string> = new Set('public private protected readonly override'.split(' '))

/** Of one parameter: what goes before its name. */
function afterModifiers(part: readonly Token[]): { readonly at: number; readonly access: readonly string[] } {
  let at = 0
  const access: string[] = []
  for (;;) {
    const token = part[at]
    if (token?.text === '@') {
      at += 2
      while (part[at]?.text === '.') at += 2
      if (part[at]?.text === '(') at = afterClosing(part, at)
    } else if (token !== undefined && ACCESS.has(token.text) && isName(part[at + 1])) {
      access.push(token.text)
      at++
    } else return { at, access }
  }
}

const isName = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'word' || token.text === '{' || token.text === '[')

export interface ReadParameter extends Parameter {
  /** `public` and the like make a member of a constructor's parameter. */
  readonly access: readonly string[]
}

/** `tokens` stand between the parentheses. */
export function parametersIn(tokens: readonly Token[]): readonly ReadParameter[] {
  return splitAtCommas(tokens).flatMap((part) => {
    const { at: first, access } = afterModifiers(part)
    const isRest = part[first]?.text === '...'
    const at = isRest ? first + 1 : first
    const token = part[at]
    if (token === undefined || token.text === 'this') return []
    const isPattern = token.kind === 'mark'
    let place = isPattern ? afterClosing(part, at) : at + 1
    const isMarked = part[place]?.text === '?'
    if (isMarked) place++
    let type = isPattern ? patternType(part, at) : null
    if (part[place]?.text === ':') {
      const end = endOfType(part, place + 1)
      type = typeText(part.slice(place + 1, end))
      place = end
    }
    const isOptional = isMarked || part[place]?.text === '='
    const need = isRest ? 'rest' : isOptional ? 'optional' : 'required'
    return [{ name: isPattern ? '' : token.text, type, need, access }]
  })
}

/** `{ a, b = 1 }` asks for an object with `a`, and with or without `b`. */
function patternType(part: readonly Token[], at: number): string | null {
  if (part[at]?.text !== '{') return null
  const keys = splitAtCommas(inside(part, at)).flatMap((key) => {
    if (key[0]?.text === '...') return []
    const hasDefault = key.some((token, place) => token.text === '=' && place > 0)
    return [`${key[0]?.text ?? ''}${hasDefault ? '?' : ''}`]
  })
  return `{${keys.join('; ')}}`
}

/** `tokens` begin with `<`. */
export function typeParametersIn(tokens: readonly Token[]): readonly string[] {
  return splitAtCommas(tokens.slice(1, -1)).map(typeText)
}

export function parameterText({ name, type, need }: Parameter): string {
  const shown = name === '' ? (need === 'rest' ? '...' : '{…}') : `${need === 'rest' ? '...' : ''}${name}`
  const mark = need === 'optional' ? '?' : ''
  return `${shown}${mark}${type === null ? '' : `: ${type}`}`
}
