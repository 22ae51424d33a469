/** The labels of a Markdown plan, and how the text and the list under a task's label become a field of the draft. */
import { durationMs } from '../../../settings/duration.ts'
import type { DraftFiles, DraftTask, InCamelCase, PlainField } from '../../draft.ts'
import { GATE_KINDS, type RemovedStep, type Tier } from '../../plan.ts'
import type { Note } from '../../problems.ts'
import { removedStep, siftCommands } from '../commands/removal.ts'
import { securityFlagOf, type FileTask } from '../yaml-schema.ts'
import { draftFiles, pathsIn, readFileItem, type FileAction, type FileEntry } from './file-list.ts'
import { codeSpans, linkText, plainText, withoutParens } from './inline.ts'
import { labelReader, type LabelIn } from './marks.ts'

/** Labels whose text and list form one field of a task, with their spellings. */
const FIELD_LABELS = {
  files: 'files|file|files touched|affected files|files to change|files to touch|write scope',
  files_create: 'files to create|create|creates|new files',
  files_modify: 'files to modify|modify|modifies|modified files|update|updates',
  files_delete: 'files to delete|delete|deletes|remove|deleted files',
  files_test: 'test files|test file',
  depends_on: 'depends on|dependencies|dependency|depends|blocked by',
  ownership: 'ownership|area|ownership area',
  tier: 'tier|risk|risk tier|risk level',
  layer: 'layer',
  acceptance_criteria:
    'acceptance criteria|acceptance criterion|acceptance|done when|definition of done|success criteria',
  non_goals: 'non-goals|non goals|nongoals|out of scope|not in scope',
  tests_to_add: 'tests to add|tests to write|new tests',
  tests_to_run: 'tests to run|test command|test commands',
  time_budget: 'time budget|timebox|time box',
  security_flags: 'security flags|security flag',
  interfaces: 'interfaces|interface',
  held_out: 'held out|held-out|held-out checks|held out checks',
  gates: 'gates',
  breaking_change: 'breaking change',
  red_on_base: 'red on base|red on the base',
} as const

const STEP_LABELS = {
  status: 'status',
  commit: 'commit|commit message|commit subject',
  run: 'run',
  expected: 'expected|expect|expected output|expected outputs|expected result',
  check: 'check|verify|verification|test|validate|validation',
} as const

const HEADER_LABELS = {
  goal: 'goal|goals|objective',
  architecture: 'architecture|approach',
  tech_stack: 'tech stack|stack|technology|technologies',
  design: 'design doc|design document|design spec|design|spec|specification',
  constraints: 'global constraints|constraints|global constraint',
} as const

export type FieldName = keyof typeof FIELD_LABELS
export type HeaderName = keyof typeof HEADER_LABELS
export type LabelName = FieldName | HeaderName | keyof typeof STEP_LABELS
export type Label = LabelIn<LabelName>

export const isFieldLabel = (name: LabelName): name is FieldName => Object.hasOwn(FIELD_LABELS, name)
export const isHeaderLabel = (name: LabelName): name is HeaderName => Object.hasOwn(HEADER_LABELS, name)

/** `labelOf`: the known label a text starts with; `labelOfHeading`: the one a heading names. */
export const { labelOf, labelOfHeading } = labelReader<LabelName>({
  ...FIELD_LABELS,
  ...STEP_LABELS,
  ...HEADER_LABELS,
})

export interface FieldText {
  readonly name: FieldName
  readonly line: number
  /** The text after the label, then the items below it, each with its line. */
  readonly texts: { readonly text: string; readonly line: number }[]
}

/** The fields of a task that labels give. */
type Fields = InCamelCase<Pick<FileTask, PlainField>> &
  Pick<DraftTask, 'files' | 'dependsOn' | 'gates' | 'timeBudgetMs' | 'testsToRun'>

export interface FieldsRead {
  readonly fields: Fields
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
}

