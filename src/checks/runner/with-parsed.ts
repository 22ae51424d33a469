import type { Parsed } from '../../core/languages/syntax.ts'
import type { FileToParse, Parser } from '../../ports/parser.ts'

/**
 * Runs `judge` until every file it asks for is parsed, since only running it shows which files it needs. `parsed` returns
 * null for a file that is not parsed yet.
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
