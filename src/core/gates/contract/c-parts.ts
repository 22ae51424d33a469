/** Reads parameters and declarators of C and C++. */
import { afterAngles, afterClosing, inside, splitAtCommas, type Token } from './c-lexer.ts'
import { lineOf } from './one-line.ts'
import type { Parameter } from './public-symbol.ts'

const TYPE_WORDS: ReadonlySet<string> = new Set(
  'void bool char short int long float double signed unsigned auto const volatile struct class enum union size_t'.split(
    ' ',
  ),
)
/** Specifiers of linkage and optimisation, which do not matter to callers. */
const SILENT =
  /^(extern|inline|__inline|__inline__|static_inline|register|friend|mutable|__extension__|typename)$/
const CALLS = /^(__attribute__|__declspec|alignas|__asm__|asm|_Alignas)$/
const EXPORT_MACRO =
  /^[A-Z][A-Z0-9_]*_(API|EXPORT|EXPORTS|PUBLIC|DLL|EXTERN|DECL|INLINE|DEPRECATED|NODISCARD)$/

/** Drops attributes, export macros and specifiers that do not matter to callers. */
export function plainTokens(tokens: readonly Token[]): readonly Token[] {
  const plain: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const [token, next] = [tokens[at] as Token, tokens[at + 1]]
    const isMacro = token.kind === 'word' && EXPORT_MACRO.test(token.text)
    const isCall = next?.text === '(' && (CALLS.test(token.text) || (isMacro && next.isTight))
    const isAttribute = token.text === '[' && next?.text === '['
    const isSilent = token.kind === 'word' && SILENT.test(token.text)
    const isLinkage = token.kind === 'string' && tokens[at - 1]?.text === 'extern'
    if (!(isMacro || isCall || isAttribute || isSilent || isLinkage || token.kind === 'directive'))
      plain.push(token)
    at = isCall ? afterClosing(tokens, at + 1) : isAttribute ? afterClosing(tokens, at) : at + 1
  }
  return plain
}

/** The declared name and its type: `int *a[3]` declares `a` as `int*[3]`. */
export function declaratorOf(tokens: readonly Token[]): { readonly name: string; readonly type: string } {
  // `int (*name)(int)`: the name is in the parentheses.
  const pointer = tokens.findIndex(
    (token, at) => token.text === '(' && /^[*&^]$/.test(tokens[at + 1]?.text ?? ''),
  )
  if (pointer !== -1) {
    const end = afterClosing(tokens, pointer)
    const place = tokens
      .slice(pointer, end)
      .findLastIndex((token) => token.kind === 'word' && token.text !== 'const')
    const name = place === -1 ? '' : (tokens[pointer + place]?.text ?? '')
    const rest = place === -1 ? tokens : tokens.filter((_, at) => at !== pointer + place)
    return { name, type: typeText(rest) }
  }
  const bracket = tokens.findIndex((token) => token.text === '[')
  const head = bracket === -1 ? tokens : tokens.slice(0, bracket)
  const last = head.at(-1)
  const before = head.at(-2)
  const isNamed =
    last?.kind === 'word' &&
    before !== undefined &&
    before.text !== '::' &&
    !TYPE_WORDS.has(last.text) &&
    !(
      before.kind === 'word' &&
      /^(struct|class|enum|union|const|volatile)$/.test(before.text) &&
      head.length === 2
    )
  if (!isNamed) return { name: '', type: typeText(tokens) }
  return {
    name: last.text,
    type: typeText([...head.slice(0, -1), ...(bracket === -1 ? [] : tokens.slice(bracket))]),
  }
}

/** `const char *` and `char const*` are normalized. */
export function typeText(tokens: readonly Token[]): string {
  return lineOf(tokens)
    .replace(/\s*([*&]+)\s*/g, '$1')
    .replace(/([*&])(?=[A-Za-z_])/g, '$1 ')
    .replace(/^(\w+(?:::\w+)*) const\b/, 'const $1')
}

