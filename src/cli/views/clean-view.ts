import type { CleanedUp } from '../../app/upkeep/clean-up.ts'
import type { PutAside } from '../../app/workers/unknown-workers.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'

/** What went, and what stays although it is old, repository by repository. */
export function cleanText(repositories: readonly CleanedUp[], style: Style): string {
  const blocks = repositories.flatMap((one) => {
    const lines = [...gone(one), ...one.kept.map((ref) => style.dim(`  kept, nothing else holds it: ${ref}`))]
    return lines.length === 0 ? [] : [`${style.bold(terminalLine(one.repo))}\n${lines.join('\n')}\n`]
  })
  return blocks.length === 0 ? 'There is nothing to clear up.\n' : blocks.join('\n')
}

function gone({ plans, released, folders, forgotten, caches }: CleanedUp): readonly string[] {
  const lines = [
    released.length === 0 ? '' : `  saved and given back: the work trees of ${released.join(', ')}`,
    folders === 0 ? '' : `  removed: ${counted(folders, 'free folder')}`,
    forgotten.length === 0 ? '' : `  forgotten, for it has landed: ${forgotten.join(', ')}`,
    caches ? '  removed: dependencies and test results that were kept' : '',
  ].filter((line) => line !== '')
  const named = plans.length === 0 || lines.length === 0 ? [] : [`  after ${plans.join(', ')}`]
  return [...named, ...lines]
}

export function putAsideText(workers: readonly PutAside[]): string {
  if (workers.length === 0) return 'The database knows the plan of every worker here.\n'
  return workers
    .map(
      ({ worker, plan, folder }) =>
        `${terminalLine(worker)} of plan ${terminalLine(plan)} is stopped, its work is saved, its folder is now ${terminalLine(folder)}\n`,
    )
    .join('')
}
