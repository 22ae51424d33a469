import type { Parsed } from '../../core/languages/syntax.ts'
import type { FileToParse, Parser } from '../../ports/parser.ts'

/**
 * Judges by syntax trees where only the judging shows which files are needed: it is done again until nothing that it asks
 * for is missing. It answers null for what is not parsed yet.
 */
export async function withParsed<T>(
  parser: Parser,
  judge: (parsed: (file: FileToParse) => Parsed | null) => T,
): Promise<T> {
  const known = new Map<string, Parsed>()
  for (;;) {
    const missing = new Map<string, FileToParse>()
    const result = judge((file) => {
      const key = `${file.path}\0${file.text}`
      const parsed = known.get(key)
      if (parsed === undefined) missing.set(key, file)
      return parsed ?? null
    })
    if (missing.size === 0) return result
    for (const [key, file] of missing) {
      const parsed = (await parser.parse([file])).get(file.path)
      known.set(key, parsed ?? { unread: 'unavailable' })
    }
  }
}
