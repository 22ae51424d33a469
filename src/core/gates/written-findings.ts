/** Findings and failures whose text is read back elsewhere, as they are written and recognized. */
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { blocking, forReview, note, judgeRun } from './verdicts.ts'
import type { ApiChange } from './contract/compare.ts'
import type { ProtectedChange } from './integrity/protected-files.ts'
import type { Trip } from './integrity/wire.ts'
import { CANNOT_FAIL } from './tests/canary.ts'

const BREAK = /^(?:breaks|may break): /

export function breakFinding(one: ApiChange, isAllowed: boolean): Finding {
  const forms = one.after === null ? (one.before ?? one.name) : `${one.before ?? ''} → ${one.after}`
  const isUnclear = one.kind === 'unclear'
  const text = `${isUnclear ? 'may break' : 'breaks'}: ${one.name} ${one.why}: ${forms}`
  const weigh = isAllowed ? note : isUnclear ? forReview : blocking
  return weigh(text, one.file, one.line)
}

/** The breaks that gates found, for release notes. */
export function breaksIn(verdicts: readonly Verdict[]): readonly Pick<Finding, 'text' | 'file' | 'line'>[] {
  return verdicts
    .filter(({ gate }) => gate === 'contract')
    .flatMap(({ evidence }) => evidence.findings)
    .filter(({ text, weight }) => BREAK.test(text) && weight !== 'review')
    .map(({ text, file, line }) => ({ text: text.replace(/^breaks: /, ''), file, line }))
}

const ALLOWED = 'protected, changed as the contract allows: '

/** The change that a note about an allowed change of a protected file describes; null for other findings. */
export const allowedChange = ({ text }: Finding): string | null =>
  text.startsWith(ALLOWED) ? text.slice(ALLOWED.length) : null

const LONGEST_SEEN = 300

/** What a tripwire found, the line, and the name of the tripwire. */
export function tripFinding({ weight, saw, text, path, line, wire }: Trip): Finding {
  const shown = text === '' ? saw : `${saw}: ${text}`
  const weigh = weight === 'blocks' ? blocking : forReview
  return weigh(`${shown.slice(0, LONGEST_SEEN)} [${wire}]`, path, line)
}

/** Parses the finding of a tripwire; null for other findings. Descriptions of tripwires contain no colon. */
export function seenIn({ text }: Finding): { readonly saw: string; readonly line: string } | null {
  const found = /^([^:]*)(?:: ([^]*))? \[[a-z-]+\]$/.exec(text)
  return found === null ? null : { saw: found[1] ?? '', line: found[2] ?? '' }
}

export function protectionFinding({ path, became, what, line, permission }: ProtectedChange): Finding {
  switch (permission) {
    case 'named':
      return note(`${ALLOWED}${path} (${what})`, path, line)
    case 'extended':
      return note(`is protected (${what}); tests were added at its end`, path, line)
    case 'begun':
      return note(`is protected (${what}); it was added with the new project`, path, line)
    case 'not_to_go': {
      const text = `is protected (${what}): the contract allows changing it, not deleting it; restore it`
      return blocking(text, path, line)
    }
    case 'not_named': {
      const text =
        became === 'added'
          ? `would be protected (${what}) and the contract does not allow adding it; remove it`
          : `is protected (${what}) and the contract does not allow changing it; restore it`
      return blocking(text, path, line)
    }
  }
}

const MOST_FINDINGS = 10
const MOST_OUTPUTS = 4

/** Formats failed verdicts for the worker that fixes them: findings and key lines of the output. */
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

/**
 * Failures of the test runner itself: another worker would meet them again, so a person is asked at once. Whether nothing else
 * is held against the work.
 */
export function isBeyondWorkers(verdicts: readonly Verdict[] | null): boolean {
  const failed = (verdicts ?? []).filter(({ outcome }) => outcome === 'failed')
  const reasons = failed.map(({ evidence }) => evidence.findings.filter(({ weight }) => weight === 'blocks'))
  return (
    failed.length > 0 &&
    reasons.every((all) => all.length > 0 && all.every(({ text }) => text.startsWith(CANNOT_FAIL)))
  )
}

export const MIGRATIONS_UNTRIED =
  'this critical task changes a migration, but environment.migrations has no commands to try it; try it by hand before you continue'

/** Gates that cannot run with the plan's settings: a retry would not help, so a person is asked at once. */
const isUntried = ({ gate, outcome, evidence }: Verdict): boolean =>
  gate === 'migrations' && outcome === 'inconclusive' && evidence.runs.length === 0

/** Whether every inconclusive verdict is of this kind. */
export const isAllUntried = (verdicts: readonly Verdict[] | null): boolean => {
  const unknown = (verdicts ?? []).filter(({ outcome }) => outcome === 'inconclusive')
  return unknown.length > 0 && unknown.every(isUntried)
}