/** Converts the texts under a task's labels to values. Unreadable ones are reported and left out. */
export function readFields(found: readonly FieldText[], task: string): FieldsRead {
  const notes: Note[] = []
  const removed: RemovedStep[] = []
  const all = (name: FieldName): readonly FieldText[] | undefined => {
    const fields = found.filter((field) => field.name === name)
    return fields.length === 0 ? undefined : fields
  }
  const list = (name: FieldName) => all(name)?.flatMap(listOf)
  const one = <T>(name: FieldName, read: (text: string) => T | null, remedy: string): T | undefined => {
    const [field] = all(name) ?? []
    const text = field?.texts.find((candidate) => candidate.text !== '')?.text
    if (field === undefined || text === undefined) return undefined
    const value = read(text)
    if (value === null)
      notes.push({ line: field.line, message: `cannot read ${name} "${text}" of task ${task}`, remedy })
    return value ?? undefined
  }
  const valuesOf = <T>(name: FieldName, read: (word: string) => T | null, remedy: string) =>
    all(name)?.[0]
      ?.texts.flatMap(({ text }) => wordList(text))
      .flatMap((word) => {
        const value = read(word)
        if (value !== null) return [value]
        const message = `${name} of task ${task} has the unknown value "${word}"`
        notes.push({ line: all(name)?.[0]?.line ?? 1, message, remedy })
        return []
      })
  return {
    fields: {
      files: filesOf(found, task, removed),
      dependsOn: dependsOn(all('depends_on'), task, notes),
      ownership: one('ownership', plainWords, 'name the area'),
      tier: one('tier', tierIn, 'write critical, normal or low'),
      layer: one('layer', plainWords, 'name the layer'),
      acceptanceCriteria: list('acceptance_criteria'),
      nonGoals: list('non_goals'),
      testsToAdd: all('tests_to_add')?.flatMap(({ texts }) => texts.flatMap(({ text }) => testPaths(text))),
      testsToRun: all('tests_to_run')?.flatMap((field) => commandsOf(field, task, removed)),
      timeBudgetMs: one('time_budget', timeBudgetIn, 'write a duration, for example 30m'),
      securityFlags: valuesOf('security_flags', securityFlagOf, 'write auth, schema, billing or secrets'),
      interfaces: list('interfaces'),
      heldOut: list('held_out'),
      gates: valuesOf(
        'gates',
        (word) => GATE_KINDS.find((gate) => gate === word.toLowerCase()) ?? null,
        `write ${GATE_KINDS.join(', ')}`,
      ),
      breakingChange: one('breaking_change', yesOrNo, 'write yes or no'),
      redOnBase: one('red_on_base', yesOrNo, 'write yes or no'),
    },
    removed,
    notes,
  }
}

const NOTHING =
  /^(none|no|n\/a|na|nothing|nil|-|—|–|\[\]|no dependencies|no other tasks)\b[.\s]{0,4}$|^(none|nothing|n\/a|—|-|\[\])/i
const isNone = (text: string): boolean => NOTHING.test(plainText(text).trim())

/** A list written on one line ends at semicolons; a sentence with commas stays whole. */
function listOf({ texts }: FieldText): readonly string[] {
  const [only = { text: '' }, ...more] = texts
  const inner = /^\[(.*)\]$/s.exec(only.text.trim())?.[1] ?? only.text
  const listed = more.length > 0 ? texts.map(({ text }) => text) : inner.split(';').map((text) => text.trim())
  return listed.filter((text) => text !== '' && !isNone(text))
}

