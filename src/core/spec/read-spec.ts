/** Reads and checks a spec. Bad input never throws: every mistake is a problem with its line, all at once. */
import { itemOf } from '../planning/readers/markdown/marks.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt, listedProblems } from '../planning/problems.ts'
import { withoutComments, clip } from '../planning/readers/markdown/inline.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { block, readRequirement } from './read-requirement.ts'
import {
  readSpecFrontMatter,
  divideSpec,
  type RequirementSection,
  type SpecSection,
  type SpecSections,
} from './spec-sections.ts'
import { isNone, unescaped } from './spec-markdown.ts'
import { MAX_SPEC_BYTES, specOfOne, type Requirement, type Spec } from './spec.ts'
import { closest } from '../../lib/text/closest.ts'
import { findCycles, graphOf } from '../planning/dependencies/order.ts'

export interface SpecReading {
  /** Null where there is an error. */
  readonly spec: Spec | null
  /** By line; warnings do not make a spec invalid. */
  readonly problems: readonly Problem[]
}

/** `source` names the spec in problems: a path, or where it came from. */
export function readSpec(text: string, source = 'spec'): SpecReading {
  const unreadable = whyUnreadable(text)
  if (unreadable !== null) {
    return { spec: null, problems: [errorAt(source, 1, unreadable.message, unreadable.remedy)] }
  }
  const { lines, notes } = readLines(withoutWrapper(text), MAX_SPEC_BYTES)
  const front = readSpecFrontMatter(source, lines)
  const sections = divideSpec(front.rest)
  const problems: Problem[] = [
    ...notes.map(({ line, message, remedy }) => errorAt(source, line, message, remedy)),
    ...front.problems,
  ]
  const report = (line: number, message: string, remedy: string): void => {
    problems.push(errorAt(source, line, message, remedy))
  }
  const end = lines.at(-1)?.number ?? 1
  const title = readTitle(sections, report)
  const vision = proseOf(sections.named.get('vision'))
  if (vision === '')
    report(sections.named.get('vision')?.line ?? end, 'no vision', 'write ## Vision and what this is for')
  const { inScope, outOfScope } = readScope(sections, end, report)
  for (const { name, line } of sections.repeated) {
    report(line, `the section ${name} is there twice`, 'merge the two')
  }
  const read = requirementSections(sections).map((section) => readRequirement(source, section))
  for (const { problems: found } of read) problems.push(...found)
  if (read.length === 0) {
    const remedy = 'write ## Requirements and below it ### R-001: with a title'
    report(sections.named.get('requirements')?.line ?? end, 'no requirements', remedy)
  }
  const requirements = read.map(({ requirement }) => requirement)
  const places = new Map(read.map(({ requirement, dependsAt }) => [requirement, dependsAt]))
  checkRequirements(requirements, (requirement: Requirement) => places.get(requirement) ?? 1, report)
  const listed = listedProblems(problems, source)
  if (front.fields === null || listed.some(({ severity }) => severity === 'error')) {
    return { spec: null, problems: listed }
  }
  const others = sections.notes.flatMap((section) => {
    const text = proseOf(section)
    return text === '' ? [] : [{ heading: unescaped(section.heading), text }]
  })
  const spec = { ...front.fields, title, vision, inScope, outOfScope, requirements, notes: others }
  return { spec, problems: listed }
}

type Report = (line: number, message: string, remedy: string) => void

function whyUnreadable(text: string): { readonly message: string; readonly remedy: string } | null {
  if (text.length > MAX_SPEC_BYTES || utf8Bytes(text) > MAX_SPEC_BYTES) {
    const remedy = 'split it into several specs, or move background material into other documents'
    return { message: `the spec is larger than ${MAX_SPEC_BYTES / 1024} KB`, remedy }
  }
  if (text.includes('\0')) {
    return { message: 'this is not a text file', remedy: 'pass a spec in Markdown, encoded as UTF-8' }
  }
  if (text.replace(/^\uFEFF/, '').trim() === '') {
    return { message: 'the spec is empty', remedy: 'see docs/spec.md for an example' }
  }
  return null
}

/** A half of a surrogate pair is two bytes of four. */
const utf8Bytes = (text: string): number =>
  text.replace(/[\u0080-\u07FF\uD800-\uDFFF]/g, '..').replace(/[\u0800-\uD7FF\uE000-\uFFFF]/g, '...').length

/** A spec that stands as a whole in one code fence, as models like to answer; the lines keep their numbers. */
function withoutWrapper(text: string): string {
  const match = /^\uFEFF?\s{0,100}(`{3,}|~{3,})(?:markdown|md)?[ \t]{0,20}\r?\n\s{0,100}---/i.exec(text)
  const fence = match?.[1]
  if (fence === undefined) return text
  const trimmed = text.trimEnd()
  const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim()
  if (last !== fence) return text
  const body = trimmed.slice(0, trimmed.lastIndexOf('\n'))
  return body.replace(/^(\uFEFF?\s{0,100})[^\r\n]*/, '$1')
}

function readTitle({ title }: SpecSections, report: Report): string {
  if (title === null || (title.isFeature && title.text === '')) {
    report(
      title?.line ?? 1,
      'no title (# Feature: …)',
      'write # Feature: and a short title below the front matter',
    )
    return ''
  }
  if (!title.isFeature) {
    report(
      title.line,
      'the title does not begin with "# Feature:"',
      `write # Feature: ${title.text.slice(0, 80)}`,
    )
  }
  return unescaped(title.text)
}

