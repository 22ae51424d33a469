import type { Check } from '../app/doctor.ts'
import { terminalLine } from '../lib/terminal-text.ts'
import type { Style } from './terminal.ts'

const MARKS = { ok: 'ok', warning: 'warning', problem: 'problem' } as const

/** One line a check, its remedy below it, and how many need attention. */
export function doctorText(checks: readonly Check[], style: Style): string {
  const colour = { ok: style.green, warning: style.yellow, problem: style.red }
  const width = Math.max(...checks.map((check) => check.id.length))
  const lines = checks.flatMap((check) => {
    const mark = colour[check.status](MARKS[check.status].padEnd(7))
    const line = `${mark}  ${check.id.padEnd(width)}  ${terminalLine(check.message)}`
    return check.remedy === ''
      ? [line]
      : [line, `${' '.repeat(width + 11)}${style.dim(terminalLine(check.remedy))}`]
  })
  return `${lines.join('\n')}\n\n${summary(checks)}\n`
}

function summary(checks: readonly Check[]): string {
  const problems = checks.filter((check) => check.status === 'problem').length
  const warnings = checks.filter((check) => check.status === 'warning').length
  if (problems > 0) return problems === 1 ? '1 problem to put right.' : `${problems} problems to put right.`
  return warnings > 0 ? 'Bosun can work here; see the warnings.' : 'Bosun can work here.'
}