function cParameters(tokens: readonly Token[]): readonly Parameter[] {
  const parts = splitAtCommas(plainTokens(tokens))
  if (parts.length === 1 && parts[0]?.length === 1 && parts[0][0]?.text === 'void') return []
  return parts.flatMap((part): readonly Parameter[] => {
    if (part[0]?.text === '...') return [{ name: '', type: '...', need: 'rest' }]
    const equals = part.findIndex((token) => token.text === '=')
    const declared = declaratorOf(equals === -1 ? part : part.slice(0, equals))
    if (declared.type === '') return []
    return [{ ...declared, need: equals === -1 ? 'required' : 'optional' }]
  })
}

/** The end of a declaration: its semicolon or body. */
export function endOfDeclaration(
  tokens: readonly Token[],
  start: number,
): { readonly head: number; readonly end: number } {
  for (let at = start; at < tokens.length;) {
    const token = tokens[at]
    if (token?.text === ';') return { head: at, end: at + 1 }
    if (token?.text === '{') {
      const end = afterClosing(tokens, at)
      // `int a{1};` and `enum { b } c;` continue.
      return { head: at, end: tokens[end]?.text === ';' ? end + 1 : end }
    }
    if (token?.text === '}') return { head: at, end: at + 1 }
    if (token?.text === '<') {
      at = afterAngles(tokens, at) ?? at + 1
      continue
    }
    at = token?.kind === 'mark' && '(['.includes(token.text) ? afterClosing(tokens, at) : at + 1
  }
  return { head: tokens.length, end: tokens.length }
}

export interface Declared {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly type: string
  readonly modifiers: readonly string[]
}

/** `int name(char a) const` from the tokens before its semicolon or body; null if it is not a function. */
export function functionIn(tokens: readonly Token[]): Declared | null {
  const open = callPlace(tokens)
  if (open === null) return null
  const before = tokens.slice(0, open)
  const operator = before.findIndex((token) => token.text === 'operator')
  let nameAt = operator === -1 ? before.length - 1 : operator
  if (operator === -1) {
    if (before[nameAt]?.kind !== 'word') return null
    if (before[nameAt - 1]?.text === '~') nameAt--
    while (before[nameAt - 1]?.text === '::') nameAt -= 2
  }
  if (nameAt < 0) return null
  const name = lineOf(before.slice(nameAt)).replaceAll(' ', '')
  const words = before
    .slice(0, nameAt)
    .filter((token) => /^(static|virtual|explicit|constexpr|consteval)$/.test(token.text))
  const type = typeText(before.slice(0, nameAt).filter((token) => !words.includes(token)))
  const after = tokens.slice(afterClosing(tokens, open))
  const arrow = after.findIndex((token) => token.text === '->')
  const trailing = arrow === -1 ? null : typeText(after.slice(arrow + 1))
  const tail = arrow === -1 ? after : after.slice(0, arrow)
  const has = (text: string): boolean => tail.some((token) => token.text === text)
  const assigned = tail[tail.findIndex((token) => token.text === '=') + 1]?.text
  const modifiers = [
    ...words.map((token) => token.text).filter((word) => word !== 'virtual'),
    ...(has('const') ? ['on const'] : []),
    ...(has('&') ? ['on &'] : []),
    ...(has('noexcept') ? ['noexcept'] : []),
    ...(has('=') && assigned === '0' ? ['abstract'] : []),
    ...(has('=') && assigned === 'delete' ? ['deleted'] : []),
  ]
  return { name, parameters: cParameters(inside(tokens, open)), type: trailing ?? type, modifiers }
}

/** The parameter list: the first parenthesis after a name that is not a function pointer. */
function callPlace(tokens: readonly Token[]): number | null {
  let isOperator = false
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    isOperator ||= token?.text === 'operator'
    if (token?.text === '=' && !isOperator) return null
    if (token?.text === '<' && !isOperator) {
      const end = afterAngles(tokens, at)
      if (end !== null) at = end - 1
      continue
    }
    if (token?.text === '(') {
      const isOperatorCall = tokens[at - 1]?.text === 'operator' && tokens[at + 1]?.text === ')'
      if (isOperatorCall) {
        at++
        continue
      }
      const isPointer =
        /^[*&^]$/.test(tokens[at + 1]?.text ?? '') && tokens[afterClosing(tokens, at)]?.text === '('
      return at === 0 || isPointer ? null : at
    }
  }
  return null
}
