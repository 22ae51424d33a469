/** What an edited plan changes and invalidates; a contract that a person widens or narrows. */
import type { TaskSpec } from './plan.ts'
import { normalPath, wordsOf } from '../languages/paths.ts'

export interface PlanChanges {
  /** Ids of tasks whose contract changed, with the fields that did. */
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  /** Reworded or moved only: taken over without redoing anything. */
  readonly reworded: readonly string[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Invalid tasks of the running plan: the changed ones and their direct and indirect dependents. */
  readonly affected: readonly string[]
  readonly untouched: readonly string[]
}

/** The fields of a worker's contract. The others concern scheduling or the place in the file. */
const CONTRACT = [
  'description',
  'securityFlags',
  'ownership',
  'layer',
  'dependsOn',
  'acceptanceCriteria',
  'files',
  'nonGoals',
  'testsToAdd',
  'testsToRun',
  'heldOut',
  'gates',
  'ownGates',
  'interfaces',
  'breakingChange',
  'redOnBase',
] as const satisfies readonly (keyof TaskSpec)[]

/** The fields that define the result. The others define how it is proven, or what it builds on. */
const ASKED = [
  'description',
  'acceptanceCriteria',
  'files',
  'nonGoals',
  'testsToAdd',
  'interfaces',
  'breakingChange',
] as const satisfies readonly (typeof CONTRACT)[number][]

export function comparePlans(before: readonly TaskSpec[], after: readonly TaskSpec[]): PlanChanges {
  const old = new Map(before.map((spec) => [spec.id, spec]))
  const now = new Map(after.map((spec) => [spec.id, spec]))
  const both = after.flatMap((spec) => {
    const was = old.get(spec.id)
    return was === undefined ? [] : [{ was, spec, fields: changedFields(was, spec) }]
  })
  const changed = both
    .filter(({ fields }) => fields.length > 0)
    .map(({ spec, fields }) => ({ id: spec.id, fields }))
  const reworded = both
    .filter(({ was, spec, fields }) => fields.length === 0 && textOf(was) !== textOf(spec))
    .map(({ spec }) => spec.id)
  const affected = withDependents(
    changed.map(({ id }) => id),
    after,
  ).filter((id) => old.has(id))
  const isInvalid = new Set(affected)
  return {
    changed,
    reworded,
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !now.has(id)).map(({ id }) => id),
    affected,
    untouched: both.map(({ spec }) => spec.id).filter((id) => !isInvalid.has(id)),
  }
}

/** Whether work done for one contract also fulfils the other. */
export const asksForTheSame = (was: TaskSpec, now: TaskSpec): boolean =>
  ASKED.every((field) => isSame(was, now, field))

function changedFields(was: TaskSpec, now: TaskSpec): readonly string[] {
  return CONTRACT.filter((field) => !isSame(was, now, field))
}

const isSame = (was: TaskSpec, now: TaskSpec, field: keyof TaskSpec): boolean =>
  plain(was[field]) === plain(now[field])

/** Ignores differences in whitespace. */
const plain = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(/\s+/g, ' ').trim() : inner,
  )

/** What is asked about a task follows from its text and the rules, which change between builds. */
const textOf = ({ line: _line, questions: _questions, ...spec }: TaskSpec): string => JSON.stringify(spec)

/** In plan order. */
function withDependents(ids: readonly string[], specs: readonly TaskSpec[]): readonly string[] {
  const needing = new Map<string, string[]>()
  for (const { id, dependsOn } of specs) {
    for (const needed of dependsOn) needing.set(needed, [...(needing.get(needed) ?? []), id])
  }
  const found = new Set(ids)
  for (const id of found) for (const dependent of needing.get(id) ?? []) found.add(dependent)
  return specs.filter(({ id }) => found.has(id)).map(({ id }) => id)
}

/** A person widens or narrows the contract of a task that is being worked on. */
export interface ContractChange {
  readonly way: 'expand' | 'reduce'
  readonly files: readonly string[]
  /** To reduce: their text, or their number from 1. */
  readonly criteria: readonly string[]
}

type Changed = { readonly ok: true; readonly spec: TaskSpec } | { readonly ok: false; readonly why: string }

export function changedContract(spec: TaskSpec, change: ContractChange): Changed {
  return change.way === 'expand' ? expanded(spec, change) : reduced(spec, change)
}

