/** Items of one plan that differ in their task only are shown as one, with the ids of all, which `bosun answer` takes. */
import type { InboxEntry } from '../../protocol/answers.ts'

export function equalAsOne(inbox: readonly InboxEntry[]): readonly InboxEntry[] {
  const alike = Map.groupBy(inbox, (item) => {
    const { kind, plan, repo, recommended, options } = item
    if (item.task === null || kind === 'permission') return item
    return JSON.stringify([kind, plan, repo, recommended, options.map(({ key }) => key), about(item, '')])
  })
  return [...alike.values()].flatMap((items) => {
    const [first] = items
    return first === undefined || items.length === 1 ? items : [asOne(first, items)]
  })
}

function asOne(first: InboxEntry, items: readonly InboxEntry[]): InboxEntry {
  const impacts = items.map(({ task, impact }) => impact.replace(`task ${task}`, 'each task'))
  const isOneImpact = new Set(impacts).size === 1
  return {
    ...first,
    id: items.map(({ id }) => id).join(','),
    problem: about(first, `tasks ${items.map(({ task }) => task).join(', ')}`),
    impact: (isOneImpact ? impacts.slice(0, 1) : items.map(({ impact }) => impact)).join('; '),
  }
}

/** The problem with its task called so. */
const about = ({ problem, task, task_title: title }: InboxEntry, called: string): string =>
  problem.replace(`task ${task} (${title})`, called)
