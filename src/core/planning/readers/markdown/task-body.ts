/** Reads the body of a task: fields, steps, commands and prose. */
import type { DraftStep, DraftTask } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import { listsFiles } from '../../task-files.ts'
import { blocksOf, type Block, type CodeBlock, type HeadingBlock, type TextBlock } from './blocks.ts'
import { addToField, readFields, type FieldText } from './body-fields.ts'
import { tierIn } from './fields.ts'
import { isPathsAlone, pathsIn, readFileItem } from './file-list.ts'
import { plainText } from './inline.ts'
import { isFieldLabel, labelOf, labelOfHeading, type FieldName, type Label } from './labels.ts'
import type { Note } from '../../problems.ts'
import type { Line } from './lines.ts'
import { isShell, runsInCode, runsInText, type FoundRuns, type SpanRule } from '../commands/runs.ts'
import { addExpected, addRuns, closeStep, openStep, type OpenStep } from './steps.ts'

export const MAX_DESCRIPTION_CHARS = 20_000

export type TaskFields = Omit<DraftTask, 'id' | 'title' | 'line' | 'phase'>

export interface TaskBody {
  readonly fields: TaskFields
  readonly removed: readonly RemovedStep[]
  readonly notes: readonly Note[]
}

interface Reading {
  readonly task: string
  readonly explicitSteps: boolean
  readonly fieldTexts: FieldText[]
  field: FieldText | null
  step: OpenStep | null
  /** The last line of prose, to distinguish a script to write from commands to run. */
  lastText: string
  /** The next fence shows what a command prints. */
  outputNext: boolean
  readonly steps: DraftStep[]
  readonly removed: RemovedStep[]
  /** Parts of the description; those of a step are added when it is closed. */
  readonly prose: string[]
  stepProse: string[]
  subject: string | undefined
  readonly added: string[]
}

const STEP = /^\*{0,2}step\s{1,8}(\d{1,4}[a-z]?(?:\.\d{1,4})?)\*{0,2}\s{0,4}[:.)—–-]?\*{0,2}\s{0,4}/i

export function readTaskBody(task: string, lines: readonly Line[]): TaskBody {
  const blocks = blocksOf(lines)
  const reading = startReading(task, blocks)
  for (const block of blocks) {
    if (block.kind === 'heading') onHeading(reading, block)
    else if (block.kind === 'code') onCode(reading, block)
    else for (const part of labelledParts(block)) onText(reading, part)
  }
  endStep(reading)
  return finish(reading, lines[0]?.number ?? 0)
}

/** `**Tier:** low | **Layer:** core` is two labelled lines in one. */
function labelledParts(block: TextBlock): readonly TextBlock[] {
  if (!block.text.startsWith('**')) return [block]
  const [first = '', ...more] = block.text.split(/\s[|·•]\s(?=\*\*[A-Z])/)
  return [{ ...block, text: first }, ...more.map((text) => ({ ...block, text, isBox: false }))]
}

function startReading(task: string, blocks: readonly Block[]): Reading {
  return {
    task,
    explicitSteps: blocks.some(
      (block) =>
        (block.kind === 'heading' && STEP.test(block.heading.text)) ||
        ((block.kind === 'item' || block.kind === 'paragraph') && (block.isBox || STEP.test(block.text))),
    ),
    fieldTexts: [],
    field: null,
    step: null,
    lastText: '',
    outputNext: false,
    steps: [],
    removed: [],
    prose: [],
    stepProse: [],
    subject: undefined,
    added: [],
  }
}

function onHeading(reading: Reading, block: HeadingBlock): void {
  const { text } = block.heading
  const step = stepTitle(text)
  const label = labelOfHeading(text)
  endStep(reading)
  reading.field = null
  if (step !== null) startStep(reading, block.line, step)
  else if (label !== undefined && isFieldLabel(label)) startField(reading, label, block.line, '')
  else if (label === 'check' || label === 'run' || label === 'commit') startStep(reading, block.line, text)
  else addProse(reading, text)
}

function stepTitle(text: string): string | null {
  const match = STEP.exec(text)
  if (match === null) return null
  const title = plainText(text.slice(match[0].length))
  const plain = title.endsWith(':') ? title.slice(0, -1).trim() : title
  return plain === '' ? `Step ${match[1] ?? ''}`.trim() : plain
}

