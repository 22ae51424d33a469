/** A person widens or narrows the contract of a task that is being worked on. */
import { normalPath } from '../languages/paths.ts'
import type { TaskSpec } from './plan.ts'

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
