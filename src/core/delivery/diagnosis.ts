/** The result of a bisection, as text and as data. */
import type { Diagnosis, IntegrationResult, Probe } from '../events/integration.ts'
import type { IntegrationTest } from '../planning/plan.ts'
import type { BisectStep, Sighting } from './bisect.ts'

/** A commit of the plan; the task is null for the start commit. */
export interface Point {
  readonly task: string | null
  readonly sha: string
  readonly tree: string
}

const NOWHERE: Point = { task: null, sha: '', tree: '' }

type TestResult = Pick<IntegrationResult, 'outcome' | 'values'>

/** Classifies one run: values out of tolerance are `off`, any other failure is `broken`. */
export function sightingOf(
  test: Pick<IntegrationTest, 'reference'>,
  { outcome, values }: TestResult,
): Sighting {
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
    culprit: end.kind === 'found' ? (points[end.first]?.task ?? null) : null,
    words: describeResult(search, end),
    probes: inOrder.map(([at, probe]) => ({
      task: points[at]?.task ?? null,
      sha: points[at]?.sha ?? '',
      ...probe,
    })),
  }
}

function describeResult({ test, points, probes }: Search, end: Ended): string {
  const name = (at: number): string => nameOf(points[at] ?? NOWHERE)
  const output = (at: number): string => probes.get(at)?.output ?? ''
  switch (end.kind) {
    case 'found':
      return `passes at ${name(end.first - 1)} and fails since ${name(end.first)}${moved(test, probes, end.first)}`
    case 'between':
      return `passes at ${name(end.after)} and fails at ${name(end.first)}; the commits between them could not be run`
    case 'never_good': {
      const seen = `at none of the ${probes.size} probed commits`
      return end.first === null
        ? `passes ${seen}`
        : `passes ${seen}; first out of tolerance at ${name(end.first)}: ${output(end.first)}`
    }
    case 'passes_now':
      return 'passed when run again: the test is flaky'
    case 'cannot_tell':
      return `the commit that causes it is unknown: ${output(points.length - 1)}`
  }
}

const nameOf = ({ task, sha }: Point): string =>
  task === null ? 'the start of the plan' : `task ${task} (${sha.slice(0, 12)})`

/** `: energy -1.17 → -1.19`, for every value that changed there. */
function moved(test: IntegrationTest, probes: Search['probes'], first: number): string {
  const [before, after] = [probes.get(first - 1)?.values ?? {}, probes.get(first)?.values ?? {}]
  const changes = Object.keys(test.reference)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${before[name] ?? 'missing'} → ${after[name] ?? 'missing'}`)
  return changes.length === 0 ? '' : `: ${changes.join(', ')}`
}
