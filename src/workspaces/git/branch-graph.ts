/** The commits that branches have and the start commit has not. */

export interface Ahead {
  readonly commits: readonly string[]
  /** Whether it goes on from the history of the start commit at all. */
  readonly isRelated: boolean
}

/** Each commit that the start commit has not, with its parents, the newest first. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** A line of `rev-list --parents --timestamp`. */
export interface GraphLine {
  readonly sha: string
  readonly parents: readonly string[]
  readonly atMs: number
}

export function readGraphLine(line: string): GraphLine | null {
  const [seconds = '', sha, ...parents] = line.split(' ')
  return sha === undefined ? null : { sha, parents, atMs: Number(seconds) * 1000 }
}

/** Where `isWhole` is false, commits are missing from the graph, and the start of a branch is unknown. */
export function aheadOf(graph: Graph, tip: string, isWhole: boolean): Ahead {
  const seen = new Set<string>()
  const open = [tip]
  let isRelated = !isWhole
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const parents = graph.get(sha)
    // A parent that is not in the graph is one that the start commit has.
    if (parents === undefined) isRelated = true
    else if (!seen.has(sha)) {
      seen.add(sha)
      open.push(...parents)
    }
  }
  return { commits: [...seen], isRelated }
}
