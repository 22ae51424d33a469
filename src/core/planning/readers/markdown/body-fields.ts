/** Collects the labelled fields of a task and converts them to values of the draft. */
import type { DraftFiles, DraftTask } from '../../draft.ts'
import { GATE_KINDS, type GateKind, type RemovedStep, type SecurityFlag } from '../../plan.ts'
import {
  dependenciesIn,
  gateOf,
  inlineList,
  isNone,
  securityFlagOf,
  tierIn,
  timeBudgetIn,
  wordList,
  yesOrNo,
} from './fields.ts'
import { draftFiles, pathsIn, readFileItem, type FileAction, type FileEntry } from './file-list.ts'
import { codeSpans, linkText, plainText } from './inline.ts'
import type { FieldName } from './labels.ts'
import type { Note } from '../../problems.ts'
import { REASONS, siftCommands } from '../commands/removal.ts'

export interface FieldText {
  readonly name: FieldName
  readonly line: number
  /** The text after the label, then the items below it. */
  readonly texts: string[]
  /** The line of each text. */
  readonly lines: number[]
}

export function addToField(field: FieldText, text: string, line: number): void {
  field.texts.push(text)
  field.lines.push(line)
}

/** The fields of a task that labels give. */
type Fields = Omit<
  DraftTask,
  'id' | 'title' | 'line' | 'phase' | 'description' | 'steps' | 'addedPaths' | 'commitSubject'
>

export interface FieldsRead {
  readonly fields: Fields
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
}

/** Converts the texts under a task's labels to values. Unreadable ones are reported and left out. */
export function readFields(found: readonly FieldText[], task: string): FieldsRead {
  const notes: Note[] = []
  const removed: RemovedStep[] = []
  const all = (name: FieldName) => found.filter((field) => field.name === name)
  const list = (name: FieldName) => listOf(all(name))
  const first = (name: FieldName) => all(name)[0]
  const one = <T>(name: FieldName, read: (text: string) => T | null, remedy: string): T | undefined => {
    const field = first(name)
    const text = field?.texts.find((candidate) => candidate !== '')
    if (field === undefined || text === undefined) return undefined
    const value = read(text)
    if (value === null)
      notes.push({ line: field.line, message: `cannot read ${name} "${text}" of task ${task}`, remedy })
    return value ?? undefined
  }
  const valuesOf = <T>(
    name: FieldName,
    read: (word: string) => T | null,
    remedy: string,
  ): T[] | undefined => {
    const field = first(name)
    if (field === undefined) return undefined
    return field.texts.flatMap(wordList).flatMap((word) => {
      const value = read(word)
      if (value !== null) return [value]
      notes.push({
        line: field.line,
        message: `${name} of task ${task} has the unknown value "${word}"`,
        remedy,
      })
      return []
    })
  }
  return {
    fields: {
      files: filesOf(found, task, removed),
      dependsOn: dependsOn(all('depends_on'), task, notes),
      ownership: one('ownership', label, 'name the area'),
      tier: one('tier', tierIn, 'write critical, normal or low'),
      layer: one('layer', label, 'name the layer'),
      acceptanceCriteria: list('acceptance_criteria'),
      nonGoals: list('non_goals'),
      testsToAdd: paths(all('tests_to_add')),
      testsToRun: commands(all('tests_to_run'), task, removed),
      timeBudgetMs: one('time_budget', timeBudgetIn, 'write a duration, for example 30m'),
      securityFlags: valuesOf<SecurityFlag>(
        'security_flags',
        securityFlagOf,
        'write auth, schema, billing or secrets',
      ),
      interfaces: list('interfaces'),
      heldOut: list('held_out'),
      gates: valuesOf<GateKind>('gates', gateOf, `write ${GATE_KINDS.join(', ')}`),
      breakingChange: one('breaking_change', yesOrNo, 'write yes or no'),
      redOnBase: one('red_on_base', yesOrNo, 'write yes or no'),
    },
    removed,
    notes,
  }
}

function label(text: string): string | null {
  const plain = plainText(text).replaceAll('`', '').trim()
  return plain === '' ? null : plain
}

function listOf(fields: readonly FieldText[]): string[] | undefined {
  if (fields.length === 0) return undefined
  return fields
    .flatMap(({ texts }) => (texts.length === 1 ? inlineList(texts[0] ?? '') : texts))
    .filter((text) => text !== '' && !isNone(text))
}

function paths(fields: readonly FieldText[]): string[] | undefined {
  if (fields.length === 0) return undefined
  return fields.flatMap(({ texts }) =>
    texts.flatMap((text) => {
      const found = pathsIn(text)
      return found.length > 0 || text === '' || isNone(text) ? found : [plainText(linkText(text))]
    }),
  )
}

function commands(fields: readonly FieldText[], task: string, removed: RemovedStep[]): string[] | undefined {
  if (fields.length === 0) return undefined
  return fields.flatMap(({ texts, line }) =>
    texts.flatMap((text) => {
      if (text === '' || isNone(text)) return []
      const spans = text.includes('\n') ? [] : codeSpans(text).map((span) => span.code)
      return (spans.length > 0 ? spans : [text]).flatMap((command) => {
        const sift = siftCommands(command, line)
        for (const gone of sift.removed)
          removed.push({ task, line, text: gone.text, reason: REASONS[gone.kind] })
        return sift.kept === '' ? [] : [sift.kept]
      })
    }),
  )
}

function dependsOn(fields: readonly FieldText[], task: string, notes: Note[]): DraftTask['dependsOn'] {
  const first = fields[0]
  if (first === undefined) return undefined
  const read = fields.flatMap(({ texts }) => texts.map(dependenciesIn))
  for (const part of read.flatMap(({ unread }) => unread)) {
    notes.push({
      line: first.line,
      message: `task ${task} depends on "${part}", which is not a task`,
      remedy: 'name tasks by their id, like: Depends on: Task 3, Task 4',
    })
  }
  const ids = [...new Set(read.flatMap(({ ids }) => ids))]
  const readNothing = ids.length === 0 && read.some(({ unread }) => unread.length > 0)
  return readNothing ? undefined : { ids, line: first.line }
}

const DEFAULT_ACTIONS: Readonly<Partial<Record<FieldName, FileAction>>> = {
  files_create: 'create',
  files_modify: 'modify',
  files_delete: 'delete',
  files_test: 'test',
}

function filesOf(found: readonly FieldText[], task: string, removed: RemovedStep[]): DraftFiles | undefined {
  const blocks = found.filter(({ name }) => name.startsWith('files'))
  if (blocks.length === 0) return undefined
  const entries: FileEntry[] = []
  for (const { name, line, texts, lines } of blocks) {
    let action = DEFAULT_ACTIONS[name] ?? null
    texts.forEach((text, index) => {
      const read = readFileItem(text, action)
      action = read.action ?? action
      entries.push(...read.entries)
      for (const { path, action: what } of read.outside) {
        removed.push({ task, line: lines[index] ?? line, text: `${what} ${path}`, reason: REASONS.outside })
      }
    })
  }
  return draftFiles(entries)
}
