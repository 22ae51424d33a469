/** Fences untrusted text for a worker: it cannot close its fence, and invisible characters are replaced. */

/** Control characters except tab and line feed, and marks that reorder or hide text. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}]/gu

export function fenced(text: string, kind = ''): string {
  const clean = text.replaceAll('\r\n', '\n').replace(UNSEEN, '\u{FFFD}')
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${kind}\n${clean.replace(/\n+$/, '')}\n${fence}`
}

/** The beginning of a text, with a note where it was cut. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, text.lastIndexOf('\n', most) + 1 || most)}[cut here: ${text.length} characters in all]`
}
