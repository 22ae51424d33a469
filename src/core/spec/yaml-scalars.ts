/** Texts as YAML that no content can break out of. */

/** A double-quoted scalar: JSON's strings are YAML's. */
export const yamlString = (text: string): string => JSON.stringify(text.toWellFormed())

export const yamlList = (texts: readonly string[]): string => `[${texts.map(yamlString).join(', ')}]`

/** What a literal block may hold: no control character but the end of a line, and no mark that other readers take for one. */
const LITERAL =
  /^[\n\u0020-\u007E\u00A0-\u2027\u202A-\uD7FF\uE000-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]*$/u

/** A literal block where the text has several lines and can stand in one, else a quoted scalar. */
export function yamlText(text: string, indent: number): string {
  const plain = text.toWellFormed().replaceAll(/\r\n?/g, '\n')
  if (!plain.includes('\n') || !LITERAL.test(plain)) return yamlString(plain)
  const margin = ' '.repeat(indent + 2)
  // The indicators fix the margin and keep every line end.
  const lines = plain.split('\n').map((line) => (line === '' ? '' : margin + line))
  return plain.endsWith('\n') ? `|2+\n${lines.slice(0, -1).join('\n')}` : `|2-\n${lines.join('\n')}`
}