/** Words separated by commas, without backticks. */
function wordList(text: string): string[] {
  if (isNone(text)) return []
  return (/^\[(.*)\]$/s.exec(text.trim())?.[1] ?? text)
    .split(/[,;]|\sand\s/)
    .map((word) => word.trim().replace(/^[`"']|[`"'.]$/g, ''))
    .filter((word) => word !== '')
}

function plainWords(text: string): string | null {
  const plain = plainText(text).replaceAll('`', '').trim()
  return plain === '' ? null : plain
}

function testPaths(text: string): string[] {
  const found = pathsIn(text)
  return found.length > 0 || text === '' || isNone(text) ? found : [plainText(linkText(text))]
}

function commandsOf({ texts, line }: FieldText, task: string, removed: RemovedStep[]): string[] {
  return texts.flatMap(({ text }) => {
    if (text === '' || isNone(text)) return []
    const spans = text.includes('\n') ? [] : codeSpans(text).map((span) => span.code)
    return (spans.length > 0 ? spans : [text]).flatMap((command) => {
      const sift = siftCommands(command, line)
      for (const gone of sift.removed) removed.push(removedStep(task, { ...gone, line }))
      return sift.kept === '' ? [] : [sift.kept]
    })
  })
}

const TIERS: Readonly<Record<string, Tier>> = {
  critical: 'critical',
  high: 'critical',
  normal: 'normal',
  medium: 'normal',
  moderate: 'normal',
  low: 'low',
}

export function tierIn(text: string): Tier | null {
  const word = /^[A-Za-z]{1,12}/.exec(plainText(text).replaceAll('`', ''))?.[0].toLowerCase() ?? ''
  return Object.hasOwn(TIERS, word) ? (TIERS[word] ?? null) : null
}

const UNITS: Readonly<Record<string, string>> = { sec: 's', min: 'm', hr: 'h' }

/** `30m` as in bosun.yaml, and also `30 minutes` or `2 hours`. */
function timeBudgetIn(text: string): number | null {
  const plain = plainText(text).replaceAll('`', '').trim().toLowerCase()
  const [, amount = '', unit = ''] =
    /^~?(\d{1,9})\s?(ms|s|m|h|sec|min|hr)(?:s|onds?|utes?|ours?)?\b/.exec(plain) ?? []
  return durationMs(`${amount}${UNITS[unit] ?? unit}`) || null
}

function yesOrNo(text: string): boolean | null {
  const word = plainText(text).toLowerCase()
  if (/^(yes|true)\b/.test(word)) return true
  return /^(no|none|false)\b/.test(word) ? false : null
}

const ID =
  /^[#`"'[]{0,3}((?:[A-Za-z]{1,8}[-_]?)?\d{1,9}[A-Za-z]?(?:[._-]\d{1,9}[A-Za-z]?){0,6}|[A-Z])(?![\w])/

/** `Task 3, Task 4`, `#3 and 4`, `T-01 + T-02`, `Tasks 1-3`, `none`; `unread` are the parts that are not tasks. */
export function dependenciesIn(text: string): {
  readonly ids: readonly string[]
  readonly unread: readonly string[]
} {
  const plain = withoutParens(plainText(text)).trim()
  if (plain === '' || isNone(plain)) return { ids: [], unread: [] }
  const ids: string[] = []
  const unread: string[] = []
  for (const part of plain.split(/[,;&+]|\sand\s|\splus\s/i)) {
    const word = part
      .trim()
      .replace(/^(?:and\s|the\s)/i, '')
      .replace(/^tasks?\b[\s:#]{0,8}/i, '')
    if (word === '' || word === '.') continue
    const range = /^#?(\d{1,5})\s?(?:-|–|—|\.\.|to|through)\s?#?(\d{1,5})(?![\w.])/i.exec(word)
    const id = ID.exec(word)?.[1]
    if (range !== null) ids.push(...numbersBetween(Number(range[1]), Number(range[2])))
    else if (id !== undefined) ids.push(id)
    else unread.push(part.trim())
  }
  return { ids: [...new Set(ids)], unread }
}

/** Longer ranges are mistakes: only their ends are kept. */
function numbersBetween(from: number, to: number): string[] {
  if (to < from || to - from > 1000) return [String(from), String(to)]
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

function dependsOn(
  fields: readonly FieldText[] | undefined,
  task: string,
  notes: Note[],
): DraftTask['dependsOn'] {
  const [first] = fields ?? []
  if (fields === undefined || first === undefined) return undefined
  const read = fields.flatMap(({ texts }) => texts.map(({ text }) => dependenciesIn(text)))
  for (const part of read.flatMap(({ unread }) => unread)) {
    notes.push({
      line: first.line,
      message: `task ${task} depends on "${part}", which is not a task`,
      remedy: 'name tasks by their id, like: Depends on: Task 3, Task 4',
    })
  }
  const ids = [...new Set(read.flatMap((one) => one.ids))]
  const isUnread = ids.length === 0 && read.some(({ unread }) => unread.length > 0)
  return isUnread ? undefined : { ids, line: first.line }
}

function filesOf(found: readonly FieldText[], task: string, removed: RemovedStep[]): DraftFiles | undefined {
  const blocks = found.filter(({ name }) => name.startsWith('files'))
  if (blocks.length === 0) return undefined
  const entries: FileEntry[] = []
  for (const { name, texts } of blocks) {
    let action = name === 'files' ? null : (name.slice('files_'.length) as FileAction)
    for (const { text, line } of texts) {
      const read = readFileItem(text, action)
      action = read.action ?? action
      entries.push(...read.entries)
      for (const { path, action: what } of read.outside)
        removed.push(removedStep(task, { line, text: `${what} ${path}`, kind: 'outside' }))
    }
  }
  return draftFiles(entries)
}
