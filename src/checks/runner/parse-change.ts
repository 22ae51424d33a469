import type { Change } from '../../core/gates/change.ts'
import { changeTrees, sidesToParse, type ChangeTrees } from '../../core/gates/change-trees.ts'
import type { Parser } from '../../ports/parser.ts'

/** Parses the files of a change before and after it. */
export async function parseChange(parser: Parser, change: Change): Promise<ChangeTrees> {
  const files = sidesToParse(change)
  return changeTrees(await parser.parse(files.before), await parser.parse(files.after))
}
