/** What the gates found wrong, for whoever puts it right: the findings, and the lines of the output that tell. */
import type { RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { judgeRun } from './verdicts.ts'

const MOST_FINDINGS = 10
const MOST_OUTPUTS = 4

/** Bounded: each verdict's evidence is, and only so much of it is told. */
export function failureLines(failed: readonly Verdict[]): readonly string[] {
  return [...failed.flatMap(verdictLines), ...outputs(failed).map(outputText)]
}

function verdictLines({ gate, summary, evidence }: Verdict): readonly string[] {
  const blocks = evidence.findings.filter(({ weight }) => weight === 'blocks')
  const told = blocks.slice(0, MOST_FINDINGS).map(({ text, file, line }) => {
    const where = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
    return `${gate}: ${where}${text}`
  })
  const more = blocks.length - told.length
  return [`${gate} failed: ${summary}`, ...told, ...(more > 0 ? [`${gate}: and ${more} more`] : [])]
}

/** What ran on the work and did not end well; several gates may rest on one output. */
function outputs(failed: readonly Verdict[]): readonly RunEvidence[] {
  const runs = failed
    .flatMap(({ evidence }) => evidence.runs)
    .filter((run) => run.on === 'tree' && run.keyLines.length > 0 && judgeRun(run).outcome !== 'passed')
  const once = new Map(runs.map((run) => [`${run.command}\n${run.keyLines.join('\n')}`, run]))
  return [...once.values()].slice(0, MOST_OUTPUTS)
}

const outputText = ({ command, keyLines }: RunEvidence): string =>
  [`\`${command}\` says:`, '', ...keyLines.map((line) => `      ${line}`)].join('\n')
