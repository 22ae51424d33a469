/** Divides the lines below the front matter into title, vision, scope and requirements. */
import type { Line } from '../planning/readers/markdown/lines.ts'
import {
  bulletAt,
  headingAt,
  labelAt,
  labelNamed,
  withoutComments,
  type SpecHeading,
} from './spec-markdown.ts'

export interface SpecSection {
  /** The line of its heading. */
  readonly line: number
  readonly lines: Line[]
}

export interface RequirementSection extends SpecSection {
  /** As written; null for a heading that has none although requirements are expected here. */
  readonly id: string | null
  readonly title: string
}

export interface SpecSections {
  readonly title: { readonly line: number; readonly text: string; readonly isFeature: boolean } | null
  readonly vision: SpecSection | null
  /** Its own heading; the two lists may also stand alone. */
  readonly scope: SpecSection | null
  readonly inScope: SpecSection | null
  readonly outOfScope: SpecSection | null
  /** The heading above the requirements. */
  readonly requirementsAt: number | null
  readonly requirements: readonly RequirementSection[]
  /** Sections of other names, on the level of the vision. */
  readonly notes: readonly (SpecSection & { readonly heading: string })[]
  /** Sections that are there twice. */
  readonly repeated: readonly { readonly name: string; readonly line: number }[]
}

type Part = 'title' | 'vision' | 'scope' | 'in' | 'out' | 'requirements' | 'requirement' | 'note' | 'other'

const FEATURE = /^feature\s{0,8}[:–—-]\s{0,8}(.*)$/is
const VISION = /^(?:product |project )?vision(?: statement)?$/i
const SCOPE = /^(?:project |feature )?scope$/i
const REQUIREMENTS =
  /^(?:(?:functional|non-?functional|technical|detailed|feature|product)\s{1,8})?requirements?$/i
