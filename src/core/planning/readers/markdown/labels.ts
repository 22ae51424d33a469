/** Parses `**Label:** text` in its many spellings; the table of known labels. */
import { plainText } from './inline.ts'

export type LabelName =
  | 'files'
  | 'files_create'
  | 'files_modify'
  | 'files_delete'
  | 'files_test'
  | 'depends_on'
  | 'ownership'
  | 'tier'
  | 'layer'
  | 'acceptance_criteria'
  | 'non_goals'
  | 'tests_to_add'
  | 'tests_to_run'
  | 'time_budget'
  | 'security_flags'
  | 'interfaces'
  | 'held_out'
  | 'gates'
  | 'breaking_change'
  | 'status'
  | 'commit'
  | 'run'
  | 'expected'
  | 'check'
  | 'goal'
  | 'architecture'
  | 'tech_stack'
  | 'design'
  | 'constraints'

export interface Label {
  readonly name: LabelName
  /** As the author wrote it. */
  readonly written: string
  /** The text after the colon on the same line. */
  readonly rest: string
  /** In bold: certainly a label, not the beginning of a sentence. */
  readonly bold: boolean
}

const NAMES: Readonly<Record<LabelName, readonly string[]>> = {
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
  status: ['status'],
  commit: ['commit', 'commit message', 'commit subject'],
  run: ['run'],
  expected: ['expected', 'expect', 'expected output', 'expected outputs', 'expected result'],
  check: ['check', 'verify', 'verification', 'test', 'validate', 'validation'],
  goal: ['goal', 'goals', 'objective'],
  architecture: ['architecture', 'approach'],
  tech_stack: ['tech stack', 'stack', 'technology', 'technologies'],
  design: ['design doc', 'design document', 'design spec', 'design', 'spec', 'specification'],
  constraints: ['global constraints', 'constraints', 'global constraint'],
}

const BY_WORDS: ReadonlyMap<string, LabelName> = new Map(
  Object.entries(NAMES).flatMap(([name, words]) => words.map((word) => [word, name as LabelName] as const)),
)
const LONGEST = 40

/** The known label a text starts with; null for any other text. */
export function labelOf(text: string): Label | null {
  const bold = /^(?:\*\*|__|\*|_)/.exec(text)?.[0] ?? ''
  const head = text.slice(bold.length, bold.length + LONGEST)
  const match =
    bold === ''
      ? /^([A-Za-z][A-Za-z -]{1,30}):/.exec(head)
      : /^([A-Za-z][A-Za-z -]{1,30}?)(:?)(\*\*|__|\*|_)(:?)/.exec(head)
  const written = match?.[1]
  if (match === null || written === undefined) return null
  if (bold !== '' && (match[3] !== bold || `${match[2]}${match[4]}` === '')) {
    return bold !== '' && match[3] === bold ? bareLabel(text, written, bold.length + match[0].length) : null
  }
  const name = nameOf(written)
  const rest = text.slice(bold.length + match[0].length).trim()
  return name === undefined ? null : { name, written, rest, bold: bold !== '' }
}

/** `**Files**` alone on its line is a label too. */
function bareLabel(text: string, written: string, end: number): Label | null {
  const name = nameOf(written)
  return name === undefined || text.slice(end).trim() !== '' ? null : { name, written, rest: '', bold: true }
}

/** The label a heading names: `#### Acceptance Criteria`. */
export function labelOfHeading(text: string): LabelName | undefined {
  const plain = plainText(text)
  return nameOf(plain.endsWith(':') ? plain.slice(0, -1) : plain)
}

function nameOf(text: string): LabelName | undefined {
  return BY_WORDS.get(text.trim().toLowerCase())
}
