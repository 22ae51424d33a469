/** Checks the locations a reviewer names against the tree it reviewed, before the engine receives its verdict. */
import { placeOf, withPlacesChecked } from '../core/review/locations.ts'
import type { Agent, AgentEvent, WorkerEnded } from '../ports/agent.ts'

/** How many lines a file has in the tree a worker was given; null: no such file, undefined: unknown. */
export type CountLines = (worker: string, file: string) => Promise<number | null | undefined>

export function agentWithCheckedLocations(
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
      // A failed lookup must not lose the verdict.
      onError(`checking the review locations of ${worker}`, error)
      return ended
    }
  }
  return {
    ...agent,
    unacknowledged: async (running) => Promise.all((await agent.unacknowledged(running)).map(checked)),
    listen: (listener) => {
      let isListening = true
      const forward = (event: AgentEvent): void => {
        if (isListening) listener(event)
      }
      const unlisten = agent.listen((event) => {
        if (event.kind === 'ended' && event.review !== null) void checked(event).then(forward)
        else forward(event)
      })
      return () => {
        isListening = false
        unlisten()
      }
    },
  }
}
