/** Parts of a world whose failures for want of room are a person's matter, told at once and in words. */
import { fullDisk, fullDiskText, isFullDisk } from '../lib/files/full-disk.ts'
import type { Agent } from '../ports/agent.ts'
import type { GateRunner } from '../ports/gate-runner.ts'
import { NeedsPerson, type Workspace } from '../ports/workspace.ts'

/** The folders that are written to; the first stands for all where none of them says that it is full. */
export type Folders = readonly [string, ...string[]]

async function told<T>(folders: Folders, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NeedsPerson || !isFullDisk(error)) throw error
    throw new NeedsPerson(fullDisk(folders) ?? fullDiskText(folders[0]), { cause: error })
  }
}

export function workspaceWithRoomTold(workspace: Workspace, folders: Folders): Workspace {
  return {
    takeBaseline: (...asked) => told(folders, () => workspace.takeBaseline(...asked)),
    // A worker that is to be stopped is stopped: it may be what fills the disk, and its folder keeps what it wrote.
    save: async (request) => {
      try {
        await workspace.save(request)
      } catch (error) {
        if (!isFullDisk(error)) throw error
      }
    },
    collect: (request) => told(folders, () => workspace.collect(request)),
    commit: (request) => told(folders, () => workspace.commit(request)),
    prepareRelease: (request) => told(folders, () => workspace.prepareRelease(request)),
  }
}

/** A gate that failed on a full disk has judged the disk, not the work. */
export function gatesWithRoomTold(gates: GateRunner, folders: Folders): GateRunner {
  const judged = async <T>(work: () => Promise<T>, passed: (value: T) => boolean): Promise<T> => {
    const value = await told(folders, work)
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

export function agentWithRoomTold(agent: Agent, folders: Folders): Agent {
  return { ...agent, start: (...asked) => told(folders, () => agent.start(...asked)) }
}
