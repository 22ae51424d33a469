/** The syntax trees of a change's files, on both sides. */
import type { Parsed } from '../languages/syntax.ts'
import { linesBefore, type Change, type ChangedFile } from './change.ts'

/** Null if the file is not on that side, or not text. */
export interface ChangeTrees {
  readonly before: (path: string) => Parsed | null
  readonly after: (path: string) => Parsed | null
}

export interface SidesToParse {
  readonly before: readonly { readonly path: string; readonly text: string }[]
  readonly after: readonly { readonly path: string; readonly text: string }[]
}

/** The files to parse: all, or only the wanted ones. */
export function sidesToParse(
  { files }: Change,
  isWanted: (file: ChangedFile) => boolean = () => true,
): SidesToParse {
  const wanted = files.filter(isWanted)
  const text = (path: string, lines: readonly string[] | null) =>
    lines === null ? [] : [{ path, text: lines.join('\n') }]
  return {
    before: wanted.flatMap((file) => text(file.path, linesBefore(file))),
    after: wanted.flatMap(({ path, lines }) => text(path, lines)),
  }
}

type ByPath = ReadonlyMap<string, Parsed>

export const changeTrees = (before: ByPath, after: ByPath): ChangeTrees => ({
  before: (path) => before.get(path) ?? null,
  after: (path) => after.get(path) ?? null,
})
