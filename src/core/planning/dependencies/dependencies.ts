/** Links tasks to their dependencies: as stated by the author, else inferred from files, names, mentions and order. */
import type { DraftTask } from '../draft.ts'
import { stronglyConnected, placesOf, topologicalOrder, type Graph } from './order.ts'
import { fileLinks, nameLinks, mentionedPaths, mentionFinder, type Places } from './file-links.ts'
import { closest } from '../../../lib/text/closest.ts'
import type { PlanFormat, Problem } from '../plan.ts'
import { errorAt } from '../problems.ts'
import { sequenceByDocument, sequenceSpecKit, type Sequenced } from './plan-sequence.ts'

export interface Linkable extends Pick<DraftTask, 'id' | 'title' | 'line' | 'phase' | 'dependsOn'> {
  /** Description and commands. */
  readonly text: string
  readonly writes: readonly string[]
  /** The new files among `writes`. */
  readonly creates: readonly string[]
  readonly reads: readonly string[]
  readonly area: string
  /** It runs commands and writes nothing: it verifies the work of others. */
  readonly verification: boolean
  readonly onlyTests: boolean
  /** Marked `[P]`. */
  readonly parallel: boolean
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

/** The limit of suggestions for unknown ids, since each compares every id. */
const MOST_GUESSES = 20
const MOST_NAMED = 5

function resolveStated(tasks: readonly Linkable[], places: Places, source: string): Linked {
  const problems: Problem[] = []
  const ids = [...places.keys()]
  const graph = tasks.map((task) => {
    const needs = new Set<number>()
    for (const id of task.dependsOn?.ids ?? []) {
      const place = places.get(id) ?? places.get(id.replace(/^task[\s-]+/i, ''))
      if (place !== undefined) {
        needs.add(place)
        continue
      }
      // A short id is near to every other one.
      const isSearched = id.length > 2 && problems.length < MOST_GUESSES
      const close = isSearched ? closest(id, ids) : null
      const line = task.dependsOn?.line ?? task.line
      const message = `task ${task.id} depends on ${id}, which is not in the plan`
      const named = [...ids.slice(0, MOST_NAMED), ...(ids.length > MOST_NAMED ? ['…'] : [])].join(', ')
      const remedy =
        close === null
          ? `Name a task of this plan (${named}), or remove the dependency.`
          : `Did you mean ${close}?`
      problems.push(errorAt(source, line, message, remedy))
    }
    return [...needs]
  })
  return { graph, problems }
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
  for (const component of stronglyConnected(graph)) {
    const inside = new Map(component.map((place, at) => [place, at]))
    const statedInside = component.map((place) =>
      (stated[place] ?? []).flatMap((need) => {
        const at = inside.get(need)
        return at === undefined ? [] : [at]
      }),
    )
    const rank = new Map(
      topologicalOrder(statedInside).map((at, position) => [component[at] ?? -1, position]),
    )
    for (const place of component) {
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
