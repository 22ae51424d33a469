/**
 * Reads a C or C++ header by its words: functions, types with public members, enumerations, variables, macros. It has no
 * syntax tree, since the grammars of C and C++ take the macros of most headers (`FOO_API`, `__THROW`) for errors.
 */
import { NO_API, symbolOf, type FileApi, type Parameter, type PublicSymbol } from './public-symbol.ts'

interface Token {
  readonly text: string
  /** From 1. */
  readonly line: number
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))/
const TOKENS = [
  // A directive is the first of its line; a backslash at the end continues it.
  /#(?<=^[ \t\ufeff]*#)(?:\/\*[^]*?\*\/|[^\\\n]|\\\r?\n|\\)*/,
  /(?:u8|[uUL])?R"(?<delimiter>[^()\s\\]{0,16})\([^]*?(?:\)\k<delimiter>"|(?![^]))/,
  /"[^"\\\n]*(?:\\[^][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^][^'\\\n]*)*'/,
  /[\p{L}\p{Nl}_$][\p{L}\p{N}\p{M}\p{Pc}$]*|[0-9](?:[eEpP][+-]|'?[0-9a-zA-Z_.])*|\.\.\.|::|->|\[\[|<<|[=!<>]=|[^]/u,
]
const TOKEN = new RegExp(`${BLANK.source}|(?<token>${TOKENS.map(({ source }) => source).join('|')})`, 'gmu')
const MOST_TOKENS = 400_000
const isWord = ({ text }: Token): boolean => /^[\p{L}\p{Nl}_$]/u.test(text)

export function readCHeader(text: string): FileApi {
  const tokens: Token[] = []
  let line = 1
  for (const { 0: found, groups } of text.matchAll(TOKEN)) {
    if (groups?.['token'] !== undefined) tokens.push({ text: found, line })
    if (tokens.length > MOST_TOKENS) return { ...NO_API, doubts: ['it is too large to be read'] }
    line += found.split('\n').length - 1
  }
  const symbols = tokens.flatMap(macroOf)
  const declarations = tokens.filter((token) => !token.text.startsWith('#'))
  for (let at = 0; at < declarations.length; at++)
    at = readScope(declarations, at, { prefix: '', isShown: true, symbols })
  return { ...NO_API, symbols }
}

/** Macros with a value; include guards and empty macros do not count. */
function macroOf({ text, line }: Token): readonly PublicSymbol[] {
  const found = /^#\s*define\s+([A-Za-z]\w*)(\(([^)]*)\))?([^]*)$/.exec(text)
  const [, name = '', call, names = '', body = ''] = found ?? []
  if (name === '' || (call === undefined && body.replace(/\/[/*].*/, '').trim() === '')) return []
  const signature = `#define ${name}${(call ?? '').replace(/\s+/g, ' ')}`
  const parameters = call === undefined ? null : namesIn(names)
  return [symbolOf({ name, line, signature, parameters })]
}

const namesIn = (names: string): readonly Parameter[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ name, type: '', isOptional: name.endsWith('...'), passedBy: 'place' }))

interface Scope {
  /** `ns::` or `Class.`. */
  readonly prefix: string
  /** Whether what follows is public. */
  readonly isShown: boolean
  readonly symbols: PublicSymbol[]
}

/** Private namespaces. */
const HIDDEN = /^(detail|details|internal|impl|_.*|)$/
const RECORD = /^(struct|class|union|enum)$/

/** Reads declarations up to the bracket that closes this scope, and returns its position. */
function readScope(tokens: readonly Token[], start: number, scope: Scope): number {
  let { isShown } = scope
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token.text === '}') return at
    if (/^(public|private|protected)$/.test(token.text) && tokens[at + 1]?.text === ':') {
      isShown = token.text === 'public'
      at++
      continue
    }
    const end = endOf(tokens, at)
    const head = plain(tokens.slice(at, end))
    const place: Scope = { ...scope, isShown }
    at = tokens[end]?.text === '{' ? readBlock(tokens, head, end, place) : end
    if (tokens[end]?.text === ';' || at === tokens.length) declare(head, place)
    if (tokens[at]?.text === '}' && at === end) return at
  }
  return tokens.length
}