function onText(reading: Reading, block: TextBlock): void {
  const step = stepTitle(block.text)
  if (step !== null) {
    reading.field = null
    startStep(reading, block.line, step)
    return
  }
  const label = labelOf(block.text)
  if (label !== null && takeLabel(reading, block, label)) return
  const { field } = reading
  // Items belong to the field above them, a paragraph only where the field has no text yet.
  if (field !== null && (block.kind === 'item' || field.texts.length === 0) && fits(field, block)) {
    addToField(field, block.text, block.line)
    return
  }
  reading.field = null
  const numbered = block.numbered && block.indent === 0 && !reading.explicitSteps
  if (block.isBox || numbered) startStep(reading, block.line, plainText(block.text))
  else onProse(reading, block)
}

/** What names no file does not belong to a list of files that has begun. */
function fits({ name, texts }: FieldText, { text }: TextBlock): boolean {
  if (!name.startsWith('files') || texts.length === 0) return true
  const { entries, outside, action } = readFileItem(text, null)
  return action !== null || entries.length + outside.length > 0
}

/** Handles a labelled line; false where the label only begins a sentence. */
function takeLabel(reading: Reading, block: TextBlock, label: Label): boolean {
  const { name, rest } = label
  if (reading.field?.name.startsWith('files') === true && block.kind === 'item') {
    if (name.startsWith('files_') || name === 'check') return false
  }
  const bare = bareFiles(reading, block, label)
  if (bare !== null) {
    startField(reading, bare, block.line, rest)
    // The items below it belong to the task again.
    reading.field = null
    return true
  }
  if (name.startsWith('files_') && (!label.bold || (rest !== '' && pathsIn(rest).length === 0))) return false
  if (name === 'tier' && /risk/i.test(label.written) && tierIn(rest) === null) return false
  if (isFieldLabel(name)) {
    endStep(reading)
    startField(reading, name, block.line, rest)
    return true
  }
  switch (name) {
    case 'expected':
      onExpected(reading, block, rest)
      return true
    case 'run':
      reading.field = null
      use(reading, block.line, runsInText(rest, block.line, 'run'), rest === '' ? 'Run' : `Run: ${rest}`)
      return true
    case 'check':
      if (!label.bold && block.kind === 'item' && reading.step !== null) return false
      reading.field = null
      startStep(reading, block.line, `${label.written}: ${plainText(rest)}`.replace(/:\s?$/, ''), 'check')
      return true
    case 'commit':
      reading.field = null
      onCommit(reading, block, rest)
      return true
    case 'status':
      return true
    case 'goal':
    case 'architecture':
    case 'tech_stack':
    case 'design':
    case 'constraints':
      return false
  }
}

/** `- Create: src/a.ts` outside labels and steps, with only paths: a file, not a sentence. */
function bareFiles(
  reading: Reading,
  block: TextBlock,
  { name, written, rest, bold }: Label,
): FieldName | null {
  if (bold || block.kind !== 'item' || block.isBox) return null
  if (reading.field !== null || reading.step !== null || !isPathsAlone(rest)) return null
  if (name === 'check') return /^test$/i.test(written) ? 'files_test' : null
  return isFieldLabel(name) && name.startsWith('files_') ? name : null
}

function startField(reading: Reading, name: FieldName, line: number, rest: string): void {
  reading.field = { name, line, texts: [], lines: [] }
  if (rest !== '') addToField(reading.field, rest, line)
  reading.fieldTexts.push(reading.field)
}

function onExpected(reading: Reading, block: TextBlock, rest: string): void {
  reading.field = null
  if (rest === '') reading.outputNext = true
  else if (reading.step !== null) addExpected(reading.step, rest)
  addProse(reading, block.text)
}

