/** A patch as files that can be drawn, with the findings on their lines. */
import { parsePatchFiles, type CodeViewDiffItem, type FileDiffMetadata } from '@pierre/diffs'
import type { DiffAnswer } from '../../../../src/protocol/task-answer.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { languageOf } from './languages.ts'

export type DiffNote = DiffAnswer['notes'][number]

export interface DiffItem extends CodeViewDiffItem<readonly DiffNote[]> {
  /** Findings on its lines. */
  readonly noted: number
}

export interface ReadPatch {
  readonly items: readonly DiffItem[]
  /** Findings about this work that no line of the patch carries. */
  readonly elsewhere: readonly DiffNote[]
  /** Findings about the work of an earlier attempt: their lines may be others now, so no line carries them. */
  readonly earlier: readonly DiffNote[]
}

/** Above this, lines that changed are not matched with each other. */
const MATCHED_CHARACTERS = 2_000_000
/** Of a large patch, this much is read at a time, so that the page answers in between. */
const SLICE_CHARACTERS = 250_000

type Patch = Pick<DiffAnswer, 'patch' | 'notes'>

export const isLargePatch = ({ patch }: Patch): boolean => patch.length > SLICE_CHARACTERS

/** Throws where the patch is not in git's form. `id` names what it is the patch of. */
export function readPatch({ patch, notes }: Patch, id: string): ReadPatch {
  const print = hashOf(patch)
  return withNotes(filesIn(patch, `${id}:${print}`, patch.length), notes, print)
}

/** The same, a slice at a time. `pause` resolves when the next may be read, and rejects where it is not wanted any more. */
export async function readLargePatch(
  { patch, notes }: Patch,
  id: string,
  pause: () => Promise<void>,
): Promise<ReadPatch> {
  const print = hashOf(patch)
  const files: FileDiffMetadata[] = []
  for (const [place, slice] of slicesOf(patch).entries()) {
    await pause()
    files.push(...filesIn(slice, `${id}:${print}:${place}`, patch.length))
  }
  await pause()
  return withNotes(files, notes, print)
}

/** FNV-1a. Of a text that changes while its length stays, too. */
function hashOf(text: string, seed = 0x81_1c_9d_c5): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93)
  return hash >>> 0
}

/** Cut between files. Within one, every line begins with a blank, a sign, `@` or `\\`. */
export function slicesOf(patch: string, most = SLICE_CHARACTERS): readonly string[] {
  const slices: string[] = []
  for (let start = 0; start < patch.length;) {
    const cut = patch.indexOf('\ndiff --git ', start + most)
    const end = cut === -1 ? patch.length : cut + 1
    slices.push(patch.slice(start, end))
    start = end
  }
  return slices
}

const filesIn = (text: string, key: string, wholeLength: number): FileDiffMetadata[] =>
  parsePatchFiles(visibleText(text), {
    cacheKeyPrefix: key,
    throwOnError: true,
    disableLineMatching: wholeLength > MATCHED_CHARACTERS,
  }).flatMap((part) => part.files)

/** Bosun's own record of the review, which lands with the work, comes after the work. */
const IS_REVIEW = /(^|\/)task-[^/]+-review\.md$/
const reviewsLast = (files: readonly FileDiffMetadata[]): readonly FileDiffMetadata[] =>
  files.toSorted((a, b) => Number(IS_REVIEW.test(a.name)) - Number(IS_REVIEW.test(b.name)))

function withNotes(files: readonly FileDiffMetadata[], notes: readonly DiffNote[], print: number): ReadPatch {
  const current = notes.filter(({ earlier }) => !earlier)
  const items = reviewsLast(files).map((file, place) => {
    const item = itemOf(file, place, current)
    // An item of the same id is drawn again only where its version is another one.
    return { ...item, version: hashOf(JSON.stringify(item.annotations), print) }
  })
  const placed = new Set(
    items.flatMap(({ annotations = [] }) => annotations.flatMap(({ metadata }) => metadata)),
  )
  return {
    items,
    elsewhere: current.filter((note) => !placed.has(note)),
    earlier: notes.filter(({ earlier }) => earlier),
  }
}

function itemOf(file: FileDiffMetadata, place: number, notes: readonly DiffNote[]): DiffItem {
  const here = notes.filter(({ path, line }) => path === file.name && line !== null && hasLine(file, line))
  const byLine = Map.groupBy(here, ({ line }) => line ?? 0)
  return {
    id: `${place} ${file.name}`,
    type: 'diff',
    fileDiff: { ...file, lang: languageOf(file.name) },
    annotations: [...byLine].map(([lineNumber, metadata]) => ({
      side: 'additions' as const,
      lineNumber,
      metadata,
    })),
    noted: here.length,
  }
}

/** Whether a line of the new file is within a hunk. */
const hasLine = ({ hunks }: FileDiffMetadata, line: number): boolean =>
  hunks.some(
    ({ additionStart, additionCount }) => line >= additionStart && line < additionStart + additionCount,
  )
