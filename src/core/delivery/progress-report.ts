/** The progress report, in its fixed format. */
import { unfinished, type PlanState, type Risk, type TaskState } from '../state/state.ts'

const SEVERITY = { critical: 0, normal: 1, low: 2 } as const

export function progressReport(state: PlanState): string {
  const { left, counts } = state
  const blocked = [...state.blocked].map((task) => `${task.spec.id} (${reason(task)})`)
  return [
    `PROGRESS — ${state.plan.title}`,
    `Completed: ${counts.completed}/${counts.completed + unfinished(state)} tasks`,
    `In progress: ${list([...state.active].map((task) => task.spec.id))}`,
    `Blocked: ${list(blocked)}`,
    `Unresolved risks: ${risks([...state.risks.values()])}`,
    `Estimated remaining: ${left.critical} critical, ${left.normal} normal, ${left.low} low`,
  ].join('\n')
}

const list = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))

const reason = (task: TaskState): string => task.cause?.kind.replaceAll('_', ' ') ?? 'rejected'

function risks(all: readonly Risk[]): string {
  const open = all.filter((risk) => risk.status === 'open')
  if (open.length === 0) return '0'
  const top = open.toSorted((a, b) => SEVERITY[a.severity] - SEVERITY[b.severity]).slice(0, 3)
  return `${open.length}: ${top.map((risk) => `${risk.description} (${risk.severity})`).join('; ')}`
}
