/** Reviewers name places. Whether the tree they looked at has them is looked up before anybody hears of their verdict. */
import { placeOf, withPlacesChecked } from '../core/review/locations.ts'
import type { Agent, AgentEvent, WorkerEnded } from '../ports/agent.ts'

/** How many lines a file has in the tree a worker was given; null: there is none, undefined: nobody can tell. */
export type CountLines = (worker: string, file: string) => Promise<number | null | undefined>

export function agentWithPlacesChecked(
  agent: Agent,
  countLines: CountLines,
  onError: (what: string, error: unknown) => void,
): Agent {
  const checked = async (ended: WorkerEnded): Promise<WorkerEnded> => {
    const { review, worker } = ended
    if (review === null || review.issues.length === 0) return ended
    try {
      const files = review.issues.flatMap(({ location }) => placeOf(location)?.file ?? [])
      const counts = new Map<string, number | null | undefined>()
      for (const file of new Set(files)) counts.set(file, await countLines(worker, file))
      const issues = withPlacesChecked(review.issues, (file) => counts.get(file))
      return { ...ended, review: { ...review, issues } }
    } catch (error) {
      // A verdict is not lost because its places could not be looked up.
      onError(`places in the review of ${worker}`, error)
      return ended
    }
  }
  return {
    ...agent,
    unheard: async () => Promise.all((await agent.unheard()).map(checked)),
    listen: (listener) => {
      let isHeard = true
      const tell = (event: AgentEvent): void => {
        if (isHeard) listener(event)
      }
      const unlisten = agent.listen((event) => {
        if (event.kind === 'ended' && event.review !== null) void checked(event).then(tell)
        else tell(event)
      })
      return () => {
        isHeard = false
        unlisten()
      }
    },
  }
}