/** What has a body: its members are read, or it is left out. Returns the last position of the declaration. */
function readBlock(tokens: readonly Token[], whole: readonly Token[], open: number, scope: Scope): number {
  const head = withoutTemplate(whole)
  const texts = head.map(({ text }) => text)
  const isLinkage = texts.length === 0 && tokens[open - 1]?.text.startsWith('"') === true
  if (isLinkage) return readScope(tokens, open + 1, scope)
  if (texts[0] === 'namespace') {
    const name = texts.slice(1).join('')
    const isShown = !name.split('::').some((part) => HIDDEN.test(part))
    return readScope(tokens, open + 1, { ...scope, isShown, prefix: `${scope.prefix}${name}::` })
  }
  const close = closing(tokens, open)
  const record = texts.findIndex((text) => RECORD.test(text))
  if (record === -1 || texts.includes('=') || callAt(head) !== -1) {
    declare(whole, scope)
    // `int a{1};` and `= { b };` go on.
    return tokens[close + 1]?.text === ';' ? close + 1 : close
  }
  const end = endOf(tokens, close + 1)
  const variables = splitAtCommas(plain(tokens.slice(close + 1, end))).map(
    (part) => part.findLast(isWord)?.text ?? '',
  )
  const isEnum = texts[record] === 'enum'
  const isScoped = isEnum && RECORD.test(texts[record + 1] ?? '')
  const isTypedef = texts[0] === 'typedef'
  const name = isTypedef ? (variables[0] ?? '') : recordName(head.slice(record + (isScoped ? 2 : 1)))
  const [line] = whole
  add(scope, line, name, {
    signature: lineOf(whole),
    words: lineOf(whole.filter(({ text }) => text !== name)),
  })
  // Members of what has no name belong to the enclosing scope.
  const isOwner = name !== '' && (!isEnum || isScoped)
  const inner: Scope = { ...scope, prefix: isOwner ? `${scope.prefix}${name}.` : scope.prefix }
  if (isEnum) for (const part of splitAtCommas(tokens.slice(open + 1, close))) addValue(part, inner)
  else if (scope.isShown) readScope(tokens, open + 1, { ...inner, isShown: texts[record] !== 'class' })
  if (!isTypedef) for (const own of variables) add(scope, line, own, { type: name })
  return end
}

/** `A` and `A<int>`, before the bases and without `final`. */
function recordName(words: readonly Token[]): string {
  const end = words.findIndex(({ text }) => text === ':' || text === 'final')
  const own = end === -1 ? words : words.slice(0, end)
  const angle = own.findIndex(({ text }) => text === '<')
  const place = own.findLastIndex((word, at) => isWord(word) && (angle === -1 || at < angle))
  return lineOf(own.slice(Math.max(place, 0)))
}

function withoutTemplate(words: readonly Token[]): readonly Token[] {
  if (words[0]?.text !== 'template') return words
  let depth = 0
  const end = words.findIndex(({ text }) => {
    depth += text === '<' ? 1 : text === '>' ? -1 : 0
    return text === '>' && depth === 0
  })
  return end === -1 ? words : withoutTemplate(words.slice(end + 1))
}

function add(
  { prefix, isShown, symbols }: Scope,
  at: Token | undefined,
  own: string,
  given: Partial<PublicSymbol>,
): void {
  if (isShown && own !== '')
    symbols.push(symbolOf({ line: at?.line ?? 1, ...given, name: `${prefix}${own}` }))
}

function addValue(part: readonly Token[], scope: Scope): void {
  const [first] = part
  const value = part.findIndex(({ text }) => text === '=')
  if (first !== undefined)
    add(scope, first, first.text, {
      signature: lineOf(part),
      type: value === -1 ? '' : lineOf(part.slice(value + 1)),
    })
}

