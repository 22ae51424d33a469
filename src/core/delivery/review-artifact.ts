/** docs/reviews/<plan>/<task>-review.md: criteria, files, gates with their evidence, and the review. verify-release.ts reads it back. */
import { NOBODY } from '../review/nobody.ts'
import { formatAnswer } from '../planning/task-schema.ts'
import type { CommitTask } from '../decide/effects.ts'
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import type { ReviewIssue, Verdict } from '../event-schemas/schemas.ts'
import { allowedChange } from '../gates/written-findings.ts'
import { taskName } from '../planning/ids.ts'
import { formatPlace } from '../review/locations.ts'
import { risksIn } from '../state/report-claims.ts'
import type { Override, Review } from '../state/state.ts'
import { fitText, textWidth } from '../../lib/text/terminal-text.ts'
import { criteriaResults } from '../review/criteria-results.ts'
import { kindOfPath, type PathKind } from '../languages/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { oneLine } from '../../lib/text/counted.ts'

/** With the plan in it, so that the branches of two plans with equal task ids can both be merged. */
export const reviewPath = (folder: string, plan: string, task: string): string =>
  `${folder}/${plan}/${taskName(task)}-review.md`

const OUTCOME = {
  passed: 'passed',
  failed: 'FAILED',
  inconclusive: 'COULD NOT BE CHECKED',
  not_applicable: 'not applicable',
} as const

/** Markdown that the common formatters leave as it is. */
export function reviewArtifact(effect: CommitTask): string {
  const { spec, tier, attempt, draft, proof } = effect
  const blocks = [
    `# Review of ${taskName(spec.id)}: ${inline(spec.title)}`,
    `Tier ${tier}, attempt ${attempt}, worker \`${draft.worker}\`, tree \`${draft.tree}\`.`,
    ...summaryOf(effect),
    ...section('Criteria', criteriaLines(effect)),
    ...section('Gates', gateRows(proof.verdicts)),
    ...runLines(proof.verdicts),
    ...section('Findings', findingLines(proof.verdicts)),
    ...section('Protected files changed, as the contract allows', decidingLines(proof.verdicts)),
    ...section('Review', reviewLines(effect)),
    ...section('Approval', approvalLines(effect)),
    ...section('Security and habits', scanLines(effect)),
    ...section(
      'Overrides',
      proof.overrides.map((one) => `- ${overrideText(one)}`),
    ),
    ...section('By hand', handLines(effect)),
    ...section('Decided before the work', bullets((effect.decisions ?? []).map(formatAnswer))),
    ...section('Questions that a specialist answered', helpLines(effect)),
    ...section('Risks and rollback', [...riskLines(effect), `- Rollback: ${noteOf(effect).rollback}`]),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** None where the title says it. */
function summaryOf(effect: CommitTask): readonly string[] {
  const { summary } = noteOf(effect)
  return summary === '' || summary === inline(effect.spec.title) ? [] : [summary.replace(/^#/, '\\#')]
}

function approvalLines({ approval }: CommitTask): readonly string[] {
  if (approval === undefined) return []
  const opened = approval.diffOpened ? 'yes' : 'no'
  return [`Approved by ${inline(approval.by)}; diff opened: ${opened}.`]
}

function handLines({ draft: { people } }: CommitTask): readonly string[] {
  if (people.length === 0) return []
  return [`${people.map(inline).join(', ')} worked on it in the place of the worker.`]
}

/** Left out where there is nothing in it. */
const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}\n\n${lines.join('\n')}`]
const bullets = (lines: readonly string[]): readonly string[] => lines.map((line) => `- ${inline(line)}`)
/** One line without markup. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[<>|]/g, (char) => `\\${char}`)

/** A worker may have built on it, and no person has seen it. */
const helpLines = ({ help = [] }: CommitTask): readonly string[] =>
  help.flatMap(({ worker, question, answer, by }) => [
    `- \`${worker}\` asked: ${inline(question)}`,
    `  - ${inline(by)} answered: ${inline(answer)}`,
  ])

function noteOf({ proof, draft, spec }: CommitTask): {
  summary: string
  risks: readonly string[]
  rollback: string
} {
  const judged = proof.verdicts.find((verdict) => verdict.gate === 'review_note')?.evidence.reviewNote
  const note = judged ?? draft.report?.reviewNote
  return {
    summary: inline(note?.summary ?? spec.title),
    risks: note?.risks ?? [],
    rollback: inline(note?.rollback ?? 'Revert the commit.'),
  }
}

/** The risks the worker reported, else those the rules drafted from the diff. */
function riskLines(effect: CommitTask): readonly string[] {
  const reported = risksIn(effect.draft.report).map(
    ({ description, severity }) => `${description} (${severity})`,
  )
  const risks = reported.length > 0 ? reported : noteOf(effect).risks
  return risks.length === 0 ? ['- Risks: none known'] : risks.map((risk) => `- Risk: ${inline(risk)}`)
}

function criteriaLines({ spec, proof, confirmation }: CommitTask): readonly string[] {
  const results = criteriaResults({ spec, verdicts: proof.verdicts, confirmation })
  return results.map(({ criterion, word, place, why }) => {
    const where = place === null ? '' : `\`${place}\`, `
    return `- ${word}: ${inline(criterion)} (${where}${inline(why)})`
  })
}

/** Padded, as formatters write a table. */
function gateRows(verdicts: readonly Verdict[]): readonly string[] {
  const rows = [
    ['Gate', 'Result', 'Seen'],
    ...verdicts.map(({ gate, outcome, summary }) => [gate, OUTCOME[outcome], inline(summary)]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))))
  const [head = '', ...lines] = rows.map(
    (row) => `| ${row.map((cell, column) => fitText(cell, widths[column] ?? 0)).join(' | ')} |`,
  )
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...lines]
}

