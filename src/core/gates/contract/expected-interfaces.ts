/** Interfaces that a task promises, as far as a name can be read from the author's words. */

/** A name to look for, or null where the words name nothing that could be looked up. */
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
  // Prose goes on with a word; a name goes on with a signature, or not at all.
  const isCode = text.includes('`') || keyword !== null
  return isCode || next === '' || '(<:=[?;,'.includes(next) ? name.replace(/#|::/g, '.') : null
}

/** Whether a symbol answers to a name: `open` and `Shop.open` are both `Shop.open`. */
export function answersTo(symbol: string, name: string): boolean {
  const plain = symbol.replaceAll('::', '.')
  return plain === name || plain.endsWith(`.${name}`)
}
