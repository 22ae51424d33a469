import type { CommitTask } from '../../core/decide/effects.ts'
import { risksIn } from '../../core/state/report-claims.ts'
import type { Performer } from './performer.ts'

export const commitTask: Performer<CommitTask> = async (effect, { world }) => {
  const { spec, attempt, draft, tag } = effect
  const done = await world.workspace.commit(effect)
  if (!done.ok) {
    const { reason, moved = false } = done
    return [{ type: 'task.commit_refused', v: 1, task: spec.id, attempt, reason, moved, keeps: moved }]
  }
  const { sha, branch } = done
  const artifacts = [...done.artifacts]
  return [
    {
      type: 'task.committed',
      v: 1,
      task: spec.id,
      attempt,
      tree: draft.tree,
      sha,
      branch,
      tag,
      artifacts,
      risks: [...risksIn(draft.report)],
    },
  ]
}
