/**
 * Wraps the ports of a world: a failure caused by a full disk becomes a question to a person at once, and the locations that a
 * reviewer names are checked against the tree it reviewed, before the engine receives its verdict.
 */
import { fullDisk, fullDiskText, isFullDisk } from '../lib/files/system-error.ts'
import type { Agent, AgentEvent, WorkerEnded } from '../ports/agent.ts'
import type { GateRunner } from '../ports/gate-runner.ts'
import { NeedsPerson, type Workspace } from '../ports/workspace.ts'
import { placeOf, withPlacesChecked } from '../core/review/locations.ts'

/** The folders that are written to; the first is named where none of them reports that it is full. */
export type Folders = readonly [string, ...string[]]

export async function reportFullDisk<T>(folders: Folders, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NeedsPerson || !isFullDisk(error)) throw error
    throw new NeedsPerson(fullDisk(folders) ?? fullDiskText(folders[0]), { cause: error })
  }
}

export function workspaceReportingFullDisk(workspace: Workspace, folders: Folders): Workspace {
  return {
    // The stop goes ahead: this worker may be what fills the disk, and its folder keeps what it wrote.
    save: async (request) => {
      try {
        await workspace.save(request)
      } catch (error) {
        if (!isFullDisk(error)) throw error
      }
    },
    collect: (request) => reportFullDisk(folders, () => workspace.collect(request)),
    commit: (request) => reportFullDisk(folders, () => workspace.commit(request)),
    prepareRelease: (request) => reportFullDisk(folders, () => workspace.prepareRelease(request)),
  }
}

/** A gate that failed on a full disk has judged the disk, not the work. */
export function gatesReportingFullDisk(gates: GateRunner, folders: Folders): GateRunner {
  const judged = async <T>(work: () => Promise<T>, passed: (value: T) => boolean): Promise<T> => {
    const value = await reportFullDisk(folders, work)
    const full = passed(value) ? null : fullDisk(folders)
    if (full !== null) throw new NeedsPerson(full)
    return value
  }
  const isFine = ({ outcome }: { readonly outcome: string }): boolean =>
    outcome === 'passed' || outcome === 'not_applicable'
  return {
    run: (...asked) =>
      judged(
        () => gates.run(...asked),
        (verdicts) => verdicts.every(isFine),
      ),
    runRelease: (...asked) =>
      judged(
        () => gates.runRelease(...asked),
        ({ verdicts }) => verdicts.every(isFine),
      ),
  }
}

export function agentReportingFullDisk(agent: Agent, folders: Folders): Agent {
  return { ...agent, start: (...asked) => reportFullDisk(folders, () => agent.start(...asked)) }
}

/** How many lines a file has in the tree a worker was given; null: no such file, undefined: unknown. */
type CountLines = (worker: string, file: string) => Promise<number | null | undefined>

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
