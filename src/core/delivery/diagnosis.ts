/** What a search through a plan's commits says about a test that fails, in words and as data. */
import type { Diagnosis, IntegrationResult, Probe } from '../events/integration.ts'
import type { IntegrationTest } from '../planning/plan.ts'
import type { BisectStep, Sighting } from './bisect.ts'

/** A commit of the plan; the task is null for what it started from. */
export interface Point {
  readonly task: string | null
  readonly sha: string
  readonly tree: string
}

const NOWHERE: Point = { task: null, sha: '', tree: '' }

type Told = Pick<IntegrationResult, 'outcome' | 'values'>

/** Whether the values are there and wrong, or it fails in another way. */
export function sightingOf(test: Pick<IntegrationTest, 'reference'>, { outcome, values }: Told): Sighting {
  if (outcome === 'passed') return 'good'
  if (outcome === 'inconclusive') return 'unknown'
  const names = Object.keys(test.reference)
  const areThere = names.length > 0 && names.every((name) => typeof values[name] === 'number')
  return areThere ? 'off' : 'broken'
}

export type Ended = Exclude<BisectStep, { readonly kind: 'probe' }>

export interface Search {
  readonly test: IntegrationTest
  readonly points: readonly Point[]
  readonly probes: ReadonlyMap<number, Omit<Probe, 'task' | 'sha'>>
}

export function diagnosisOf(search: Search, end: Ended): Diagnosis {
  const { test, points, probes } = search
  const inOrder = [...probes].sort(([a], [b]) => a - b)
  return {
    test: test.id,
    culprit: culpritOf(points, end),
    words: wordsOf(search, end),
    probes: inOrder.map(([at, probe]) => ({
      task: points[at]?.task ?? null,
      sha: points[at]?.sha ?? '',
      ...probe,
    })),
  }
}

function culpritOf(points: readonly Point[], end: Ended): string | null {
  return end.kind === 'found' ? (points[end.first]?.task ?? null) : null
}

function wordsOf({ test, points, probes }: Search, end: Ended): string {
  const name = (at: number): string => nameOf(points[at] ?? NOWHERE)
  const said = (at: number): string => probes.get(at)?.output ?? ''
  switch (end.kind) {
    case 'found':
      return `passes at ${name(end.first - 1)} and fails since ${name(end.first)}${moved(test, probes, end.first)}`
    case 'between':
      return `passes at ${name(end.after)} and fails at ${name(end.first)}; what landed between them could not be run`
    case 'never_good': {
      const seen = `at none of the ${probes.size} commits that were looked at`
      return end.first === null
        ? `it passes ${seen}`
        : `it passes ${seen}; first seen out of tolerance at ${name(end.first)}: ${said(end.first)}`
    }
    case 'passes_now':
      return 'it passed when it was run again: it is not steady'
    case 'cannot_tell':
      return `it cannot be told which commit is the cause: ${said(points.length - 1)}`
  }
}

const nameOf = ({ task, sha }: Point): string =>
  task === null ? 'the start of the plan' : `task ${task} (${sha.slice(0, 12)})`

/** `: energy -1.17 → -1.19`, for every value that went out of its tolerance there or at least changed. */
function moved(test: IntegrationTest, probes: Search['probes'], first: number): string {
  const [before, after] = [probes.get(first - 1)?.values ?? {}, probes.get(first)?.values ?? {}]
  const changes = Object.keys(test.reference)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${before[name] ?? 'missing'} → ${after[name] ?? 'missing'}`)
  return changes.length === 0 ? '' : `: ${changes.join(', ')}`
}
