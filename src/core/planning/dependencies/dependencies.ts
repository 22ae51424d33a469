/** Links tasks to their dependencies: as stated by the author, else inferred from files, names, mentions and order. */
import { knots } from './cycles.ts'
import { fileLinks } from './file-links.ts'
import { compareIds } from '../ids.ts'
import { mentionedPaths, mentionFinder, type Places } from './mentions.ts'
import { nameLinks } from './names-used.ts'
import { topologicalOrder, type Graph } from './order.ts'
import type { PlanFormat, Problem } from '../plan.ts'
import { sequenceByDocument, sequenceSpecKit, type Sequenced } from './plan-sequence.ts'

export interface Linkable {
  readonly id: string
  readonly title: string
  readonly line: number
  readonly phase: string | null
  /** Description and commands. */
  readonly text: string
  readonly writes: readonly string[]
  readonly creates: readonly string[]
  readonly reads: readonly string[]
  readonly area: string
  readonly verification: boolean
  readonly onlyTests: boolean
  readonly parallel: boolean
  readonly dependsOn: { readonly ids: readonly string[]; readonly line: number } | undefined
}

export interface Linked {
  /** Per task, the places it depends on: inferred ones in plan order, stated ones as written. */
  readonly graph: Graph
  readonly problems: readonly Problem[]
}

export function linkTasks(
  tasks: readonly Linkable[],
  plan: { readonly format: PlanFormat; readonly source: string },
): Linked {
  const places = placesOf(tasks)
  const stated = resolveStated(tasks, places, plan.source)
  const inferred = infer(tasks, places, plan.format)
  const graph = withoutClosingCycles(stated.graph, inferred, tasks)
  return { graph, problems: stated.problems }
}

function placesOf(tasks: readonly Linkable[]): Places {
  const places = new Map<string, number>()
  for (const [place, task] of tasks.entries()) if (!places.has(task.id)) places.set(task.id, place)
  return places
}

/** The limit of suggestions for unknown ids, since each compares every id. */
const MOST_GUESSES = 20
const MOST_NAMED = 5

interface Stated {
  readonly graph: Graph
  readonly problems: readonly Problem[]
}

function resolveStated(tasks: readonly Linkable[], places: Places, source: string): Stated {
  const problems: Problem[] = []
  const ids = [...places.keys()]
  const graph = tasks.map((task) => {
    const needs = new Set<number>()
    for (const id of task.dependsOn?.ids ?? []) {
      const place = places.get(id) ?? places.get(id.replace(/^task[\s-]+/i, ''))
      if (place === undefined)
        problems.push(
          unknownDependency(
            task,
            id,
            problems.length < MOST_GUESSES ? ids : ids.slice(0, MOST_NAMED),
            source,
          ),
        )
      else needs.add(place)
    }
    return [...needs]
  })
  return { graph, problems }
}

function unknownDependency(
  task: Linkable,
  id: string,
  candidates: readonly string[],
  source: string,
): Problem {
  const close = closestId(id, candidates)
  return {
    severity: 'error',
    file: source,
    line: task.dependsOn?.line ?? task.line,
    message: `task ${task.id} depends on ${id}, which is not in the plan`,
    remedy:
      close === null
        ? `Name a task of this plan (${someOf(candidates)}), or remove the dependency.`
        : `Did you mean ${close}?`,
  }
}

function someOf(ids: readonly string[]): string {
  return [...ids.slice(0, MOST_NAMED), ...(ids.length > MOST_NAMED ? ['…'] : [])].join(', ')
}

/** The most similar id, if it is close; ties in the order of ids. */
export function closestId(id: string, ids: Iterable<string>): string | null {
  let best: { readonly id: string; readonly distance: number } | null = null
  const most = Math.floor(id.length / 3)
  for (const candidate of ids) {
    if (Math.abs(candidate.length - id.length) > most) continue
    const distance = editDistance(id.toLowerCase(), candidate.toLowerCase())
    if (distance > most) continue
    const better =
      best === null ||
      distance < best.distance ||
      (distance === best.distance && compareIds(candidate, best.id) < 0)
    if (better) best = { id: candidate, distance }
  }
  return best?.id ?? null
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const change = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The earlier places that each task without stated dependencies follows. */
function infer(tasks: readonly Linkable[], places: Places, format: PlanFormat): Graph {
  const files = fileLinks(
    tasks.map((task) => ({
      ...task,
      mentions: mentionedPaths(task.text),
      follows: task.dependsOn === undefined,
    })),
  )
  const names = nameLinks(tasks)
  const mentioned = mentionFinder(places)
  const sequenced = tasks.map((task, place): Sequenced => {
    if (task.dependsOn !== undefined) return { ...task, stated: true, links: [], anchored: false }
    const anchors = [...(files[place] ?? []), ...parentOf(task.id, places)].filter((link) => link < place)
    const named = [...(names[place] ?? []), ...mentioned(task.text)].filter((link) => link < place)
    return {
      ...task,
      stated: false,
      links: [...new Set([...anchors, ...named])],
      anchored: anchors.length > 0,
    }
  })
  if (format === 'spec-kit') return sequenceSpecKit(sequenced)
  const authorStates = tasks.some((task) => (task.dependsOn?.ids.length ?? 0) > 0)
  if (format === 'markdown') return sequenceByDocument(sequenced, authorStates ? 'some dependencies' : 'none')
  return sequenced.map((task) => task.links)
}

/** `10a` and `10.2` are parts of `10`. */
function parentOf(id: string, places: Places): readonly number[] {
  const parent = places.get(/^(.*\d)(?:[a-z]|\.\d+)$/.exec(id)?.[1] ?? '')
  return parent === undefined ? [] : [parent]
}

/** Keeps all stated edges, and drops inferred ones that contradict them in a cycle. */
function withoutClosingCycles(stated: Graph, inferred: Graph, tasks: readonly Linkable[]): Graph {
  const graph = tasks.map((task, place) =>
    task.dependsOn === undefined ? [...(inferred[place] ?? [])] : [...(stated[place] ?? [])],
  )
  for (const knot of knots(graph)) {
    const inside = new Map(knot.map((place, at) => [place, at]))
    const statedInside = knot.map((place) =>
      (stated[place] ?? []).flatMap((need) => {
        const at = inside.get(need)
        return at === undefined ? [] : [at]
      }),
    )
    const rank = new Map(topologicalOrder(statedInside).map((at, position) => [knot[at] ?? -1, position]))
    for (const place of knot) {
      if (tasks[place]?.dependsOn !== undefined) continue
      graph[place] = (graph[place] ?? []).filter((need) => {
        if (!inside.has(need)) return true
        const [own, other] = [rank.get(place), rank.get(need)]
        return own !== undefined && other !== undefined && other < own
      })
    }
  }
  return graph
}