/** An id, with the brackets and quotes that people put around it. */
const REQUIREMENT = /^[[("'`]{0,3}(R-?\d{1,9})(?![\w-])[\])"'`]{0,3}\s{0,8}[:–—.-]?\s{0,8}(.*)$/is
/** `Mandatory prerequisite R-001: Title`, on the level of requirements. */
const AFTER_WORDS = /^[A-Za-z][A-Za-z ]{0,40}[ :](R-?\d{1,9}):\s{0,8}(.*)$/is

interface Building {
  title: SpecSections['title']
  sections: Map<'vision' | 'scope' | 'in' | 'out' | 'requirements', SpecSection>
  requirements: RequirementSection[]
  notes: (SpecSection & { readonly heading: string })[]
  repeated: { name: string; line: number }[]
  part: Part
  /** The level of the heading of the current part. */
  level: number
  into: Line[]
}

export function divideSpec(lines: readonly Line[]): SpecSections {
  const building: Building = {
    title: null,
    sections: new Map(),
    requirements: [],
    notes: [],
    repeated: [],
    part: 'other',
    level: 0,
    into: [],
  }
  for (const line of lines) {
    if (line.role === 'comment') continue
    const heading = line.role === 'text' ? headingAt(withoutComments(line.text)) : null
    if (heading !== null) enterHeading(building, heading, line)
    else if (line.role !== 'text' || !entersScopeLabel(building, line)) building.into.push(line)
  }
  const { sections } = building
  return {
    title: building.title,
    vision: sections.get('vision') ?? null,
    scope: sections.get('scope') ?? null,
    inScope: sections.get('in') ?? null,
    outOfScope: sections.get('out') ?? null,
    requirementsAt: sections.get('requirements')?.line ?? null,
    requirements: building.requirements,
    notes: building.notes,
    repeated: building.repeated,
  }
}

function enterHeading(building: Building, { level, text }: SpecHeading, line: Line): void {
  const name = plainName(text)
  const requirement = REQUIREMENT.exec(text) ?? (level <= 3 ? AFTER_WORDS.exec(text) : null)
  const feature = FEATURE.exec(text)
  const label = labelNamed(name)
  const isInside = building.part === 'requirement' && level > building.level
  if (requirement !== null && level >= 2) {
    const [, id = '', title = ''] = requirement
    const section = { id, title: title.trim(), line: line.number, lines: [] }
    building.requirements.push(section)
    return enter(building, 'requirement', { level, into: section.lines })
  }
  if (isInside) {
    // `#### Acceptance Criteria` is a label of its requirement; other headings are part of its text.
    building.into.push(line)
    return undefined
  }
  if (level <= 2 && feature !== null) {
    if (building.title === null)
      building.title = { line: line.number, text: (feature[1] ?? '').trim(), isFeature: true }
    else building.repeated.push({ name: '# Feature', line: line.number })
    return enter(building, 'title', { level, into: [] })
  }
  if (VISION.test(name)) return enterSection(building, 'vision', { level, line: line.number })
  if (SCOPE.test(name)) return enterSection(building, 'scope', { level, line: line.number })
  if (label === 'in_scope' || label === 'out_of_scope') {
    const part = label === 'in_scope' ? 'in' : 'out'
    if (name.length > 3 || building.part === 'scope' || building.part === 'in' || building.part === 'out')
      return enterSection(building, part, { level, line: line.number })
  }
  if (REQUIREMENTS.test(name)) {
    if (!building.sections.has('requirements')) {
      return enterSection(building, 'requirements', { level, line: line.number })
    }
    return enter(building, 'requirements', { level, into: [] })
  }
  if (level === 1 && building.title === null) {
    building.title = { line: line.number, text, isFeature: false }
    return enter(building, 'title', { level, into: [] })
  }
  const isAmongRequirements = building.part === 'requirement' || building.part === 'requirements'
  if (isAmongRequirements && level >= 3) {
    const section = { id: null, title: text, line: line.number, lines: [] }
    building.requirements.push(section)
    return enter(building, 'requirement', { level, into: section.lines })
  }
  if (building.part === 'note' && level > building.level) {
    building.into.push(line)
    return undefined
  }
  if (level > 2) return enter(building, 'other', { level, into: [] })
  const note = { heading: text, line: line.number, lines: [] }
  building.notes.push(note)
  return enter(building, 'note', { level, into: note.lines })
}

function enter(
  building: Building,
  part: Part,
  { level, into }: { readonly level: number; readonly into: Line[] },
): void {
  building.part = part
  building.level = level
  building.into = into
}

type Named = 'vision' | 'scope' | 'in' | 'out' | 'requirements'
const NAMES: Readonly<Record<Named, string>> = {
  vision: 'Vision',
  scope: 'Scope',
  in: 'In Scope',
  out: 'Out of Scope',
  requirements: 'Requirements',
}

function enterSection(
  building: Building,
  part: Named,
  { level, line }: { readonly level: number; readonly line: number },
): void {
  const known = building.sections.get(part)
  const section = known ?? { line, lines: [] }
  if (known === undefined) building.sections.set(part, section)
  else building.repeated.push({ name: NAMES[part], line })
  enter(building, part, { level, into: section.lines })
}

/** `**In Scope:**` as a line of the Scope section. */
function entersScopeLabel(building: Building, line: Line): boolean {
  if (building.part !== 'scope' && building.part !== 'in' && building.part !== 'out') return false
  const labelled = bulletAt(line.text) === null ? labelAt(withoutComments(line.text)) : null
  if (labelled?.label !== 'in_scope' && labelled?.label !== 'out_of_scope') return false
  const part = labelled.label === 'in_scope' ? 'in' : 'out'
  enterSection(building, part, { level: building.level, line: line.number })
  if (labelled.rest !== '') building.into.push({ ...line, text: labelled.rest })
  return true
}

/** `1. Vision:` is "Vision". */
const plainName = (text: string): string =>
  text
    .replace(/^\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s{1,8}/, '')
    .replace(/[:\s]{1,8}$/, '')
    .trim()
