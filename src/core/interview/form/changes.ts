/** Changes of a spec that name a requirement ("drop R-002", "R-003 could"), and how they are made. */
import type { Requirement, Spec, SpecPriority } from '../../spec/spec.ts'
import { criterionFrom } from './criterion.ts'
import { capitalised, hasWords, plainLine, withoutStop } from './plain-text.ts'

export type Change =
  | { readonly kind: 'remove'; readonly id: string }
  /** Of one requirement, or of the whole spec. */
  | { readonly kind: 'priority'; readonly id: string | null; readonly priority: SpecPriority }
  | { readonly kind: 'title'; readonly id: string | null; readonly text: string }
  | { readonly kind: 'rewrite'; readonly id: string; readonly text: string }
  | { readonly kind: 'add_criterion'; readonly id: string; readonly text: string }
  /** `at` counts from 0; without a text the criterion goes, unless it is the only one. */
  | { readonly kind: 'criterion'; readonly id: string; readonly at: number; readonly text: string | null }
  | { readonly kind: 'independent'; readonly id: string }
  | { readonly kind: 'out_of_scope'; readonly text: string }
  /** What was out of scope is built after all. */
  | { readonly kind: 'in_scope'; readonly text: string }
  /** Words that left something open, and what takes their place. */
  | { readonly kind: 'settle'; readonly id: string | null; readonly old: string; readonly text: string }

const ID = String.raw`(R-\d{1,6})`
const PRIORITY = String.raw`(must|should|could)(?:[ -]have)?`

type Reader = (found: RegExpExecArray) => Change | null

const idOf = (found: RegExpExecArray, group = 1): string => (found[group] ?? '').toUpperCase()
const text = (found: RegExpExecArray, group: number): string =>
  withoutStop(plainLine(found[group] ?? '', 300))
const priorityOf = (found: RegExpExecArray, group: number): SpecPriority => {
  const word = (found[group] ?? '').toLowerCase()
  return word === 'could' || word === 'should' ? word : 'must'
}

const READERS: readonly (readonly [RegExp, Reader])[] = [
  [
    new RegExp(
      String.raw`^(?:please )?(?:remove|drop|delete|leave out|forget|skip|cut|without|no|streiche?|entferne)\s+(?:requirement\s+)?${ID}\b`,
      'i',
    ),
    (found) => ({ kind: 'remove', id: idOf(found) }),
  ],
  [
    new RegExp(String.raw`^${ID}\s+(?:can go|is not needed|isn't needed|is unnecessary|should go)\b`, 'i'),
    (found) => ({ kind: 'remove', id: idOf(found) }),
  ],
  [
    new RegExp(
      String.raw`^(?:make |set )?${ID}(?:'s priority| priority)?\s*(?:is|to|=|:|should be|as|a)*\s*(?:an?\s+)?${PRIORITY}\s*$`,
      'i',
    ),
    (found) => ({ kind: 'priority', id: idOf(found), priority: priorityOf(found, 2) }),
  ],
  [
    new RegExp(
      String.raw`^(?:the )?(?:overall |spec )?priority\s*(?:is|to|=|:|should be)?\s*${PRIORITY}\s*$`,
      'i',
    ),
    (found) => ({ kind: 'priority', id: null, priority: priorityOf(found, 1) }),
  ],
  [
    new RegExp(String.raw`^(?:rename|retitle|call)\s+${ID}\s+(?:to\s+|as\s+)?(.{2,})$`, 'i'),
    (found) => ({ kind: 'title', id: idOf(found), text: text(found, 2) }),
  ],
  [
    /^(?:rename (?:it|the spec|the feature)(?: to)?|call it|(?:the )?title(?: is| should be)?\s*[:=]?|change the title to)\s+["']?(.{2,}?)["']?$/i,
    (found) => ({ kind: 'title', id: null, text: text(found, 1) }),
  ],
  [
    new RegExp(
      String.raw`^(?:add (?:a )?(?:criterion )?(?:to|for)\s+)?${ID}\s*(?:[:,-]\s*)?(?:also|additionally|needs|plus|auch)\s+(.{2,})$`,
      'i',
    ),
    (found) => ({ kind: 'add_criterion', id: idOf(found), text: text(found, 2) }),
  ],
  [
    new RegExp(String.raw`^add (?:a )?(?:criterion )?(?:to|for)\s+${ID}\s*[:,-]?\s*(.{2,})$`, 'i'),
    (found) => ({ kind: 'add_criterion', id: idOf(found), text: text(found, 2) }),
  ],
  [
    new RegExp(
      String.raw`^(?:change|rewrite|replace|ändere)?\s*${ID}\s*(?:(?:to|into|with|by|zu|in)\s+|[:=-]\s*|should (?:be|read)\s+)(.{2,})$`,
      'i',
    ),
    (found) => ({ kind: 'rewrite', id: idOf(found), text: text(found, 2) }),
  ],
]

/** The change that a sentence asks for; null where it names no requirement, priority or title. */
export function changeIn(sentence: string): Change | null {
  const plain = withoutStop(sentence.trim())
  for (const [pattern, read] of READERS) {
    const found = pattern.exec(plain)
    const change = found === null ? null : read(found)
    if (change !== null && (!('text' in change) || hasWords(change.text ?? ''))) return change
  }
  return null
}

/** One line about a change, for the user; null where it names a requirement that is not there. */
export function describeChange(change: Change, spec: Spec): string | null {
  const { requirements } = spec
  if ('id' in change && change.id !== null && !requirements.some(({ id }) => id === change.id)) return null
  switch (change.kind) {
    case 'remove':
      return `${change.id} is gone`
    case 'priority':
      return change.id === null ? `priority: ${change.priority}` : `${change.id} is a "${change.priority}"`
    case 'title':
      return `${change.id ?? 'the title'} is now "${change.text}"`
    case 'rewrite':
      return `${change.id} is rewritten`
    case 'add_criterion':
      return `${change.id} has a criterion more`
    case 'criterion':
      return change.text === null
        ? `a criterion of ${change.id} is gone`
        : `a criterion of ${change.id} is measurable now`
    case 'independent':
      return `${change.id} depends on nothing any more`
    case 'out_of_scope':
      return `out of scope: ${change.text}`
    case 'in_scope':
      return `in scope after all: ${change.text}`
    case 'settle':
      return `${change.id ?? 'the spec'} says now: ${change.text}`
  }
}

/** A change that cannot be made, such as removing the last requirement, leaves the spec as it is. */
export function applyChange(spec: Spec, change: Change): Spec {
  switch (change.kind) {
    case 'remove': {
      const requirements = spec.requirements
        .filter(({ id }) => id !== change.id)
        .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((id) => id !== change.id) }))
      const gone = spec.requirements.find(({ id }) => id === change.id)
      if (gone === undefined || requirements.length === 0) return spec
      const inScope = spec.inScope.filter((item) => item !== gone.title)
      return {
        ...spec,
        requirements,
        inScope: inScope.length === 0 ? requirements.map(({ title }) => title) : inScope,
      }
    }
    case 'priority':
      if (change.id === null) return { ...spec, priority: change.priority }
      return edited(spec, change.id, (one) => ({ ...one, priority: change.priority }))
    case 'title':
      if (change.id === null) return { ...spec, title: capitalised(change.text) }
      return retitled(spec, change.id, change.text)
    case 'rewrite':
      return edited(retitled(spec, change.id, titleFrom(change.text)), change.id, (one) => ({
        ...one,
        description: `${capitalised(change.text)}.`,
        criteria: [criterionFrom(change.text)],
      }))
    case 'add_criterion':
      return edited(spec, change.id, (one) => ({
        ...one,
        criteria: unique([...one.criteria, criterionFrom(change.text)]),
      }))
    case 'criterion':
      return edited(spec, change.id, (one) => {
        const criteria = one.criteria.flatMap((text, at) =>
          at !== change.at ? [text] : change.text === null ? [] : [capitalised(change.text)],
        )
        return criteria.length === 0 ? one : { ...one, criteria: unique(criteria) }
      })
    case 'independent':
      return edited(spec, change.id, (one) => ({ ...one, dependsOn: [] }))
    case 'out_of_scope':
      return { ...spec, outOfScope: unique([...spec.outOfScope, change.text]) }
    case 'in_scope':
      return { ...spec, outOfScope: spec.outOfScope.filter((item) => item !== change.text) }
    case 'settle':
      return settled(spec, change)
  }
}

