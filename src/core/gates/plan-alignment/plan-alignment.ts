/** Gate 1: every criterion has a place in the tree, and only files of the contract changed. */
import type { Finding, MappedCriterion } from '../../event-schemas/evidence.ts'
import type { ClaimedCriterion, Verdict } from '../../event-schemas/schemas.ts'
import type { EarlierWork } from '../../state/earlier-work.ts'
import { isPattern, normalPath, wordsOf, kindOfPath } from '../../languages/paths.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { compareFiles, covers, type FileFacts } from './expected-files.ts'
import { andMore, blocking, MAX_CRITERIA, note, verdict } from '../verdicts.ts'
import type { AddedLine } from '../change.ts'

export interface AlignmentFacts extends FileFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'inferred' | 'acceptanceCriteria'>
  /** The worker's claims; may be empty. */
  readonly claims: readonly ClaimedCriterion[]
  /** The task's result before a plan edit made it run again. */
  readonly earlierWork: EarlierWork | null
}

export function planAlignment(facts: AlignmentFacts): Verdict {
  const nothing = nothingDone(facts)
  if (nothing !== null) {
    return verdict('plan_alignment', 'failed', nothing, { findings: [blocking(nothing)] })
  }
  if (facts.spec.acceptanceCriteria.length > MAX_CRITERIA) {
    const why = `${facts.spec.acceptanceCriteria.length} criteria are too many (at most ${MAX_CRITERIA} are checked)`
    return verdict('plan_alignment', 'inconclusive', why, { findings: [blocking(why)] })
  }
  const mapped = mapCriteria(facts)
  const findings = [...compareFiles(facts), ...goneSince(facts), ...mapped.findings]
  const { criteria } = mapped
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  const [first] = blocks
  if (first !== undefined) {
    const where = first.file === null ? '' : `${first.file} `
    const text = `${where}${first.text}${andMore(blocks)}`
    return verdict('plan_alignment', 'failed', text, { findings, criteria })
  }
  const isAnythingNamed = Object.values(facts.spec.files).some((paths) => paths.length > 0)
  if (criteria.length === 0 && !isAnythingNamed) {
    return verdict('plan_alignment', 'not_applicable', 'the plan names no criteria and no files', {
      findings,
    })
  }
  const byRules = criteria.filter(({ by }) => by === 'rules').length
  const mark = byRules === 0 ? '' : `, ${byRules} by rules (review must confirm)`
  const kept = isUnchanged(facts) ? 'nothing was changed; the earlier work still holds: ' : ''
  return verdict(
    'plan_alignment',
    'passed',
    `${kept}${criteria.length} ${criteria.length === 1 ? 'criterion' : 'criteria'} mapped${mark}`,
    { findings, criteria },
  )
}

const isUnchanged = ({ change }: AlignmentFacts): boolean => change.files.length === 0

/** Why an empty change fails; null if there may have been nothing left to do. */
function nothingDone(facts: AlignmentFacts): string | null {
  if (!isUnchanged(facts)) return null
  const { earlierWork, spec } = facts
  if (earlierWork === null) return 'nothing was changed'
  // With a changed contract, only criteria can show that the earlier work suffices.
  const canBeShown = earlierWork.asksTheSame || spec.acceptanceCriteria.length > 0
  return canBeShown ? null : 'nothing was changed, although the contract is different now'
}

/** With an empty change, files to modify must still exist. */
function goneSince(facts: AlignmentFacts): readonly Finding[] {
  if (!isUnchanged(facts)) return []
  const weigh = facts.spec.inferred.includes('files') ? note : blocking
  return facts.spec.files.modify
    .filter((path) => !isPattern(path) && !facts.isInTree(path))
    .map((path) => weigh('should have been modified but is missing', path))
}

interface Mapping {
  readonly criteria: MappedCriterion[]
  readonly findings: readonly Finding[]
}

