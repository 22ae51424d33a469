import type { Check } from '../../app/upkeep/doctor.ts'
import { wrapText } from '../../lib/text/text-width.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'

/** The least width of the message column. */
const LEAST_MESSAGE = 30

/** One row per check with its remedy below, then a summary. */
export function doctorText(
  checks: readonly Check[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const colour = { ok: style.green, warning: style.yellow, problem: style.red }
  const idWidth = Math.max(...checks.map((check) => check.id.length))
  const indent = ' '.repeat(idWidth + 11)
  const wrapped = (text: string): readonly string[] =>
    wrapText(terminalLine(text), Math.max(width - indent.length, LEAST_MESSAGE))
  const lines = checks.flatMap((check) => {
    const mark = colour[check.status](check.status.padEnd(7))
    const [first = '', ...more] = wrapped(check.message)
    return [
      `${mark}  ${check.id.padEnd(idWidth)}  ${first}`,
      ...more.map((line) => `${indent}${line}`),
      ...wrapped(check.remedy).map((line) => `${indent}${style.dim(line)}`),
    ]
  })
  return `${lines.join('\n')}\n\n${summary(checks)}\n`
}

function summary(checks: readonly Check[]): string {
  const problems = checks.filter((check) => check.status === 'problem').length
  const warnings = checks.filter((check) => check.status === 'warning').length
  if (problems > 0) return problems === 1 ? '1 problem to fix.' : `${problems} problems to fix.`
  const agents = checks.filter(({ id }) => id === 'agents')
  if (agents.length > 0 && agents.every(({ status }) => status === 'warning'))
    return 'No agent can work yet; see the warnings.'
  return warnings > 0 ? 'Bosun is ready to use; see the warnings.' : 'Bosun is ready to use.'
}
