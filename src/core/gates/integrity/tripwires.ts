/** Finds everything in a change that weakens or bypasses its checks. Doubtful cases are left to a person. */
import type { TaskSpec } from '../../planning/plan.ts'
import type { Change, ChangedFile } from '../change.ts'
import type { ChangeTrees } from '../change-trees.ts'
import { familyOf, isFixture, roleOf } from './families.ts'
import { isSnapshot } from './protected-paths.ts'
import { codeLinesIn, MAX_ADDED, readChange } from './reading.ts'
import {
  LONGEST_LINE,
  tripsOn,
  tripsOnNodes,
  type FileWire,
  type LineWire,
  type NodeWire,
  type Trip,
} from './wire.ts'
import { DEFUSED_LINES, DEFUSED_WIRES } from './wires/disabled-checks.ts'
import { EXIT_LINES, EXITS, FORGED_WIRES } from './wires/exits.ts'
import { equalsEverything, PATCHED, PATCHED_LINES } from './wires/patched.ts'
import { libraryShadowed } from './wires/shadowed.ts'
import { SILENCED, SILENCED_LINES } from './wires/silenced.ts'
import { SKIPPED, SKIPPED_LINES } from './wires/skipped.ts'
import { assertionMustFail, VACUOUS_LINES, VACUOUS_WIRES } from './wires/trivial-assertions.ts'
import { WATCHING, WATCHING_LINES } from './wires/test-detection.ts'
import {
  assertsNothing,
  changedNumbers,
  emptiedTests,
  fewerAssertions,
  swallowedAssertions,
  weakerAssertions,
} from './wires/weakened.ts'

const NODE_WIRES: readonly NodeWire[] = [
  ...SKIPPED,
  ...SILENCED,
  ...DEFUSED_WIRES,
  ...EXITS,
  ...FORGED_WIRES,
  ...PATCHED,
  ...WATCHING,
  ...VACUOUS_WIRES,
]

const LINE_WIRES: readonly LineWire[] = [
  ...SKIPPED_LINES,
  ...SILENCED_LINES,
  ...DEFUSED_LINES,
  ...EXIT_LINES,
  ...PATCHED_LINES,
  ...WATCHING_LINES,
  ...VACUOUS_LINES,
]

const FILE_WIRES: readonly FileWire[] = [
  fewerAssertions,
  weakerAssertions,
  changedNumbers,
  swallowedAssertions,
  emptiedTests,
  assertsNothing,
  equalsEverything,
  libraryShadowed,
  assertionMustFail,
]

const MAX_TRIPS = 500

export interface WireRequest {
  readonly change: Change
  readonly trees: ChangeTrees
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd'>
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
  const facts = { readings, spec }
  const found = readings.flatMap((reading) => [
    ...NODE_WIRES.flatMap((wire) => tripsOnNodes(wire, reading)),
    ...LINE_WIRES.flatMap((wire) => tripsOn(wire, reading)),
    ...FILE_WIRES.flatMap((wire) => wire(reading, facts)),
  ])
  const all = [...tooMuch(change), ...found, ...change.files.flatMap(ofTheFile)]
  const [blocks, notes] = [
    all.filter(({ weight }) => weight === 'blocks'),
    all.filter(({ weight }) => weight === 'note'),
  ]
  const seen = new Set<string>()
  const trips = [...blocks, ...notes].filter(({ wire, path, line }) => {
    const key = `${wire} ${path} ${line}`
    return seen.has(key) ? false : seen.add(key)
  })
  const unclear = readings
    .filter((reading) => !reading.isFixture)
    .flatMap(({ path, broken }) => broken.map(({ line, text }) => ({ path, line, why: text })))
  return { trips: trips.slice(0, MAX_TRIPS), unclear }
}

function tooMuch({ files }: Change): readonly Trip[] {
  const lines = codeLinesIn(files)
  const [first] = files
  if (lines <= MAX_ADDED || first === undefined) return []
  const saw = `is one of ${files.length} files with ${lines} new lines of code, more than can be checked`
  return [{ wire: 'unreadable-code', saw, weight: 'blocks', path: first.path, line: null, text: '' }]
}

function ofTheFile(file: ChangedFile): readonly Trip[] {
  const { path, kind } = file
  const trip = (wire: string, saw: string, weight: Trip['weight']): Trip[] => [
    { wire, saw, weight: isFixture(path) ? 'note' : weight, path, line: null, text: '' },
  ]
  if (isSnapshot(path)) {
    return kind === 'modified' && file.removed.length > 0
      ? trip('snapshot-rewritten', 'rewrites the expected output of a test', 'note')
      : []
  }
  const family = familyOf(path, '')
  if (family === null || family === 'json' || family === 'config' || kind === 'deleted') return []
  // A file with a zero byte still runs, but no diff shows it.
  if (file.isBinary) {
    return trip('unreadable-code', 'is code that cannot be read as text', family === 'c' ? 'note' : 'blocks')
  }
  const isLong = file.added.some(({ text }) => text.length > LONGEST_LINE)
  return isLong && roleOf(path) !== 'settings' && !/\.min\.\w+$/.test(path)
    ? trip('unreadable-code', 'has lines too long to read', 'note')
    : []
}
