import type { Change } from '../core/gates/change.ts'
import { sidesToParse, type ChangeTrees } from '../core/gates/change-trees.ts'
import type { Parser } from '../ports/parser.ts'

/** Parses the files of a change as they were and as they are. */
export async function parseChange(parser: Parser, change: Change): Promise<ChangeTrees> {
  const files = sidesToParse(change)
  const before = await parser.parse(files.before)
  const after = await parser.parse(files.after)
  return {
    before: (path) => before.get(path) ?? null,
    after: (path) => after.get(path) ?? null,
  }
}
