/** Formats failed verdicts for the worker that fixes them: findings and key lines of the output. */
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { judgeRun } from './verdicts.ts'

const MOST_FINDINGS = 10
const MOST_OUTPUTS = 4

export function failureLines(failed: readonly Verdict[]): readonly string[] {
  return [...failed.flatMap(verdictLines), ...outputs(failed).map(outputText)]
}

function verdictLines({ gate, summary, evidence }: Verdict): readonly string[] {
  const blocks = evidence.findings.filter(({ weight }) => weight === 'blocks')
  const shown = blocks.slice(0, MOST_FINDINGS).map(({ text, file, line }) => {
    const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
    return `${gate}: ${where}${text}`
  })
  const more = blocks.length - shown.length
  return [`${gate} failed: ${summary}`, ...shown, ...(more > 0 ? [`${gate}: and ${more} more`] : [])]
}

/** Failed runs on the work, without duplicates: several gates may share a run. */
function outputs(failed: readonly Verdict[]): readonly RunEvidence[] {
  const runs = failed
    .flatMap(({ evidence }) => evidence.runs)
    .filter((run) => run.on === 'tree' && run.keyLines.length > 0 && judgeRun(run).outcome !== 'passed')
  const once = new Map(runs.map((run) => [`${run.command}\n${run.keyLines.join('\n')}`, run]))
  return [...once.values()].slice(0, MOST_OUTPUTS)
}

const outputText = ({ command, keyLines }: RunEvidence): string =>
  [`\`${command}\` printed:`, '', ...keyLines.map((line) => `      ${line}`)].join('\n')
