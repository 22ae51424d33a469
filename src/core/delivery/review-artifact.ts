/** docs/reviews/<task>-review.md: criteria, files, gates with their evidence, and the review. verify-release.ts reads it back. */
import { formatAnswer } from '../planning/ambiguities/plan-question.ts'
import type { CommitTask } from '../decide/effects.ts'
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import type { ReviewIssue, Verdict } from '../event-schemas/schemas.ts'
import { allowedChange } from '../gates/integrity/integrity-findings.ts'
import { taskName } from '../planning/ids.ts'
import { formatPlace } from '../review/locations.ts'
import { risksIn } from '../state/report-claims.ts'
import type { Override, Review } from '../state/state.ts'
import { criteriaResults } from '../review/criteria-results.ts'

export const reviewPath = (folder: string, task: string): string => `${folder}/${taskName(task)}-review.md`

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
    section('Summary', [noteOf(effect).summary]),
    section('Acceptance criteria', criteriaLines(effect)),
    section(
      'Files',
      draft.changed.length === 0 ? ['No files changed.'] : draft.changed.map((path) => `- \`${path}\``),
    ),
    section('Gates', gateLines(proof.verdicts)),
    ...decidingSection(proof.verdicts),
    section('Review', reviewLines(effect)),
    ...approvalSection(effect),
    ...(scanLines(effect).length === 0 ? [] : [section('Security and habits', scanLines(effect))]),
    ...(proof.overrides.length === 0
      ? []
      : [
          section(
            'Overrides',
            proof.overrides.map((one) => `- ${overrideText(one)}`),
          ),
        ]),
    ...byHand(draft.people ?? []),
    ...decisionSection(effect),
    ...helpSection(effect),
    section('Risks', bullets(riskLines(effect))),
    section('Rollback', [noteOf(effect).rollback]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function approvalSection({ approval }: CommitTask): readonly string[] {
  if (approval === undefined) return []
  const opened = approval.diffOpened ? 'yes' : 'no'
  return [section('Approval', [`Approved by ${inline(approval.by)}; diff opened: ${opened}.`])]
}

const byHand = (people: readonly string[]): readonly string[] =>
  people.length === 0
    ? []
    : [section('By hand', [`${people.map(inline).join(', ')} worked on it in the place of the worker.`])]

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}`
const bullets = (lines: readonly string[]): string[] =>
  lines.length === 0 ? ['None known.'] : lines.map((line) => `- ${inline(line)}`)
/** One line without markup. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[<>|]/g, (char) => `\\${char}`)

/** What the plan left open. */
function decisionSection({ decisions = [] }: CommitTask): readonly string[] {
  if (decisions.length === 0) return []
  return [section('Decided before the work', bullets(decisions.map(formatAnswer)))]
}

/** A worker may have built on it, and no person has seen it. */
function helpSection({ help = [] }: CommitTask): readonly string[] {
  if (help.length === 0) return []
  const lines = help.flatMap(({ worker, question, answer, by }) => [
    `- \`${worker}\` asked: ${inline(question)}`,
    `  - ${inline(by)} answered: ${inline(answer)}`,
  ])
  return [section('Questions that a specialist answered', lines)]
}

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
  return reported.length > 0 ? reported : noteOf(effect).risks
}

function criteriaLines({ spec, proof, confirmation }: CommitTask): string[] {
  const results = criteriaResults({ spec, verdicts: proof.verdicts, confirmation })
  return results.map(({ criterion, word, place, by, why, isUnverified }) => {
    const mapped = (by === 'rules' && word !== 'FAIL') || isUnverified ? why : `by: ${by ?? 'unknown'}`
    const where = place === null ? '' : ` (\`${place}\`, ${inline(mapped)})`
    return `- ${word}: ${inline(criterion)}${where}`
  })
}

function gateLines(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((verdict) => [
    `- ${verdict.gate}: ${OUTCOME[verdict.outcome]}. ${inline(verdict.summary)}`,
    ...verdict.evidence.runs.map((run) => `  - ${runLine(run)}`),
    ...seenOf(verdict).map((finding) => `  - ${findingLine(finding)}`),
  ])
}

/** What was left to review, and the other findings of the integrity gate but those that have a section. */
const seenOf = ({ gate, evidence }: Verdict): readonly Finding[] =>
  evidence.findings.filter(
    (one) => one.weight === 'review' || (gate === 'integrity' && allowedChange(one) === null),
  )

function findingLine({ weight, text, file, line }: Finding): string {
  const place = file === null ? '' : `\`${inline(file)}${line === null ? '' : `:${line}`}\` `
  return `${place}${inline(text)}${weight === 'blocks' ? ' (let through)' : ''}`
}

/** A section of its own, so that it is not overlooked. */
function decidingSection(verdicts: readonly Verdict[]): readonly string[] {
  const integrity = verdicts.find(({ gate }) => gate === 'integrity')
  const allowed = integrity?.evidence.findings.flatMap((finding) => allowedChange(finding) ?? []) ?? []
  if (allowed.length === 0) return []
  const lines = allowed.map((change) => `- ${inline(change)}`)
  return [section('Protected files changed, as the contract allows', lines)]
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
  const who = by === 'rules' ? 'the rules (no agent)' : `\`${by}\`${formatAgent(review)}`
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
