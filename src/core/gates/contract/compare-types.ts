/** Compares types as text: whether one accepts everything another accepts. Unclear cases do not. */

const OPEN = '([{<'
const CLOSE = ')]}>'

/** Splits a text at top-level separators. */
function topLevel(text: string, separator: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const isArrow = char === '>' && (text.charAt(at - 1) === '=' || text.charAt(at - 1) === '-')
    if (OPEN.includes(char)) depth++
    else if (CLOSE.includes(char) && !isArrow) depth--
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at).trim())
      from = at + separator.length
      at = from - 1
    }
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '')
}

/** Members of a union: `a | b`, and `a?` of Python's `Optional[a]`. */
function alternatives(type: string): readonly string[] {
  // An arrow type extends to the end: `() => a | b` is one function.
  if (topLevel(type, '=>').length > 1) return [type]
  const optional = /^(?:typing\.)?Optional\[(.*)\]$/.exec(type)?.[1]
  if (optional !== undefined && topLevel(optional, ',').length === 1)
    return [...alternatives(optional), 'None']
  const union = /^(?:typing\.)?Union\[(.*)\]$/.exec(type)?.[1]
  if (union !== undefined) return topLevel(union, ',').flatMap(alternatives)
  return topLevel(type, '|')
}

const ANYTHING: ReadonlySet<string> = new Set([
  'any',
  'unknown',
  'Any',
  'object',
  'interface{}',
  'typing.Any',
])

/** Whether `after` accepts everything that `before` accepts. */
export function isWider(before: string, after: string): boolean {
  if (before === after || ANYTHING.has(after)) return true
  const allowed = alternatives(after)
  const asked = alternatives(before)
  if (asked.length === 1 && allowed.length === 1) return isWiderObject(before, after)
  return asked.every((one) => allowed.some((other) => one === other || isWiderObject(one, other)))
}

interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string | null
}

/** `{ a }` accepts what `{ a; b? }` accepts: no member was removed and none became required. */
function isWiderObject(before: string, after: string): boolean {
  const [old, now] = [membersOf(before), membersOf(after)]
  if (old === null || now === null) return false
  const isKept = old.every(({ name, isOptional, type }) => {
    const same = now.find((member) => member.name === name)
    if (same === undefined || (isOptional && !same.isOptional)) return false
    return type === same.type || (type !== null && same.type !== null && isWider(type, same.type))
  })
  return isKept && now.every((member) => member.isOptional || old.some(({ name }) => name === member.name))
}

function membersOf(type: string): readonly Member[] | null {
  const inner = /^\{(.*)\}$/.exec(type)?.[1]
  if (inner === undefined || inner.includes('[')) return null
  return topLevel(inner, ';').map((text) => {
    const [, name = text, mark = '', own] = /^((?:readonly )?[\w$'"]+)(\??)(?::\s*(.*))?$/.exec(text) ?? []
    return { name, isOptional: mark === '?', type: own ?? null }
  })
}
