/**
 * Reviews a spec against the code base without a model. It objects only to what no plan can be made from; the rest is
 * noted. A false objection costs the user a round for nothing.
 */
import { oneLine } from '../../lib/text/one-line.ts'
import { wordsOf } from '../languages/paths.ts'
import { questionsOf } from '../planning/ambiguities/find-questions.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import { namedFiles } from './named-files.ts'
import type { Requirement, Spec } from './spec.ts'

export interface SpecFinding {
  /** The requirement it is about; null for the spec as a whole. */
  readonly requirement: string | null
  /** An objection has to be resolved; a note is for information. */
  readonly kind: 'objection' | 'note'
  /** What is wrong, and what to do about it. */
  readonly text: string
}

/** A requirement with more is several requirements. */
const MOST_CRITERIA = 20
const LONGEST_DESCRIPTION = 5000
const LONGEST_QUOTE = 160

export function reviewByRules(spec: Spec, files: readonly string[] | null): readonly SpecFinding[] {
  return [
    ...spec.requirements.flatMap((requirement) => [
      ...sizeFindings(requirement),
      ...openPoints(requirement, spec),
      ...fileFindings(requirement, files),
    ]),
    ...scopeFindings(spec),
    ...sameRequirements(spec.requirements),
    ...priorityFindings(spec.requirements),
  ]
}

/** The objections as one text, numbered; empty without any. */
export function feedbackOf(findings: readonly SpecFinding[]): string {
  return findings
    .map(({ requirement, text }, at) => `${at + 1}. ${requirement === null ? '' : `${requirement}: `}${text}`)
    .join('\n')
}

function sizeFindings({ id, criteria, description }: Requirement): readonly SpecFinding[] {
  if (criteria.length > MOST_CRITERIA)
    return [
      objection(
        id,
        `it has ${criteria.length} criteria. Split it into requirements of at most ${MOST_CRITERIA}.`,
      ),
    ]
  if (description.length > LONGEST_DESCRIPTION)
    return [
      objection(
        id,
        `its description has ${description.length} characters. Split it, or move what are criteria into the list.`,
      ),
    ]
  return []
}

/** What is undecided, contradictory or not measurable, by the rules that also read plans. */
function openPoints(requirement: Requirement, spec: Spec): readonly SpecFinding[] {
  const { id, title, description, criteria, line } = requirement
  const questions = questionsOf({
    title,
    description,
    line,
    acceptanceCriteria: criteria,
    inferred: [],
    nonGoals: spec.outOfScope,
    files: { create: [], modify: [], delete: [] },
  })
  const vague = questions.filter(({ kind }) => kind === 'unmeasurable')
  return questions.map(({ kind, words, choices }) => {
    const quote = `"${clip(words, LONGEST_QUOTE)}"`
    switch (kind) {
      case 'undecided':
        return objection(id, `${quote} is undecided. Decide it${named(choices)}.`)
      case 'alternatives':
        return objection(id, `${quote} leaves a choice open. Choose one${named(choices)}.`)
      case 'contradiction':
        return objection(id, `these contradict each other: ${quote}. Keep one of them.`)
      case 'unmeasurable': {
        const text = `${quote} cannot be measured. Say what can be observed, with a number where there is one.`
        // One vague criterion among others does not stop the work: the plan asks about it.
        return vague.length >= criteria.length ? objection(id, text) : note(id, text)
      }
    }
  })
}

const named = (choices: readonly string[]): string =>
  choices.length === 0 ? '' : `: ${choices.join(' or ')}`

function fileFindings(requirement: Requirement, files: readonly string[] | null): readonly SpecFinding[] {
  const { id, title, description, criteria } = requirement
  const text = [title, description, ...criteria].join('\n')
  const { misnamed, absent } = namedFiles(text, files)
  return [
    ...misnamed
      .filter(({ path }) => !isToBeCreated(text, path))
      .map(({ path, similar }) =>
        objection(
          id,
          `it names ${path}, which does not exist. Did you mean ${similar}? If it is new, say "create ${path}".`,
        ),
      ),
    ...(files === null
      ? []
      : absent.map((path) => note(id, `${path} does not exist yet and is planned as a new file.`))),
  ]
}

/** A word for making something shortly before the path. */
function isToBeCreated(text: string, path: string): boolean {
  const at = text.indexOf(path)
  const before = at === -1 ? '' : text.slice(Math.max(0, at - 60), at)
  return /\b(creates?|add(?:s|ed)?|new|writes?|generates?|introduces?|named|called)\b[^.\n]*$/i.test(before)
}

/** What is in scope and out of it at once. */
function scopeFindings(spec: Spec): readonly SpecFinding[] {
  const out = spec.outOfScope.map((item) => ({ item, words: significant(item) }))
  const both = spec.inScope.flatMap((item) =>
    out.filter(({ words }) => isSame(words, significant(item))).map(() => item),
  )
  const excluded = spec.requirements.flatMap(({ id, title }) =>
    out
      .filter(({ words }) => isSame(words, significant(title)))
      .map(({ item }) =>
        objection(id, `"${clip(oneLine(item), LONGEST_QUOTE)}" is out of scope. Remove one of the two.`),
      ),
  )
  return [
    ...both.map((item) =>
      objection(
        null,
        `"${clip(oneLine(item), LONGEST_QUOTE)}" is in scope and out of scope. Remove one of the two.`,
      ),
    ),
    ...excluded,
  ]
}

const FILLER = new Set('a an the of for to in on and or with support any all no'.split(' '))
const significant = (text: string): readonly string[] =>
  [...new Set(wordsOf(text).filter((word) => !FILLER.has(word)))].sort()
const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((word, at) => word === b[at])

function sameRequirements(requirements: readonly Requirement[]): readonly SpecFinding[] {
  const first = new Map<string, string>()
  return requirements.flatMap(({ id, title, criteria }) => {
    const key = [title, ...criteria].map((text) => oneLine(text).toLowerCase()).join('\n')
    const known = first.get(key)
    if (known === undefined) first.set(key, id)
    return known === undefined ? [] : [objection(id, `it says the same as ${known}. Remove one of the two.`)]
  })
}

function priorityFindings(requirements: readonly Requirement[]): readonly SpecFinding[] {
  const byId = new Map(requirements.map((one) => [one.id, one]))
  return requirements.flatMap(({ id, priority, dependsOn }) =>
    dependsOn.flatMap((needed) => {
      const other = byId.get(needed)
      if (priority !== 'must' || other === undefined || other.priority === 'must') return []
      return [
        note(
          id,
          `it is a must and depends on ${needed}, which is only a ${other.priority}; ${needed} is built as well.`,
        ),
      ]
    }),
  )
}

const objection = (requirement: string | null, text: string): SpecFinding => ({
  requirement,
  kind: 'objection',
  text,
})
const note = (requirement: string | null, text: string): SpecFinding => ({ requirement, kind: 'note', text })