/** `Commit: \`git commit …\``, `**Commit:**` before a fence, and `Commit message: feat: x`. */
function onCommit(reading: Reading, block: TextBlock, rest: string): void {
  startStep(reading, block.line, rest === '' ? 'Commit' : `Commit: ${rest}`)
  const written = rest.replace(/^[`"']|[`"'.]{1,2}$/g, '')
  if (!/^git\b/.test(written) && /^[a-z]{2,12}(\([^()]{1,60}\))?!?:\s\S/.test(written))
    reading.subject ??= written
}

function startStep(reading: Reading, line: number, title: string, rule: SpanRule = 'step'): void {
  endStep(reading)
  reading.step = openStep(line, title)
  reading.lastText = title
  const runs = /^run\b/i.test(title)
  take(reading, reading.step, runsInText(title, line, runs ? 'run' : rule))
}

function endStep(reading: Reading): void {
  const { step } = reading
  if (step === null) return
  const closed = closeStep(step, reading.task)
  for (const gone of closed.removed) reading.removed.push(gone)
  if (closed.step !== null) {
    reading.steps.push(closed.step)
    reading.prose.push(`- ${closed.step.title}`)
    for (const text of reading.stepProse) reading.prose.push(text)
  }
  reading.step = null
  reading.stepProse = []
  reading.outputNext = false
}

/** Commands outside steps form their own step. */
function use(reading: Reading, line: number, found: FoundRuns, title: string): void {
  if (reading.step !== null) {
    take(reading, reading.step, found)
    if (found.removed.length === 0) addProse(reading, title)
    return
  }
  reading.step = openStep(line, title)
  reading.lastText = title
  take(reading, reading.step, found)
}

function take(reading: Reading, step: OpenStep, found: FoundRuns): void {
  addRuns(step, found)
  reading.subject ??= found.subject
  for (const path of found.added) reading.added.push(path)
}

function onProse(reading: Reading, block: TextBlock): void {
  if (block.kind === 'paragraph' && block.text.startsWith('|')) return
  reading.lastText = block.text
  if (reading.step !== null) reading.step.work++
  const indent = block.kind === 'item' ? `${' '.repeat(Math.min(block.indent, 8))}- ` : ''
  addProse(reading, indent + block.text)
}

function addProse(reading: Reading, text: string): void {
  if (reading.step === null) reading.prose.push(text)
  else reading.stepProse.push(text)
}

function onCode(reading: Reading, block: CodeBlock): void {
  const { field } = reading
  if (field?.name === 'tests_to_run' && isShell(block.info, block.code)) {
    addToField(field, block.code, block.line + 1)
    return
  }
  reading.field = null
  if (reading.outputNext) {
    reading.outputNext = false
    if (reading.step !== null) addExpected(reading.step, block.code)
    return
  }
  if (!isShell(block.info, block.code) || isScript(block.code, reading.lastText)) {
    if (reading.step !== null) reading.step.work++
    return
  }
  const found = runsInCode(block.code, block.line)
  if (found.runs.length === 0 && found.removed.length === 0) return
  reading.step ??= openStep(block.line, firstLine(found))
  take(reading, reading.step, found)
}

function firstLine(found: FoundRuns): string {
  const command = found.runs[0]?.command ?? found.removed[0]?.text ?? ''
  return `Run \`${command.split('\n', 1)[0] ?? ''}\``
}

/** A script to write is not a list of commands to run. */
function isScript(code: string, lastText: string): boolean {
  if (code.trimStart().startsWith('#!')) return true
  return (
    /^(create|write|add|append|insert|replace|put|paste)\b/i.test(lastText) &&
    /\.(sh|bash|zsh|ya?ml|env|mk)\b|makefile|dockerfile|\bscript\b/i.test(lastText) &&
    !/\brun\s/i.test(lastText)
  )
}

function finish(reading: Reading, line: number): TaskBody {
  const read = readFields(reading.fieldTexts, reading.task)
  const text = reading.prose.join('\n').trim()
  const fields: TaskFields = {
    ...read.fields,
    description: text.slice(0, MAX_DESCRIPTION_CHARS),
    steps: reading.steps,
    addedPaths: [...new Set(reading.added)],
    commitSubject: reading.subject,
  }
  const removed = [...read.removed, ...reading.removed].sort((a, b) => a.line - b.line)
  const notes = [...read.notes]
  if (text.length > MAX_DESCRIPTION_CHARS) {
    notes.push({
      line,
      message: `the description of task ${reading.task} was cut at ${MAX_DESCRIPTION_CHARS} characters`,
      remedy: 'split the task, or move its background to the design document',
    })
  }
  if (removed.length > 0 && text === '' && !listsFiles(fields.files)) {
    notes.push({
      line,
      message: `task ${reading.task} has no work left after its forbidden steps were removed`,
      remedy: 'remove the task, or describe what to change in the repository',
    })
  }
  return { fields, removed, notes }
}
