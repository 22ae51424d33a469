/** Finds everything in a change that weakens or bypasses its checks. Doubtful cases are left to a person. */
import type { Change, ChangedFile, ChangeTrees } from '../change.ts'
import { familyOf, isFixture, roleOf, codeLinesIn, MAX_ADDED, readChange } from './reading.ts'
import type { NamingSpec } from './protected-files.ts'
import { isSnapshot } from './protected-names.ts'
import { LONGEST_LINE, type Trip, type Wire } from './wire.ts'
import { DISABLED_CHECKS, SILENCED } from './wires/silenced.ts'
import { EXITS, WATCHING } from './wires/exits.ts'
import { PATCHED } from './wires/patched.ts'
import { fewerAssertions, WEAKENED } from './wires/weakened.ts'
import { SKIPPED, TRIVIAL_ASSERTIONS } from './wires/skipped.ts'

const WIRES: readonly Wire[] = [
  ...SKIPPED,
  ...SILENCED,
  ...DISABLED_CHECKS,
  ...EXITS,
  ...PATCHED,
  ...WATCHING,
  ...TRIVIAL_ASSERTIONS,
  fewerAssertions,
  ...WEAKENED,
]

const MAX_TRIPS = 500

export interface WireRequest {
  readonly change: Change
  readonly trees: ChangeTrees
  readonly spec: NamingSpec
}

/** A place where added code could not be parsed. */
export interface Unclear {
  readonly path: string
  readonly line: number | null
  readonly why: string
}

export interface Tripped {
  /** Blocking trips first, then in the order of the change; at most one per wire and line. */
  readonly trips: readonly Trip[]
  readonly unclear: readonly Unclear[]
}

export function tripwires({ change, trees, spec }: WireRequest): Tripped {
  const readings = readChange(change, trees)
  const found = readings.flatMap((reading) => WIRES.flatMap((wire) => wire(reading, { readings, spec })))
  const judged = found.map((trip) =>
    isMoved(trip, change) ? ({ ...trip, weight: 'review' } as const) : trip,
  )
  const all = [...tooMuch(change), ...judged, ...change.files.flatMap(fileTrips)]
  const { blocks = [], review = [] } = Object.groupBy(all, ({ weight }) => weight)
  const seen = new Set<string>()
  const trips = [...blocks, ...review].filter(({ wire, path, line }) => {
    const key = `${wire} ${path} ${line}`
    return seen.has(key) ? false : seen.add(key)
  })
  const unclear = readings
    .filter((reading) => !reading.isFixture)
    .flatMap(({ path, broken }) => broken.map(({ line, text }) => ({ path, line, why: text })))
  return { trips: trips.slice(0, MAX_TRIPS), unclear }
}

/** An added line that another file of the change gives up is no news; a reviewer sees that it was there. */
function isMoved({ path, line, text }: Trip, { files }: Change): boolean {
  const own = bare(text)
  const isAdded = files.some(
    (file) => file.path === path && file.added.some((one) => one.line === line && bare(one.text) === own),
  )
  return (
    isAdded &&
    own !== '' &&
    files.some((file) => file.path !== path && file.removed.some((one) => bare(one.text) === own))
  )
}

/** As it reads in any list. */
const bare = (text: string): string => text.trim().replace(/^- (?:run: )?/, '')

function tooMuch({ files }: Change): readonly Trip[] {
  const lines = codeLinesIn(files)
  const [first] = files
  if (lines <= MAX_ADDED || first === undefined) return []
  const saw = `is one of ${files.length} files with ${lines} new lines of code, more than can be checked`
  return [{ wire: 'unreadable-code', saw, weight: 'blocks', path: first.path, line: null, text: '' }]
}

function fileTrips(file: ChangedFile): readonly Trip[] {
  const { path, kind } = file
  const trip = (wire: string, saw: string, weight: Trip['weight']): Trip[] => [
    { wire, saw, weight: isFixture(path) ? 'review' : weight, path, line: null, text: '' },
  ]
  if (isSnapshot(path)) {
    return kind === 'modified' && file.removed.length > 0
      ? trip('snapshot-rewritten', 'rewrites the expected output of a test', 'review')
      : []
  }
  const family = familyOf(path, '')
  if (family === null || family === 'json' || family === 'config' || kind === 'deleted') return []
  // A file with a zero byte still runs, but no diff shows it.
  if (file.isBinary) {
    return trip(
      'unreadable-code',
      'is code that cannot be read as text',
      family === 'c' ? 'review' : 'blocks',
    )
  }
  const isLong = file.added.some(({ text }) => text.length > LONGEST_LINE)
  return isLong && roleOf(path) !== 'settings' && !/\.min\.\w+$/.test(path)
    ? trip('unreadable-code', 'has lines too long to read', 'review')
    : []
}
