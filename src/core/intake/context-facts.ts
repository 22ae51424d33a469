/** What is known about the project, as far as it concerns one task: for its brief. */
import type { Pattern, ProjectContext } from './project-context.ts'
import { instructionsFor } from './project-instructions.ts'
import { kindOfPath, nameOf, segmentsOf } from '../languages/paths.ts'
import { plainLine, quoted } from '../../lib/text/quoted.ts'
import type { TaskSpec } from '../planning/plan.ts'
import type { Brief } from '../planning/brief/brief.ts'
import { namedPaths, type NearbyFiles } from '../planning/brief/nearby-files.ts'

export type ContextFacts = Pick<
  Brief,
  'keyPaths' | 'patterns' | 'patternToFollow' | 'instructions' | 'projectArchitecture'
>

const MOST_PATHS = 8
const MOST_PATTERNS = 6
const MOST_INSTRUCTIONS = 4

/** What lies near the task's files comes first; the project's own fills what is left. */
export function contextFacts(
  task: Pick<TaskSpec, 'files' | 'testsToAdd'>,
  nearby: NearbyFiles,
  context: ProjectContext,
): ContextFacts {
  const named = namedPaths(task)
  const near = new Set(nearby.keyPaths.map(({ path }) => path))
  const places = context.keyPaths
    .filter(({ path }) => !near.has(path))
    .toSorted((a, b) => distance(a.path, named) - distance(b.path, named))
  const patterns = context.patterns.filter((one) => isAbout(one, named))
  return {
    keyPaths: [...nearby.keyPaths, ...places].slice(0, MOST_PATHS),
    patterns: patterns.map(formatPattern).slice(0, MOST_PATTERNS),
    patternToFollow: nearby.patternToFollow ?? exampleFor(patterns, named),
    instructions: instructionsNear(context, named),
    projectArchitecture: context.architecture,
  }
}

/** How many folders they share, the fewest last. */
function distance(path: string, named: readonly string[]): number {
  const own = segmentsOf(path)
  const shared = named.map((other) => {
    const segments = segmentsOf(other)
    const differs = own.findIndex((segment, at) => segment !== segments[at])
    return differs === -1 ? own.length : differs
  })
  return -Math.max(0, ...shared)
}

/** The conventions of the root's instructions are in the shared context already; other languages do not matter. */
function isAbout({ name, example }: Pattern, named: readonly string[]): boolean {
  if (name === 'convention') return false
  const isOfProject = kindOfPath(example) !== 'source' && kindOfPath(example) !== 'test'
  return isOfProject || named.length === 0 || named.some((path) => endingOf(path) === endingOf(example))
}

const endingOf = (path: string): string => nameOf(path).split('.').at(-1) ?? ''

const formatPattern = ({ name, text, example }: Pattern): string =>
  `${plainLine(name, 40)}: ${quoted(text, 240)}${example === '' ? '' : ` (see ${quoted(example, 300)})`}`

/** A source file of the same language, the nearest one. */
function exampleFor(patterns: readonly Pattern[], named: readonly string[]): string | null {
  const [nearest] = patterns
    .map(({ example }) => example)
    .filter(
      (path) => kindOfPath(path) === 'source' && named.some((other) => endingOf(other) === endingOf(path)),
    )
    .filter((path) => !named.includes(path))
    .toSorted((a, b) => distance(a, named) - distance(b, named))
  return nearest ?? null
}

/** For each file the nearest instructions, which win where they differ from those above; the root's for a task without files. */
function instructionsNear(context: ProjectContext, named: readonly string[]): readonly string[] {
  const applying = (named.length === 0 ? [''] : named).map((path) =>
    instructionsFor(context, path).map((one) => one.path),
  )
  const nearest = applying.flatMap((paths) => paths.slice(0, 1))
  const others = applying.flatMap((paths) => paths.slice(1))
  return [...new Set([...nearest, ...others])].slice(0, MOST_INSTRUCTIONS)
}
