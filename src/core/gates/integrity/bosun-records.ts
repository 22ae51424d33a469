/** Rejects changes in the folders of Bosun's reviews and manifests, because readers take files there for Bosun's own. */
import { normalPath } from '../../languages/paths.ts'
import type { Change, ChangedFile } from '../change.ts'
import type { Finding } from '../../event-schemas/evidence.ts'
import { blocking } from '../verdicts.ts'
import type { NamingSpec } from './protected-files.ts'

/** Names of Bosun's own files; no contract allows a worker to write them. */
const OWN_NAME = /-(review\.md|release\.yaml|notes\.md)$/i

const REFUSED = 'is where Bosun writes its own records'

/** Whether no contract can allow the change. */
export const isOwnRecord = ({ text, file }: Finding): boolean =>
  text.startsWith(REFUSED) && file !== null && OWN_NAME.test(file)

export interface RecordFacts {
  readonly change: Change
  readonly spec: NamingSpec
  /** `pm.review_artifacts_dir` and `pm.release_manifest_dir`. */
  readonly folders: readonly string[]
}

export function changedRecords({ change, spec, folders }: RecordFacts): readonly Finding[] {
  const places = folders.map((folder) => normalPath(folder).toLowerCase())
  const { create, modify, delete: remove } = spec.files
  const named = new Set([...create, ...modify, ...remove].map(normalPath))
  return change.files.flatMap((file) => {
    const folder = folders[places.findIndex((place) => isIn(file, place))]
    if (folder === undefined) return []
    if (named.has(normalPath(file.path)) && !OWN_NAME.test(file.path)) return []
    const undo = file.kind === 'added' ? 'remove it' : 'restore it'
    return [blocking(`${REFUSED} (${folder}); ${undo}`, file.path)]
  })
}

/** In the folder, or replacing it or one of its parents. */
function isIn({ path, kind }: ChangedFile, folder: string): boolean {
  const plain = normalPath(path).toLowerCase()
  if (plain.startsWith(`${folder}/`)) return true
  return kind !== 'deleted' && `${folder}/`.startsWith(`${plain}/`)
}
