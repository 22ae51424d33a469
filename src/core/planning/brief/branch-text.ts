import { quoted } from '../../../lib/text/quoted.ts'
import { counted } from '../../../lib/text/counted.ts'

/** A branch that is ahead of the start commit. */
export interface AheadBranch {
  readonly name: string
  /** Commits since the start commit; `isWhole` is false where only the newest were counted. */
  readonly ahead: number
  readonly isWhole: boolean
}

/** "branch `login` is 2 commits ahead of the start commit" */
export function formatBranch({ name, ahead, isWhole }: AheadBranch): string {
  const commits = counted(ahead, 'commit')
  return `branch ${quoted(name)} is ${isWhole ? '' : 'at least '}${commits} ahead of the start commit`
}