function expanded(spec: TaskSpec, { files, criteria }: ContractChange): Changed {
  const named = new Set(filesOf(spec))
  const added = unique(files.map(normalPath)).filter((path) => !named.has(path))
  const wanted = unique(criteria).filter((text) => !spec.acceptanceCriteria.includes(text))
  if (added.length === 0 && wanted.length === 0)
    return { ok: false, why: `the contract of task ${spec.id} has all of that already` }
  return {
    ok: true,
    spec: {
      ...spec,
      files: { ...spec.files, modify: [...spec.files.modify, ...added] },
      acceptanceCriteria: [...spec.acceptanceCriteria, ...wanted],
    },
  }
}

function reduced(spec: TaskSpec, { files, criteria }: ContractChange): Changed {
  const no = (why: string): Changed => ({ ok: false, why })
  const [named, dropped] = [new Set(filesOf(spec)), new Set(files.map(normalPath))]
  const unknown = [...dropped].find((path) => !named.has(path))
  if (unknown !== undefined) return no(`the contract of task ${spec.id} does not name ${unknown}`)
  const numbers = criteria.map((text) => criterionAt(spec, text))
  const lost = numbers.indexOf(-1)
  if (lost !== -1) return no(`the contract of task ${spec.id} has no criterion "${criteria[lost] ?? ''}"`)
  const kept = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => !dropped.has(normalPath(path)))
  const after: TaskSpec = {
    ...spec,
    files: {
      create: kept(spec.files.create),
      modify: kept(spec.files.modify),
      delete: kept(spec.files.delete),
    },
    testsToAdd: kept(spec.testsToAdd),
    acceptanceCriteria: spec.acceptanceCriteria.filter((_, at) => !numbers.includes(at)),
  }
  if (named.size > 0 && filesOf(after).length === 0)
    return no(`the contract of task ${spec.id} would name no file`)
  if (numbers.length > 0 && after.acceptanceCriteria.length === 0)
    return no(`the contract of task ${spec.id} would have no criterion`)
  return { ok: true, spec: after }
}

function criterionAt({ acceptanceCriteria }: TaskSpec, text: string): number {
  const at = acceptanceCriteria.indexOf(text)
  if (at !== -1 || !/^\d+$/.test(text)) return at
  return acceptanceCriteria[Number(text) - 1] === undefined ? -1 : Number(text) - 1
}

/** Their texts, also where they were named by number. */
export function namedCriteria(spec: TaskSpec, { way, criteria }: ContractChange): readonly string[] {
  if (way === 'expand') return criteria
  return criteria.map((text) => spec.acceptanceCriteria[criterionAt(spec, text)] ?? text)
}

const filesOf = ({ files, testsToAdd }: TaskSpec): readonly string[] =>
  [...files.create, ...files.modify, ...files.delete, ...testsToAdd].map(normalPath)

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

/** What a worker has to know of its contract after the change. */
export function changedContractText(spec: TaskSpec, { way, files, criteria }: ContractChange): string {
  const verb = way === 'expand' ? 'now also names' : 'no longer names'
  const named = files.length === 0 ? [] : [`Your contract ${verb} ${files.join(', ')}.`]
  const numbered = spec.acceptanceCriteria.map((text, at) => `${at + 1}. ${text}`).join('; ')
  return [...named, ...(criteria.length === 0 ? [] : [`Its criteria are now: ${numbered}`])].join(' ')
}

/** Whether a test mentions what a criterion asks for, compared by words; in doubt no. */
const LONGEST_CRITERION = 2_000
const LONGEST_TEXT = 256 * 1024

/** The share of a criterion's significant words that a test must contain. */
const ENOUGH = 2 / 3

/** The test must contain quoted values literally, and most of the other words. */
export function isNamedIn(criterion: string, texts: readonly string[]): boolean {
  const asked = criterion.slice(0, LONGEST_CRITERION)
  const text = texts.join('\n').slice(0, LONGEST_TEXT)
  const values = quotedValues(asked)
  if (!values.every((value) => text.includes(value))) return false
  const words = [...new Set(wordsOf(asked).filter(matters).map(stem))]
  if (words.length === 0) return values.length > 0
  const known = new Set(wordsOf(text).map(stem))
  const shared = words.filter((word) => known.has(word)).length
  return shared / words.length >= ENOUGH
}

/** `'a-b'` and `"a-b"`, but not the apostrophe of a word. */
const quotedValues = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w'])'([^'\n]{1,80})'(?!\w)|"([^"\n]{1,80})"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )

const matters = (word: string): boolean => /^\d+$/.test(word) || (word.length > 2 && !COMMON.has(word))

const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word)

const COMMON: ReadonlySet<string> = new Set(
  (
    'the and for are with that this from into when then than not can its has have was were will must should ' +
    'there returns return given each every all any'
  ).split(' '),
)
