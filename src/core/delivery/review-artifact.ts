/** docs/reviews/<task>-review.md: what was asked, what was done, and what every claim rests on. */
import type { CommitTask } from '../decide/effects.ts'
import type { Finding, RunEvidence } from '../event-schemas/evidence.ts'
import type { ReviewIssue, Verdict } from '../event-schemas/schemas.ts'
import { allowedChange } from '../gates/integrity/integrity.ts'
import { taskName } from '../planning/ids.ts'
import { placeWords } from '../review/locations.ts'
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
      draft.changed.length === 0 ? ['Nothing was changed.'] : draft.changed.map((path) => `- \`${path}\``),
    ),
    section('Gates', gateLines(proof.verdicts)),
    ...decidingSection(proof.verdicts),
    section('Review', reviewLines(effect)),
    ...(scanLines(effect).length === 0 ? [] : [section('Security and habits', scanLines(effect))]),
    ...(proof.overrides.length === 0 ? [] : [section('Overrides', proof.overrides.map(overrideLine))]),
    section('Risks', bullets(riskLines(effect))),
    section('Rollback', [noteOf(effect).rollback]),
  ]
  return `${blocks.join('\n\n')}\n`
}

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}`
const bullets = (lines: readonly string[]): string[] =>
  lines.length === 0 ? ['None known.'] : lines.map((line) => `- ${inline(line)}`)
/** One line that is no markup of its own. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[<>|]/g, (char) => `\\${char}`)

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

/** What the worker reported, and where it reported nothing what the rules drafted from the diff. */
function riskLines(effect: CommitTask): readonly string[] {
  const reported = risksIn(effect.draft.report).map(
    ({ description, severity }) => `${description} (${severity})`,
  )
  return reported.length > 0 ? reported : noteOf(effect).risks
}

function criteriaLines({ spec, proof, confirmation }: CommitTask): string[] {
  const told = criteriaResults({ spec, verdicts: proof.verdicts, confirmation })
  return told.map(({ criterion, word, place, by, why, isUnverified }) => {
    const mapped = (by === 'rules' && word !== 'FAIL') || isUnverified ? why : `by: ${by ?? 'nobody'}`
    const where = place === null ? '' : ` (\`${place}\`, ${inline(mapped)})`
    return `- ${word}: ${inline(criterion)}${where}`
  })
}

function gateLines(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap((verdict) => [
    `- ${verdict.gate}: ${OUTCOME[verdict.outcome]}. ${inline(verdict.summary)}`,
    ...verdict.evidence.runs.map((run) => `  - ${runLine(run)}`),
    ...(verdict.gate === 'integrity' ? seenOf(verdict).map((finding) => `  - ${findingLine(finding)}`) : []),
  ])
}

const seenOf = ({ evidence }: Verdict): readonly Finding[] =>
  evidence.findings.filter((one) => allowedChange(one) === null)

function findingLine({ weight, text, file, line }: Finding): string {
  const place = file === null ? '' : `\`${inline(file)}${line === null ? '' : `:${line}`}\` `
  return `${place}${inline(text)}${weight === 'blocks' ? ' (let through)' : ''}`
}

/** By itself, so that nobody overlooks it among the rest. */
function decidingSection(verdicts: readonly Verdict[]): readonly string[] {
  const integrity = verdicts.find(({ gate }) => gate === 'integrity')
  const allowed = integrity?.evidence.findings.flatMap((finding) => allowedChange(finding) ?? []) ?? []
  if (allowed.length === 0) return []
  const lines = allowed.map((change) => `- ${inline(change)}`)
  return [section('What decides success and was changed, as the contract allows', lines)]
}

function runLine(run: RunEvidence): string {
  const exit = run.ending.kind === 'exited' ? `exit ${run.ending.code}` : run.ending.kind.replaceAll('_', ' ')
  const counts = run.counts === null ? '' : `, ${run.counts.passed} of ${run.counts.run} tests passed`
  const hash = run.outputSha256 === null ? '' : `, output \`${run.outputSha256.slice(0, 16)}\``
  const where = run.on === 'base' ? ' on the base' : ''
  const what = run.mustFail === true ? ' (tests that must fail, to show that the runner can)' : ''
  return `\`${inline(run.command).replaceAll('`', "'")}\`${where}${what}: ${exit}${counts}${hash}`
}

/** Every round, the last one first: what was found, and what became of it. */
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
  const who = by === 'rules' ? 'the rules, and no agent' : `\`${by}\`${agentWords(review)}`
  const said = inline(summary)
  const changed = remark === null ? '' : ` Its verdict was changed by the rules: ${inline(remark)}.`
  return `Round ${round} on attempt ${attempt}, by ${who}: ${verdict.replaceAll('_', ' ')}.${said === '' ? '' : ` ${said}`}${changed}`
}

/** Nobody reviews what it wrote itself; where only its own program was to be had, that is said. */
function agentWords({ agent, isOwnAgent }: Review): string {
  if (agent === null) return ''
  const own = isOwnAgent ? '; no other agent was available, so it is a fresh one of what wrote the work' : ''
  return ` (agent \`${inline(agent)}\`${own})`
}

function issueLines(issue: ReviewIssue): string[] {
  const place = inline(placeWords(issue)).replaceAll('`', "'")
  const fix = inline(issue.howToFix)
  return [
    `- ${issue.severity}: ${inline(issue.description)} (\`${place}\`)`,
    ...(fix === '' ? [] : [`  - to fix it: ${fix}`]),
  ]
}

/** What the rules read in the lines, for whoever reads the review later. */
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

const overrideLine = (override: Override): string => `- ${overrideText(override)}`

/** Who let what through, and why: the review and the manifest must say the same. */
export const overrideText = ({ what, by, reason }: Pick<Override, 'what' | 'by' | 'reason'>): string =>
  `${what}: let through by ${inline(by)}${reason === '' ? '' : `, because ${inline(reason)}`}`
