/** Finds the files of worker folders that are damaged or missing, without changing any. */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { workerFolder, type WorkerFolder } from '../worker-folder.ts'
import { workerNames } from '../worker-folders.ts'
import { readIdentity, readJob, readResult } from '../worker-records.ts'
import { DamagedFile, MISSING } from './damaged-file.ts'
import { asideOf } from './replace-result.ts'

export interface DamagedWorker {
  readonly worker: string
  readonly path: string
  /** What is wrong with the first damaged file. */
  readonly why: string
  /** Whether Bosun has taken its end in. */
  readonly isOver: boolean
}

/** Every worker of a state root with a damaged file. */
export function* damagedWorkers(root: string): Generator<DamagedWorker> {
  for (const { repository, worker } of workerNames(root)) {
    const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
    const damage = damageIn(folder)
    if (damage !== null)
      yield { worker, path: folder.path, why: damage.message, isOver: existsSync(folder.acknowledged) }
  }
}

function damageIn(folder: WorkerFolder): DamagedFile | null {
  try {
    const job = readJob(folder.job)
    const identity = readIdentity(folder.identity)
    readResult(folder.result)
    readResult(folder.acknowledged)
    if (job === null && (identity?.supervisor ?? null) !== null) return new DamagedFile(folder.job, MISSING)
    for (const path of [folder.journal, folder.commands, folder.output, folder.transcript]) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
        return new DamagedFile(path, 'it is not a file')
    }
    const replaced = [folder.identity, folder.result].find((path) => existsSync(asideOf(path)))
    return replaced === undefined ? null : new DamagedFile(replaced, `set aside as ${asideOf(replaced)}`)
  } catch (error) {
    if (error instanceof DamagedFile) return error
    throw error
  }
}
