/** Reads and checks a spec. Bad input never throws: every mistake is a problem with its line, all at once. */
import { oneLine } from '../../lib/text/one-line.ts'
import type { Problem } from '../planning/plan.ts'
import { errorAt, listedProblems } from '../planning/problems.ts'
import { readLines } from '../planning/readers/markdown/lines.ts'
import { checkRequirements } from './check-requirements.ts'
import { block, readRequirement } from './read-requirement.ts'
import { readSpecFrontMatter } from './spec-front-matter.ts'
import { bulletAt, isNone, unescaped, withoutComments } from './spec-markdown.ts'
import { divideSpec, type RequirementSection, type SpecSection, type SpecSections } from './spec-sections.ts'
import { MAX_SPEC_BYTES, type Requirement, type Spec } from './spec.ts'

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
  const vision = proseOf(sections.vision)
  if (vision === '') report(sections.vision?.line ?? end, 'no vision', 'write ## Vision and what this is for')
  const { inScope, outOfScope } = readScope(sections, end, report)
  for (const { name, line } of sections.repeated) {
    report(line, `the section ${name} is there twice`, 'merge the two')
  }
  const read = requirementSections(sections).map((section) => readRequirement(source, section))
  for (const { problems: found } of read) problems.push(...found)
  if (read.length === 0) {
    const remedy = 'write ## Requirements and below it ### R-001: with a title'
    report(sections.requirementsAt ?? end, 'no requirements', remedy)
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

function utf8Bytes(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4
  }
  return bytes
}

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
  const inScope = itemsOf(sections.inScope)
  const outOfScope = itemsOf(sections.outOfScope)
  const scope = sections.scope ?? sections.inScope ?? sections.outOfScope
  if (scope === null) {
    report(end, 'no scope', 'write ## Scope with ### In Scope and ### Out of Scope, each with a list')
  } else if (sections.inScope === null) {
    report(
      scope.line,
      'the scope has no list of what is in scope',
      'write ### In Scope and at least one "- item"',
    )
  } else if (inScope.length === 0) {
    report(sections.inScope.line, 'nothing is in scope', 'list at least one item under In Scope')
  }
  return { inScope, outOfScope }
}

/** A heading without an id that has no fields and no check boxes below it only groups requirements, or is a remark. */
function requirementSections({ requirements }: SpecSections): readonly RequirementSection[] {
  return requirements.filter(
    ({ id, lines }) =>
      id !== null ||
      lines.some(({ text }) => bulletAt(text)?.box === true || /\b(type|priority)\W{0,4}:/i.test(text)),
  )
}

function proseOf(section: SpecSection | null): string {
  if (section === null) return ''
  return block(section.lines.map(({ text, role }) => (role === 'text' ? unescaped(text.trimEnd()) : text)))
}

/** The items of a list; without bullets, each line is one. */
function itemsOf(section: SpecSection | null): readonly string[] {
  if (section === null) return []
  const lines = section.lines.filter(({ role }) => role === 'text')
  const hasBullets = lines.some(({ text }) => bulletAt(text) !== null)
  const items: string[] = []
  let isOpen = false
  for (const line of lines) {
    const text = withoutComments(line.text)
    const bullet = bulletAt(text)
    if (text.trim() === '') isOpen = false
    else if (bullet !== null && (bullet.indent < 2 || !isOpen)) items.push(bullet.text)
    else if (hasBullets && isOpen) items.push(`${items.pop() ?? ''} ${bullet?.text ?? text.trim()}`)
    else if (!hasBullets) items.push(text.trim().replace(/^[•·]\s{0,8}/, ''))
    if (text.trim() !== '') isOpen = items.length > 0
  }
  return items.filter((item) => !isNone(item)).map((item) => unescaped(oneLine(item)))
}
