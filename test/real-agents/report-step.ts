/** How the scripted model reports: by Bosun's tool where the agent offers it, else by the file that the brief names. */
import { userText, type ModelRequest } from '../agents/model-server/request.ts'
import { act, call, write, type Step } from '../agents/model-server/script.ts'

const TOOL = 'report_to_pm'

export type ReportedBy = 'MCP' | 'file'

export const reportWay = ({ tools }: ModelRequest): ReportedBy =>
  tools.some(({ name }) => name.endsWith(TOOL)) ? 'MCP' : 'file'

export interface ReportStep {
  /** What it is in the tool's words. */
  readonly type: 'work_completed' | 'review_approved' | 'review_changes_requested'
  /** As the file has it. */
  readonly report: object
  readonly onReport?: (by: ReportedBy) => void
}

export function reportStep({ type, report, onReport }: ReportStep): (request: ModelRequest) => Step {
  return (request) => {
    const by = reportWay(request)
    onReport?.(by)
    if (by === 'MCP') return act(call(TOOL, { message_type: type, payload: report }))
    const path = [...userText(request).matchAll(/Write your report as JSON to `([^`]+)`/g)].at(-1)?.[1]
    return act(write(path ?? 'the brief names no report', JSON.stringify(report)))
  }
}