/** A function, a type or variables. */
function declare(whole: readonly Token[], scope: Scope): void {
  const words = withoutTemplate(whole)
  const [first] = words
  const signature = lineOf(whole)
  const template = lineOf(whole.slice(0, whole.length - words.length))
  const call = callAt(words)
  if (first === undefined || /^(static_assert|_Static_assert|namespace)$/.test(first.text)) return
  if (first.text === 'using') {
    const equals = words.findIndex(({ text }) => text === '=')
    const own = equals === -1 ? words.findLast(isWord) : words[1]
    if (words[1]?.text === 'namespace') return
    const type = equals === -1 ? '' : lineOf(words.slice(equals + 1))
    add(scope, first, own?.text ?? '', { signature, type, words: template })
  } else if (call !== -1) {
    const [name, end] = [nameBefore(words, call), closing(words, call)]
    const own = words.slice(name, call).map(({ text }) => text)
    add(scope, first, own.join(''), {
      signature,
      parameters: first.text === 'typedef' ? null : parametersOf(words.slice(call + 1, end)),
      type: lineOf(first.text === 'typedef' ? words : words.slice(0, name)),
      words: [template, lineOf(words.slice(end + 1))].join(' ').trim(),
    })
  } else if (RECORD.test(first.text) && words.length <= 3 && !words.some(({ text }) => text === '*')) {
    add(scope, first, words.findLast(isWord)?.text ?? '', { signature, words: first.text })
  } else {
    const [one = [], ...others] = splitAtCommas(words)
    const base = one.slice(0, Math.max(1, one.findIndex(({ text }) => /^[*&(=[:]$/.test(text)) - 1))
    for (const part of [one, ...others.map((part) => [...base.filter(isWord), ...part])]) {
      const { name, type } = declarator(part)
      add(scope, first, name, { signature, type, words: template })
    }
  }
}

/** The position of the parameter list of a function, or -1: a bracket after a name, but not `(*name)`. */
function callAt(words: readonly Token[]): number {
  const operator = words.findIndex(({ text }) => text === 'operator')
  if (operator !== -1) return words.findIndex(({ text }, at) => at > operator + 1 && text === '(')
  const [open, equals] = ['(', '='].map((mark) => words.findIndex(({ text }) => text === mark))
  if (open === undefined || open < 1 || (equals !== undefined && equals !== -1 && equals < open)) return -1
  const isPointer =
    /^[*&^]$/.test(words[open + 1]?.text ?? '') && words[closing(words, open) + 1]?.text === '('
  return isPointer || !isWord(words[open - 1] as Token) ? -1 : open
}

/** The first word of the name before a parameter list: `~A`, `a::b`, `operator==`. */
function nameBefore(words: readonly Token[], call: number): number {
  const operator = words.findIndex(({ text }) => text === 'operator')
  if (operator !== -1) return operator
  let at = call - 1
  if (words[at - 1]?.text === '~') at--
  while (words[at - 1]?.text === '::') at -= 2
  return Math.max(at, 0)
}

function parametersOf(words: readonly Token[]): readonly Parameter[] {
  if (lineOf(words) === 'void') return []
  return splitAtCommas(words).map((part): Parameter => {
    if (part[0]?.text === '...') return { name: '...', type: '', isOptional: true, passedBy: 'name' }
    return { ...declarator(part), isOptional: part.some(({ text }) => text === '='), passedBy: 'place' }
  })
}

/** Words that are no name, even where they stand last. */
const TYPE_WORDS = /^(void|bool|char|short|int|long|float|double|signed|unsigned|auto|const|volatile|size_t)$/

/** The declared name and its type: `int *a[3]` declares `a` as `int*[3]`. */
function declarator(words: readonly Token[]): { readonly name: string; readonly type: string } {
  const cut = words.findIndex(({ text }) => text === '=' || text === ':' || text === '{')
  const own = cut === -1 ? words : words.slice(0, cut)
  const bracket = own.findIndex(({ text }) => text === '[')
  const called = own.findIndex(({ text }, at) => text === '(' && /^[*&^]$/.test(own[at + 1]?.text ?? ''))
  const pointer = bracket !== -1 && bracket < called ? -1 : called
  const end = pointer === -1 ? (bracket === -1 ? own.length : bracket) : closing(own, pointer)
  const place = own.slice(0, end).findLastIndex((token) => isWord(token) && token.text !== 'const')
  const name = own[place]
  const isLast = pointer !== -1 || place === end - 1
  const isName = isLast && place > 0 && own[place - 1]?.text !== '::' && !TYPE_WORDS.test(name?.text ?? '')
  const isTag = place === 1 && RECORD.test(own[0]?.text ?? '')
  if (name === undefined || !isName || isTag) return { name: '', type: lineOf(own) }
  return { name: name.text, type: lineOf(own.filter((token) => token !== name)) }
}

/** Specifiers of linkage and optimisation, which do not matter to callers. */
const SILENT = /^(extern|inline|__inline|__inline__|register|friend|mutable|virtual|__extension__|typename)$/
const CALLS = /^(__attribute__|__declspec|alignas|__asm__|asm|_Alignas)$/
const EXPORT_MACRO =
  /^[A-Z][A-Z0-9_]*_(API|EXPORT|EXPORTS|PUBLIC|DLL|EXTERN|DECL|INLINE|DEPRECATED|NODISCARD)$/

/** Without attributes, export macros and specifiers that do not matter to callers. */
function plain(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { text } = tokens[at] as Token
    const isCall = tokens[at + 1]?.text === '(' && (CALLS.test(text) || EXPORT_MACRO.test(text))
    if (isCall) at = closing(tokens, at + 1)
    else if (text === '[[') at = tokens.findIndex((token, place) => place > at && token.text === ']') + 1
    else if (!SILENT.test(text) && !EXPORT_MACRO.test(text) && !text.startsWith('"'))
      kept.push(tokens[at] as Token)
  }
  return kept
}

/** The end of a declaration: its semicolon, or the bracket of its body or of the enclosing scope. */
function endOf(tokens: readonly Token[], start: number): number {
  let at = start
  while (at < tokens.length && !/^[;{}]$/.test(tokens[at]?.text ?? ''))
    at = /^[([]$/.test(tokens[at]?.text ?? '') ? closing(tokens, at) + 1 : at + 1
  return Math.min(at, tokens.length)
}

/** The position of the bracket that closes the one at `at`, or of the last token. */
function closing(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let place = at; place < tokens.length; place++) {
    const { text } = tokens[place] as Token
    if (/^[([{]$/.test(text)) depth++
    else if (/^[)\]}]$/.test(text) && --depth === 0) return place
  }
  return tokens.length - 1
}

function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (/^[([{<]$/.test(token.text)) depth++
    else if (/^[)\]}>]$/.test(token.text)) depth = Math.max(0, depth - 1)
    if (token.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

/** `const char *a` is one text, however it is laid out. */
const lineOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ?(::|[()[\]<>~]) ?/g, '$1')
    .replace(/ (?=[,*&])/g, '')
    .replace(/([*&>)])(?=\w)/g, '$1 ')