export interface GateRow {
  readonly gate: string
  readonly result: string
}

const GATE_ROW = /^\| (\w+) +\| (.*?) +\| .* \|$/gm

/** Reads the gates back; `FAILED` and `COULD NOT BE CHECKED` are written large. */
export function gateRowsIn(artifact: string): readonly GateRow[] {
  const part = artifact.split('\n## Gates\n', 2)[1]?.split('\n## ', 1)[0] ?? ''
  return [...part.matchAll(GATE_ROW)]
    .map(([, gate = '', result = '']) => ({ gate, result }))
    .filter(({ gate }) => gate !== 'Gate')
}

/** A run that several gates rest on is listed once. */
function runLines(verdicts: readonly Verdict[]): readonly string[] {
  const listed: { readonly line: string; readonly gates: string[] }[] = []
  for (const { gate, evidence } of verdicts)
    for (const run of evidence.runs) {
      const line = runLine(run)
      const same = listed.find((one) => one.line === line && !one.gates.includes(gate))
      if (same === undefined) listed.push({ line, gates: [gate] })
      else same.gates.push(gate)
    }
  if (listed.length === 0) return []
  return [listed.map(({ line, gates }) => `- ${gates.join(', ')}: ${line}`).join('\n')]
}

const findingLines = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.flatMap(seenOf).map((finding) => `- ${findingLine(finding)}`)

/** What was left to review, and the other findings of the integrity gate but those that have a section. */
const seenOf = ({ gate, evidence }: Verdict): readonly Finding[] =>
  evidence.findings.filter(
    (one) => one.weight === 'review' || (gate === 'integrity' && allowedChange(one) === null),
  )

function findingLine({ weight, text, file, line }: Finding): string {
  const place = file === null ? '' : `\`${inline(file)}${line === null ? '' : `:${line}`}\` `
  return `${place}${inline(text)}${weight === 'blocks' ? ' (let through)' : ''}`
}

function decidingLines(verdicts: readonly Verdict[]): readonly string[] {
  const integrity = verdicts.find(({ gate }) => gate === 'integrity')
  return bullets(integrity?.evidence.findings.flatMap((finding) => allowedChange(finding) ?? []) ?? [])
}

export const formatEnding = (ending: RunEvidence['ending']): string =>
  ending.kind === 'exited' ? `exit ${ending.code}` : ending.kind.replaceAll('_', ' ')

function runLine(run: RunEvidence): string {
  const counts = run.counts === null ? '' : `, ${run.counts.passed} of ${run.counts.run} tests passed`
  const hash = run.outputSha256 === null ? '' : `, output \`${run.outputSha256.slice(0, 16)}\``
  const where = run.on === 'base' ? ' on the base' : ''
  const what = run.mustFail === true ? ' (canary: these tests must fail)' : ''
  return `\`${inline(run.command).replaceAll('`', "'")}\`${where}${what}: ${formatEnding(run.ending)}${counts}${hash}`
}

/** Every round with its issues, the last one first. */
function reviewLines({ review, pastReviews = [] }: CommitTask): string[] {
  if (review === null) return ['Not reviewed.']
  return [review, ...pastReviews.toReversed()].flatMap((one, place) => [
    ...(place === 0 ? [] : ['']),
    roundLine(one),
    ...(one.issues.length === 0 ? [] : ['', ...one.issues.flatMap(issueLines)]),
  ])
}