function mapCriteria(facts: AlignmentFacts): Mapping {
  const place = placeByRules(facts)
  const findings: Finding[] = []
  const criteria = facts.spec.acceptanceCriteria.map((criterion, at) => {
    const claims = facts.claims.filter((claim) => isAbout(claim, criterion, at))
    if (claims.length === 0) {
      const problem = unplaced(facts, place)
      if (problem !== null) findings.push(blocking(`criterion ${at + 1}: ${problem}`))
      return { criterion, by: 'rules' as const, ...place, isFresh: true }
    }
    const checked = claims.map((claim) => checkClaim(claim, facts))
    const correct = checked.find(({ problem }) => problem === null)
    for (const { problem, claim } of checked) {
      if (problem === null) continue
      const weigh = correct === undefined ? blocking : note
      findings.push(weigh(`criterion ${at + 1} not found: ${problem}`, claim.file, claim.line))
    }
    const shown = correct ?? checked[0]
    return {
      criterion,
      by: 'worker' as const,
      file: shown?.claim.file ?? null,
      line: shown === undefined || shown.isDeleted ? null : shown.claim.line,
      isFresh: shown?.isFresh === true,
    }
  })
  const isBlocked = findings.some(({ weight }) => weight === 'blocks')
  const byWorker = criteria.filter(({ by }) => by === 'worker')
  const isAgain = facts.earlierWork !== null
  // A line beside the change is a slip: the diff places it, for review. A file that it never touched shows nothing.
  const touched = new Set(facts.change.files.map(({ path }) => path))
  const isStale = !isBlocked && !isAgain && byWorker.length > 0 && !criteria.some(({ isFresh }) => isFresh)
  const isSlip = isStale && criteria.some(({ file }) => touched.has(file ?? ''))
  if (isStale && !isSlip)
    findings.push(blocking('every criterion is mapped to lines that existed before this task'))
  const before = isAgain ? 'existed before the task was repeated' : 'existed before this task'
  for (const one of byWorker) if (!one.isFresh && !isBlocked) findings.push(note(before, one.file, one.line))
  const mapped = criteria.map(({ criterion, by, file, line }) =>
    isSlip ? { criterion, by: 'rules' as const, ...place } : { criterion, by, file, line },
  )
  return { criteria: mapped, findings }
}

/** Why a criterion without a claim has no place; null if it has one. */
function unplaced(facts: AlignmentFacts, { file }: Place): string | null {
  if (!isUnchanged(facts)) return null
  if (facts.earlierWork?.asksTheSame !== true)
    return 'nothing was changed, the contract is different now, and the report does not say where this is met'
  return file === null ? 'nothing was changed, and none of the earlier work is left' : null
}

/** A worker names a criterion by its text or its number. */
function isAbout(claim: ClaimedCriterion, criterion: string, place: number): boolean {
  const named = claim.criterion.trim()
  return named === String(place + 1) || plain(named) === plain(criterion)
}

const plain = (text: string): string => wordsOf(text).join(' ')

interface Checked {
  readonly claim: ClaimedCriterion
  readonly problem: string | null
  readonly isFresh: boolean
  readonly isDeleted: boolean
}

function checkClaim(claimed: ClaimedCriterion, facts: AlignmentFacts): Checked {
  const claim = { ...claimed, file: normalPath(claimed.file) }
  const file = facts.change.files.find(({ path }) => path === claim.file)
  const bad = (problem: string): Checked => ({ claim, problem, isFresh: false, isDeleted: false })
  if (file?.kind === 'deleted') return { claim, problem: null, isFresh: true, isDeleted: true }
  const lines = facts.fileInTree(claim.file)
  if (lines === null) {
    if (isGoneAsAsked(claim.file, facts)) return { claim, problem: null, isFresh: false, isDeleted: true }
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

/** An earlier round of the task may have deleted it. */
const isGoneAsAsked = (file: string, { earlierWork, spec, isInTree }: AlignmentFacts): boolean =>
  earlierWork !== null && !isInTree(file) && spec.files.delete.some((path) => covers(path, file))

interface Place {
  readonly file: string | null
  readonly line: number | null
}

/**
 * Where review looks first for a criterion without a claim: the first line that was added, sources before tests before the rest,
 * because code meets a criterion, or that earlier work left.
 */
function placeByRules({ change, earlierWork, spec, fileInTree, isInTree }: AlignmentFacts): Place {
  const changed = change.files.toSorted((a, b) => order(a.path) - order(b.path))
  const standing = earlierWork === null ? [] : standingPaths(spec, earlierWork).filter(isInTree)
  const gone =
    earlierWork === null ? undefined : spec.files.delete.find((path) => !isPattern(path) && !isInTree(path))
  const [first] = [
    ...changed.flatMap(({ path, added }) => firstLine(path, added)),
    ...standing.flatMap((path) =>
      firstLine(path, fileInTree(path)?.map((text, at) => ({ line: at + 1, text })) ?? []),
    ),
  ]
  return first ?? { file: change.files[0]?.path ?? standing[0] ?? gone ?? null, line: null }
}

function order(path: string): number {
  const kind = kindOfPath(path)
  return kind === 'source' ? 0 : kind === 'test' ? 1 : 2
}

/** What the contract names or the earlier work changed. */
function standingPaths(spec: AlignmentFacts['spec'], { files }: EarlierWork): readonly string[] {
  const { create, modify } = spec.files
  const named = [...create, ...modify, ...spec.testsToAdd].filter((path) => !isPattern(path))
  return [...new Set([...named, ...files].map(normalPath))].toSorted((a, b) => order(a) - order(b))
}

function firstLine(file: string, lines: readonly AddedLine[]): readonly Place[] {
  const first = lines.find(({ text }) => text.trim() !== '')
  return first === undefined ? [] : [{ file, line: first.line }]
}
