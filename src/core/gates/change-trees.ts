/** The syntax trees of a change's files, on both sides. */
import type { Parsed } from '../languages/syntax.ts'
import { linesBefore, type Change } from './change.ts'

/** Null where the file is not on that side, or is no text. */
export interface ChangeTrees {
  readonly before: (path: string) => Parsed | null
  readonly after: (path: string) => Parsed | null
}

export interface SidesToParse {
  readonly before: readonly { readonly path: string; readonly text: string }[]
  readonly after: readonly { readonly path: string; readonly text: string }[]
}

/** What has to be parsed for it. */
export function sidesToParse(change: Change): SidesToParse {
  const text = (path: string, lines: readonly string[] | null) =>
    lines === null ? [] : [{ path, text: lines.join('\n') }]
  return {
    before: change.files.flatMap((file) => text(file.path, linesBefore(file))),
    after: change.files.flatMap(({ path, lines }) => text(path, lines)),
  }
}
