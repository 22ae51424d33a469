/** Parses `**Label:** text` in its many spellings; the table of known labels. */
import { plainText } from './inline.ts'
import { keyByWord } from '../key-by-word.ts'

/** Labels whose text and list form one field of a task, with their spellings. */
const FIELD_LABELS = {
  files: [
    'files',
    'file',
    'files touched',
    'affected files',
    'files to change',
    'files to touch',
    'write scope',
  ],
  files_create: ['files to create', 'create', 'creates', 'new files'],
  files_modify: ['files to modify', 'modify', 'modifies', 'modified files', 'update', 'updates'],
  files_delete: ['files to delete', 'delete', 'deletes', 'remove', 'deleted files'],
  files_test: ['test files', 'test file'],
  depends_on: ['depends on', 'dependencies', 'dependency', 'depends', 'blocked by'],
  ownership: ['ownership', 'area', 'ownership area'],
  tier: ['tier', 'risk', 'risk tier', 'risk level'],
  layer: ['layer'],
  acceptance_criteria: [
    'acceptance criteria',
    'acceptance criterion',
    'acceptance',
    'done when',
    'definition of done',
    'success criteria',
  ],
  non_goals: ['non-goals', 'non goals', 'nongoals', 'out of scope', 'not in scope'],
  tests_to_add: ['tests to add', 'tests to write', 'new tests'],
  tests_to_run: ['tests to run', 'test command', 'test commands'],
  time_budget: ['time budget', 'timebox', 'time box'],
  security_flags: ['security flags', 'security flag'],
  interfaces: ['interfaces', 'interface'],
  held_out: ['held out', 'held-out', 'held-out checks', 'held out checks'],
  gates: ['gates'],
  breaking_change: ['breaking change'],
  red_on_base: ['red on base', 'red on the base'],
} satisfies Record<string, readonly string[]>

const STEP_LABELS = {
  status: ['status'],
  commit: ['commit', 'commit message', 'commit subject'],
  run: ['run'],
  expected: ['expected', 'expect', 'expected output', 'expected outputs', 'expected result'],
  check: ['check', 'verify', 'verification', 'test', 'validate', 'validation'],
} satisfies Record<string, readonly string[]>

const HEADER_LABELS = {
  goal: ['goal', 'goals', 'objective'],
  architecture: ['architecture', 'approach'],
  tech_stack: ['tech stack', 'stack', 'technology', 'technologies'],
  design: ['design doc', 'design document', 'design spec', 'design', 'spec', 'specification'],
  constraints: ['global constraints', 'constraints', 'global constraint'],
} satisfies Record<string, readonly string[]>

export type FieldName = keyof typeof FIELD_LABELS
export type HeaderName = keyof typeof HEADER_LABELS
export type LabelName = FieldName | HeaderName | keyof typeof STEP_LABELS

export const isFieldLabel = (name: LabelName): name is FieldName => Object.hasOwn(FIELD_LABELS, name)
export const isHeaderLabel = (name: LabelName): name is HeaderName => Object.hasOwn(HEADER_LABELS, name)

export interface Label {
  readonly name: LabelName
  /** As the author wrote it. */
  readonly written: string
  /** The text after the colon on the same line. */
  readonly rest: string
  /** In bold: certainly a label, not the beginning of a sentence. */
  readonly bold: boolean
}

const BY_SPELLING = keyByWord<LabelName>({ ...FIELD_LABELS, ...STEP_LABELS, ...HEADER_LABELS })

/** The marks around a label, its text, and its colon inside or outside of them. */
const MARKED = /^(\*\*|__|\*|_)([A-Za-z][A-Za-z -]{1,30}?):?\1(?!\1):?/
const PLAIN = /^()([A-Za-z][A-Za-z -]{1,30}):/

/** The known label a text starts with; null for any other text. */
export function labelOf(text: string): Label | null {
  const [whole = '', marks, written = ''] = MARKED.exec(text) ?? PLAIN.exec(text) ?? []
  const name = nameOf(written)
  const rest = text.slice(whole.length).trim()
  // Without a colon, `**Files**` is a label only where it is alone on its line.
  if (name === undefined || (rest !== '' && !whole.includes(':'))) return null
  return { name, written, rest, bold: marks !== '' }
}

/** The label a heading names: `#### Acceptance Criteria`. */
export function labelOfHeading(text: string): LabelName | undefined {
  const plain = plainText(text)
  return nameOf(plain.endsWith(':') ? plain.slice(0, -1) : plain)
}

function nameOf(text: string): LabelName | undefined {
  return BY_SPELLING.get(text.trim().toLowerCase())
}
