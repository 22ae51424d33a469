/** Gate 1: every criterion has a place in the tree, and what changed is what the contract names. */
import type { Finding, MappedCriterion } from '../events/evidence.ts'
import type { ClaimedCriterion, Verdict } from '../events/parts.ts'
import { kindOfPath, normalPath, wordsOf } from '../planning/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'
import type { AddedLine, Change } from './change.ts'
import { compareFiles, type FileFacts } from './expected-files.ts'
import { blocking, MAX_CRITERIA, note, verdict } from './verdicts.ts'

export interface AlignmentFacts extends FileFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'inferred' | 'acceptanceCriteria'>
  /** What the worker says; empty where it said nothing. */
  readonly claims: readonly ClaimedCriterion[]
}

const MOST_LINES = 20_000

export function planAlignment(facts: AlignmentFacts): Verdict {
  if (facts.change.files.length === 0) {
    return verdict('plan_alignment', 'failed', 'nothing was changed', {
      findings: [blocking('nothing was changed')],
    })
  }
  if (facts.spec.acceptanceCriteria.length > MAX_CRITERIA) {
    const why = `${facts.spec.acceptanceCriteria.length} criteria are more than the ${MAX_CRITERIA} that are checked`
    return verdict('plan_alignment', 'inconclusive', why, { findings: [blocking(why)] })
  }
  const mapped = mapCriteria(facts)
  const findings = [...compareFiles(facts), ...mapped.findings]
  const { criteria } = mapped
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  const [first] = blocks
  if (first !== undefined) {
    const where = first.file === null ? '' : `${first.file} `
    const more = blocks.length > 1 ? `, and ${blocks.length - 1} more` : ''
    return verdict('plan_alignment', 'failed', `${where}${first.text}${more}`, { findings, criteria })
  }
  const isAnythingNamed = Object.values(facts.spec.files).some((paths) => paths.length > 0)
  if (criteria.length === 0 && !isAnythingNamed) {
    return verdict('plan_alignment', 'not_applicable', 'the plan names no criteria and no files', {
      findings,
    })
  }
  const byRules = criteria.filter(({ by }) => by === 'rules').length
  const mark = byRules === 0 ? '' : `, ${byRules} by rules for review to confirm`
  return verdict(
    'plan_alignment',
    'passed',
    `${criteria.length} ${criteria.length === 1 ? 'criterion' : 'criteria'} mapped${mark}`,
    {
      findings,
      criteria,
    },
  )
}

interface Mapping {
  readonly criteria: MappedCriterion[]
  readonly findings: readonly Finding[]
}

function mapCriteria(facts: AlignmentFacts): Mapping {
  const added = addedLines(facts.change)
  const findings: Finding[] = []
  const criteria = facts.spec.acceptanceCriteria.map((criterion, place) => {
    const claims = facts.claims.filter((claim) => isAbout(claim, criterion, place))
    if (claims.length === 0) return mapByRules(criterion, added, facts.change)
    const checked = claims.map((claim) => checkClaim(claim, facts))
    const held = checked.find(({ problem }) => problem === null)
    for (const { problem, claim } of checked) {
      if (problem === null) continue
      const weigh = held === undefined ? blocking : note
      findings.push(weigh(`criterion ${place + 1} is not there: ${problem}`, claim.file, claim.line))
    }
    const shown = held ?? checked[0]
    return {
      criterion,
      by: 'worker' as const,
      file: shown?.claim.file ?? null,
      line: shown === undefined || shown.isDeleted ? null : shown.claim.line,
      isFresh: shown?.isFresh === true,
    }
  })
  const held = findings.some(({ weight }) => weight === 'blocks')
  const byWorker = criteria.filter(({ by }) => by === 'worker')
  if (!held && byWorker.length > 0 && !criteria.some(({ isFresh }) => isFresh)) {
    findings.push(blocking('every criterion is mapped to lines that were there before this task'))
  }
  for (const one of byWorker) {
    if (!one.isFresh && !held) findings.push(note('was there before this task', one.file, one.line))
  }
  const mapped = criteria.map(({ criterion, by, file, line }) => ({ criterion, by, file, line }))
  return { criteria: mapped, findings }
}

/** A worker names a criterion by its text or its number. */
function isAbout(claim: ClaimedCriterion, criterion: string, place: number): boolean {
  const said = claim.criterion.trim()
  return said === String(place + 1) || plain(said) === plain(criterion)
}

const plain = (text: string): string => wordsOf(text).join(' ')

interface Checked {
  readonly claim: ClaimedCriterion
  readonly problem: string | null
  readonly isFresh: boolean
  readonly isDeleted: boolean
}

function checkClaim(said: ClaimedCriterion, facts: AlignmentFacts): Checked {
  const claim = { ...said, file: normalPath(said.file) }
  const file = facts.change.files.find(({ path }) => path === claim.file)
  const bad = (problem: string): Checked => ({ claim, problem, isFresh: false, isDeleted: false })
  if (file?.kind === 'deleted') return { claim, problem: null, isFresh: true, isDeleted: true }
  const lines = facts.fileInTree(claim.file)
  if (lines === null) {
    const isBinary = file?.isBinary === true
    return isBinary
      ? { claim, problem: null, isFresh: true, isDeleted: true }
      : bad(`${claim.file} is not in the tree`)
  }
  const text = lines[claim.line - 1]
  if (text === undefined) return bad(`${claim.file} has ${lines.length} lines`)
  if (text.trim() === '') return bad(`line ${claim.line} is blank`)
  const isFresh = file?.added.some(({ line }) => line === claim.line) ?? false
  return { claim, problem: null, isFresh, isDeleted: false }
}

interface Place extends AddedLine {
  readonly path: string
  readonly words: ReadonlySet<string>
}

/** Sources before tests before the rest: a criterion is met by code. */
function addedLines(change: Change): readonly Place[] {
  const order = (path: string): number => {
    const kind = kindOfPath(path)
    return kind === 'source' ? 0 : kind === 'test' ? 1 : 2
  }
  return [...change.files]
    .sort((a, b) => order(a.path) - order(b.path))
    .flatMap((file) =>
      file.added
        .filter(({ text }) => text.trim() !== '')
        .map((one) => ({ ...one, path: file.path, words: new Set(wordsOf(one.text.slice(0, 500))) })),
    )
    .slice(0, MOST_LINES)
}

/** The added line that shares most words with the criterion; the first one where none shares any. */
function mapByRules(
  criterion: string,
  added: readonly Place[],
  change: Change,
): MappedCriterion & { readonly isFresh: boolean } {
  const words = [...new Set(wordsOf(criterion.slice(0, 2_000)))].filter(
    (word) => word.length > 2 && !COMMON.has(word),
  )
  let best: Place | null = null
  let most = -1
  for (const place of added) {
    const shared = words.filter((word) => place.words.has(word)).length
    if (shared > most) [best, most] = [place, shared]
  }
  const file = best?.path ?? change.files[0]?.path ?? null
  return { criterion, by: 'rules', file, line: best?.line ?? null, isFresh: true }
}

const COMMON: ReadonlySet<string> = new Set(
  'the and for are with that this from into when then than not can its has have was were will must should'.split(
    ' ',
  ),
)