/** Replaces the words wherever they stand; where they stand nowhere, what was decided is a criterion. */
function settled(spec: Spec, { id, old, text }: Extract<Change, { kind: 'settle' }>): Spec {
  const put = (where: string): string => (where.includes(old) ? where.replaceAll(old, () => text) : where)
  const rewritten = (one: Requirement): Requirement => {
    const title = capitalised(put(one.title))
    const description = capitalised(put(one.description))
    const criteria = unique(one.criteria.map(put))
    const isChanged =
      title !== one.title || description !== one.description || criteria.join() !== one.criteria.join()
    return isChanged
      ? { ...one, title, description, criteria }
      : { ...one, criteria: unique([...one.criteria, capitalised(text)]) }
  }
  const known =
    id ?? spec.requirements.find((one) => JSON.stringify(one).includes(JSON.stringify(old).slice(1, -1)))?.id
  const first = known ?? spec.requirements[0]?.id
  const inScope = spec.inScope.map(put)
  return first === undefined
    ? spec
    : edited(
        { ...spec, title: capitalised(put(spec.title)), inScope, vision: put(spec.vision) },
        first,
        rewritten,
      )
}

const LONGEST_TITLE = 80

/** The first clause of a wish. */
export function titleFrom(wish: string): string {
  const whole = withoutStop(wish)
    .replace(STORY_HEAD, '')
    .replace(/^an?\s+(?=\S)/i, '')
  const first = whole.split(CLAUSE)[0] ?? whole
  return capitalised(plainLine(first.split(' ').length < 2 ? whole : first, LONGEST_TITLE))
}

/** "As a teacher, I want to export grades" is called "Export grades". */
const STORY_HEAD =
  /^as (?:an?|the) .{2,40}?,? (?:i|we) (?:(?:want|would like|'d like|need|wish)(?: to be able)? to |should be able to |can |must )?(?=\S)/i

const CLAUSE =
  /\s+(?:so that|because|in order to|where|which|in which|that lets?|damit|weil)\s|(?<=\w{3})[:;]\s|\s[–—]\s/

function edited(spec: Spec, id: string, edit: (one: Requirement) => Requirement): Spec {
  return { ...spec, requirements: spec.requirements.map((one) => (one.id === id ? edit(one) : one)) }
}

function retitled(spec: Spec, id: string, title: string): Spec {
  const before = spec.requirements.find((one) => one.id === id)?.title
  const named = capitalised(title)
  const inScope = spec.inScope.map((item) => (item === before ? named : item))
  return edited({ ...spec, inScope }, id, (one) => ({ ...one, title: named }))
}

export const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
