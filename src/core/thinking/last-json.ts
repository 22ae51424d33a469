/** The last JSON object or list in what a command printed; null where there is none. */

/** What is tried, from the end: a command may print anything. */
const MOST_TRIES = 500

export function lastJson(printed: string): string | null {
  const lines = printed.trimEnd().split('\n')
  const begins = lines.flatMap((line, at) => (/^\s*[{[]/.test(line) ? [at] : []))
  let tries = 0
  for (let end = lines.length - 1; end >= 0; end--) {
    if (!/[}\]]\s*$/.test(lines[end] ?? '')) continue
    for (const start of begins.filter((at) => at <= end).toReversed()) {
      if (++tries > MOST_TRIES) return null
      const text = lines
        .slice(start, end + 1)
        .join('\n')
        .trim()
      if (isJson(text)) return text
    }
  }
  return null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
