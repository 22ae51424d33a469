/** Extracts names from the interfaces that a task promises. */

/** The name to look for, or null if there is none. */
export function promisedName(text: string): string | null {
  const code = /`([^`]+)`/.exec(text)?.[1] ?? text
  const plain = code
    .trim()
    .replace(/^(?:produces|exposes?|exports?|provides?|consumes?|uses)\s*:\s*/i, '')
    .replace(
      /^(?:(?:export|default|declare|public|static|async|abstract|pub|extern|inline|const|let|var)\s+)+/,
      '',
    )
  const route = /^(GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)\s+(\/\S*)/.exec(plain)
  if (route !== null) return `${route[1] ?? ''} ${(route[2] ?? '').replace(/\{[^}]*\}|:\w+/g, '{}')}`
  const keyword =
    /^(?:function\*?|class|interface|type|enum|def|fn|func|struct|trait|namespace|module)\s+/.exec(plain)
  const rest = plain.slice(keyword?.[0].length ?? 0)
  const found = /^([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)\s*(.?)/.exec(rest)
  const [, name = '', next = ''] = found ?? []
  if (name === '') return null
  // A name is followed by a signature or nothing, prose by a word.
  const isCode = text.includes('`') || keyword !== null
  return isCode || next === '' || '(<:=[?;,'.includes(next) ? name.replace(/#|::/g, '.') : null
}

/** Whether a symbol matches a name: both `open` and `Shop.open` match `Shop.open`. */
export function answersTo(symbol: string, name: string): boolean {
  const plain = symbol.replaceAll('::', '.')
  return plain === name || plain.endsWith(`.${name}`)
}
