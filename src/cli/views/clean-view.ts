import type { PutAside } from '../../app/workers/unknown-workers.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { CleanedAnswer } from '../../protocol/answers.ts'
import type { Style } from '../terminal/terminal.ts'
import { counted } from '../../lib/text/counted.ts'

type Cleaned = CleanedAnswer['repositories'][number]

/** What was removed and kept, by repository. */
export function cleanText(repositories: readonly Cleaned[], style: Style): string {
  const blocks = repositories.flatMap((one) => {
    const lines = [
      ...removedLines(one),
      ...one.kept.map((ref) => style.dim(`  kept (saved nowhere else): ${ref}`)),
    ]
    return lines.length === 0 ? [] : [`${style.bold(terminalLine(one.repo))}\n${lines.join('\n')}\n`]
  })
  return blocks.length === 0 ? 'Nothing to clean up.\n' : blocks.join('\n')
}

function removedLines({ plans, released, folders, forgotten, caches }: Cleaned): readonly string[] {
  const lines = [
    released.length === 0 ? '' : `  saved and removed the work trees of: ${released.join(', ')}`,
    folders === 0 ? '' : `  removed: ${counted(folders, 'unused folder')}`,
    forgotten.length === 0 ? '' : `  removed saved work that has landed: ${forgotten.join(', ')}`,
    caches ? '  removed: cached dependencies and test results' : '',
  ].filter((line) => line !== '')
  const named = plans.length === 0 || lines.length === 0 ? [] : [`  plans: ${plans.join(', ')}`]
  return [...named, ...lines]
}

export function putAsideText(workers: readonly PutAside[]): string {
  if (workers.length === 0) return 'Every worker here belongs to a plan in the database.\n'
  return workers
    .map(
      ({ worker, plan, folder }) =>
        `stopped ${terminalLine(worker)} of plan ${terminalLine(plan)}; its work is saved, its folder moved to ${terminalLine(folder)}\n`,
    )
    .join('')
}