function readScope(sections: SpecSections, end: number, report: Report) {
  const [scope, inside, outside] = (['scope', 'in', 'out'] as const).map((part) => sections.named.get(part))
  const inScope = itemsOf(inside)
  const outOfScope = itemsOf(outside)
  const at = scope ?? inside ?? outside
  if (at === undefined) {
    report(end, 'no scope', 'write ## Scope with ### In Scope and ### Out of Scope, each with a list')
  } else if (inside === undefined) {
    report(
      at.line,
      'the scope has no list of what is in scope',
      'write ### In Scope and at least one "- item"',
    )
  } else if (inScope.length === 0) {
    report(inside.line, 'nothing is in scope', 'list at least one item under In Scope')
  }
  return { inScope, outOfScope }
}

/** A heading without an id that has no fields and no check boxes below it only groups requirements, or is a remark. */
function requirementSections({ requirements }: SpecSections): readonly RequirementSection[] {
  return requirements.filter(
    ({ id, lines }) =>
      id !== null ||
      lines.some(({ text }) => itemOf(text)?.isBox === true || /\b(type|priority)\W{0,4}:/i.test(text)),
  )
}

function proseOf(section: SpecSection | undefined): string {
  if (section === undefined) return ''
  return block(section.lines.map(({ text, role }) => (role === 'text' ? unescaped(text.trimEnd()) : text)))
}

/** The items of a list; without bullets, each line is one. */
function itemsOf(section: SpecSection | undefined): readonly string[] {
  if (section === undefined) return []
  const lines = section.lines.filter(({ role }) => role === 'text')
  const hasBullets = lines.some(({ text }) => itemOf(text) !== null)
  const items: string[] = []
  let isOpen = false
  for (const line of lines) {
    const text = withoutComments(line.text)
    const bullet = itemOf(text)
    if (text.trim() === '') isOpen = false
    else if (bullet !== null && (bullet.indent < 2 || !isOpen)) items.push(bullet.text)
    else if (hasBullets && isOpen) items.push(`${items.pop() ?? ''} ${bullet?.text ?? text.trim()}`)
    else if (!hasBullets) items.push(text.trim().replace(/^[•·]\s{0,8}/, ''))
    if (text.trim() !== '') isOpen = items.length > 0
  }
  return items.filter((item) => !isNone(item)).map((item) => unescaped(oneLine(item)))
}

const MOST_IN_MESSAGE = 12

/** What must hold among requirements: unique ids, known dependencies, no cycle. */
function checkRequirements(
  requirements: readonly Requirement[],
  dependsAt: (requirement: Requirement) => number,
  report: (line: number, message: string, remedy: string) => void,
): void {
  const first = new Map<string, Requirement>()
  const free = freeId(requirements)
  for (const requirement of requirements) {
    const { id, line } = requirement
    const known = first.get(id)
    if (known === undefined) first.set(id, requirement)
    else if (id !== '') {
      const message = `the id ${id} is used twice (first in line ${known.line})`
      report(line, message, `give this one the next free id, ${free}`)
    }
  }
  const ids = [...first.keys()].filter((id) => id !== '')
  for (const requirement of requirements) {
    for (const needed of requirement.dependsOn) {
      if (first.has(needed)) continue
      const near = closest(needed, ids)
      const remedy =
        near === null ? `known ids are ${ids.slice(0, MOST_IN_MESSAGE).join(', ')}` : `did you mean ${near}?`
      report(
        dependsAt(requirement),
        `${requirement.id} depends on ${needed}, which is not in this spec`,
        remedy,
      )
    }
  }
  for (const cycle of findCycles(graphOf([...first.values()]))) {
    const places = [...first.values()]
    const names = cycle.flatMap((place) => places[place]?.id ?? [])
    const at = places[cycle[0] ?? 0]
    if (at === undefined) continue
    const shown = names.length > MOST_IN_MESSAGE ? [...names.slice(0, MOST_IN_MESSAGE), '…'] : names
    report(dependsAt(at), `cycle ${[...shown, at.id].join(' → ')}`, 'remove one of these dependencies')
  }
}

function freeId(requirements: readonly Requirement[]): string {
  const highest = Math.max(0, ...requirements.map(({ id }) => Number(/^R-(\d{1,4})$/.exec(id)?.[1] ?? 0)))
  return `R-${String(highest + 1).padStart(3, '0')}`
}

const LONGEST = 20_000
const MOST_CRITERIA = 20
const FALLBACK = 'the commands that build, test and check the project run from a fresh checkout'

/** The set-up that an empty repository needs first. It may be a spec; any other text is one requirement. */
export function readSetUp(text: string): Spec {
  return readSpec(text, 'set-up').spec ?? setUpOf(text.slice(0, LONGEST))
}

function setUpOf(text: string): Spec {
  const bullets = readLines(text).lines.flatMap((line) =>
    line.role === 'text' ? (itemOf(line.text) ?? []) : [],
  )
  const boxes = bullets.filter(({ isBox }) => isBox)
  const items = (boxes.length > 0 ? boxes : bullets).map((item) => clip(unescaped(oneLine(item.text)), 500))
  const criteria = items.filter((item) => !isNone(item)).slice(0, MOST_CRITERIA)
  return specOfOne('Set up the repository', {
    type: 'infrastructure',
    description: clip(text.trim(), 5000),
    criteria: criteria.length === 0 ? [FALLBACK] : criteria,
  })
}
