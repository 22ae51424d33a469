/** Wraps the ports of a world: a failure caused by a full disk becomes a question to a person at once. */
import { fullDisk, fullDiskText, isFullDisk } from '../lib/files/system-error.ts'
import type { Agent } from '../ports/agent.ts'
import type { GateRunner } from '../ports/gate-runner.ts'
import { NeedsPerson, type Workspace } from '../ports/workspace.ts'

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