function roundLine(review: Review): string {
  const { round, attempt, by, verdict, summary, remark } = review
  const who = by === NOBODY ? 'nobody (no agent or model read it)' : `\`${by}\`${formatAgent(review)}`
  const text = inline(summary)
  const changed = remark === null ? '' : ` The rules changed its verdict: ${inline(remark)}.`
  return `Round ${round} on attempt ${attempt}, by ${who}: ${verdict.replaceAll('_', ' ')}.${text === '' ? '' : ` ${text}`}${changed}`
}

/** No worker reviews its own work; where only the author's agent was available, the line notes it. */
function formatAgent({ agent, isOwnAgent }: Review): string {
  if (agent === null) return ''
  const own = isOwnAgent
    ? "; no other agent was available, so this is a new session of the author's agent"
    : ''
  return ` (agent \`${inline(agent)}\`${own})`
}

function issueLines(issue: ReviewIssue): string[] {
  const place = inline(formatPlace(issue)).replaceAll('`', "'")
  const fix = inline(issue.howToFix)
  return [
    `- ${issue.severity}: ${inline(issue.description)} (\`${place}\`)`,
    ...(fix === '' ? [] : [`  - fix: ${fix}`]),
  ]
}

/** What the rules found in the changed lines. */
function scanLines({ draft }: CommitTask): string[] {
  const { scan } = draft
  if (scan === undefined) return []
  return [
    ...scan.touches.map((text) => `- ${inline(text)}`),
    ...scan.findings.map(
      ({ text, file, line }) =>
        `- ${inline(text)}${file === null ? '' : ` (\`${inline(file)}${line === null ? '' : `:${line}`}\`)`}`,
    ),
  ]
}

/** verify-release.ts compares this text with the manifest. */
export const overrideText = ({ what, by, reason }: Pick<Override, 'what' | 'by' | 'reason'>): string =>
  `${what}: let through by ${inline(by)}${reason === '' ? '' : `, because ${inline(reason)}`}`

/** The message of a task's commit: a conventional subject, and where its review is. */
const CONVENTIONAL =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./ -]{1,40}\))?!?: \S/
const LONGEST_SUBJECT = 72

interface CommitFacts {
  readonly spec: TaskSpec
  readonly changed: readonly string[]
  readonly reviewPath: string
}

export function commitMessage({ spec, changed, reviewPath }: CommitFacts): string {
  return `${commitSubject(spec, changed)}\n\nRefs: ${taskName(spec.id)}\nReview: ${reviewPath}\n`
}

/** The subject the plan names, if it is a conventional one; else one built from the task. */
export function commitSubject(spec: TaskSpec, changed: readonly string[]): string {
  const scope = scopeOf(spec.ownership)
  const about = scope === null ? '' : `(${scope})`
  // This commit adds only its review, and another commit may have the intended subject already.
  if (changed.length === 0)
    return cut(`docs${about}: reviewed, nothing to change: ${lowerFirst(oneLine(spec.title))}`)
  const intended = oneLine(spec.commitSubject ?? '')
  if (CONVENTIONAL.test(intended) && !/[$`]/.test(intended)) return cut(intended)
  const breaks = spec.breakingChange ? '!' : ''
  const head = `${typeOf(spec, changed)}${about}${breaks}: `
  return cut(`${head}${lowerFirst(oneLine(spec.title))}`)
}

function typeOf(spec: TaskSpec, changed: readonly string[]): string {
  const areAll = (kind: PathKind): boolean =>
    changed.length > 0 && changed.every((path) => kindOfPath(path) === kind)
  if (spec.type === 'bug_fix') return 'fix'
  if (areAll('doc')) return 'docs'
  if (areAll('test')) return 'test'
  if (spec.type === undefined && /^(fix|mend|repair|correct)\b/i.test(spec.title)) return 'fix'
  if (/^(refactor|rename|move|tidy|clean)\b/i.test(spec.title)) return 'refactor'
  return 'feat'
}

/** The last segment of the area, if it is a word. */
function scopeOf(ownership: string): string | null {
  const last = ownership.split('/').at(-1) ?? ''
  const word = last.replace(/\.[a-z0-9]+$/i, '').toLowerCase()
  return /^[a-z0-9][a-z0-9_-]{0,30}$/.test(word) ? word : null
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
const cut = (text: string): string =>
  text.length <= LONGEST_SUBJECT ? text : `${text.slice(0, LONGEST_SUBJECT - 1).trimEnd()}…`
