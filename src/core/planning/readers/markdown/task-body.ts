/** Reads the body of a task: fields, steps, commands and prose. */
import type { DraftStep, DraftTask } from '../../draft.ts'
import type { RemovedStep } from '../../plan.ts'
import { listsFiles } from '../../task-files.ts'
import { blocksOf, type Block, type CodeBlock, type HeadingBlock, type TextBlock } from './blocks.ts'
import { isPathsAlone, pathsIn, readFileItem } from './file-list.ts'
import { plainText } from './inline.ts'
import {
  isFieldLabel,
  isHeaderLabel,
  labelOf,
  labelOfHeading,
  readFields,
  tierIn,
  type FieldName,
  type FieldText,
  type Label,
} from './task-fields.ts'
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

const STEP = /^\*{0,2}step\s{1,8}(\d{1,4}[a-z]?(?:\.\d{1,4})?)\*{0,2}\s{0,4}[:.)—–-]?\*{0,2}\s{0,4}/i

export function readTaskBody(task: string, lines: readonly Line[]): TaskBody {
  const blocks = blocksOf(lines)
  const reader = new TaskReader(task, blocks)
  for (const block of blocks) reader.read(block)
  return reader.finish(lines[0]?.number ?? 0)
}

class TaskReader {
  readonly #task: string
  readonly #explicitSteps: boolean
  readonly #fieldTexts: FieldText[] = []
  #field: FieldText | null = null
  #step: OpenStep | null = null
  /** The last line of prose, to distinguish a script to write from commands to run. */
  #lastText = ''
  /** The next fence shows what a command prints. */
  #outputNext = false
  readonly #steps: DraftStep[] = []
  readonly #removed: RemovedStep[] = []
  /** Parts of the description; those of a step are added when it is closed. */
  readonly #prose: string[] = []
  #stepProse: string[] = []
  #subject: string | undefined
  readonly #added: string[] = []

  constructor(task: string, blocks: readonly Block[]) {
    this.#task = task
    this.#explicitSteps = blocks.some(
      (block) =>
        (block.kind === 'heading' && STEP.test(block.heading.text)) ||
        ((block.kind === 'item' || block.kind === 'paragraph') && (block.isBox || STEP.test(block.text))),
    )
  }

  read(block: Block): void {
    if (block.kind === 'heading') this.#onHeading(block)
    else if (block.kind === 'code') this.#onCode(block)
    else for (const part of labelledParts(block)) this.#onText(part)
  }

  #onHeading(block: HeadingBlock): void {
    const { text } = block.heading
    const step = stepTitle(text)
    const label = labelOfHeading(text)
    this.#endStep()
    this.#field = null
    if (step !== null) this.#startStep(block.line, step)
    else if (label !== undefined && isFieldLabel(label)) this.#startField(label, block.line, '')
    else if (label === 'check' || label === 'run' || label === 'commit') this.#startStep(block.line, text)
    else this.#addProse(text)
  }

  #onText(block: TextBlock): void {
    const step = stepTitle(block.text)
    if (step !== null) {
      this.#field = null
      this.#startStep(block.line, step)
      return
    }
    const label = labelOf(block.text)
    if (label !== null && this.#takeLabel(block, label)) return
    const field = this.#field
    // Items belong to the field above them, a paragraph only where the field has no text yet.
    if (field !== null && (block.kind === 'item' || field.texts.length === 0) && fits(field, block)) {
      field.texts.push({ text: block.text, line: block.line })
      return
    }
    this.#field = null
    const numbered = block.isNumbered && block.indent === 0 && !this.#explicitSteps
    if (block.isBox || numbered) this.#startStep(block.line, plainText(block.text))
    else this.#onProse(block)
  }

  /** Handles a labelled line; false where the label only begins a sentence. */
  #takeLabel(block: TextBlock, label: Label): boolean {
    const { name, rest } = label
    if (this.#field?.name.startsWith('files') === true && block.kind === 'item') {
      if (name.startsWith('files_') || name === 'check') return false
    }
    const bare = this.#bareFiles(block, label)
    if (bare !== null) {
      this.#startField(bare, block.line, rest)
      // The items below it belong to the task again.
      this.#field = null
      return true
    }
    if (name.startsWith('files_') && (!label.bold || (rest !== '' && pathsIn(rest).length === 0)))
      return false
    if (name === 'tier' && /risk/i.test(label.written) && tierIn(rest) === null) return false
    if (isHeaderLabel(name)) return false
    if (isFieldLabel(name)) {
      this.#endStep()
      this.#startField(name, block.line, rest)
      return true
    }
    switch (name) {
      case 'expected':
        this.#onExpected(block, rest)
        return true
      case 'run':
        this.#field = null
        this.#use(block.line, runsInText(rest, block.line, 'run'), rest === '' ? 'Run' : `Run: ${rest}`)
        return true
      case 'check':
        if (!label.bold && block.kind === 'item' && this.#step !== null) return false
        this.#field = null
        this.#startStep(block.line, `${label.written}: ${plainText(rest)}`.replace(/:\s?$/, ''), 'check')
        return true
      case 'commit':
        this.#field = null
        this.#onCommit(block, rest)
        return true
      case 'status':
        return true
    }
  }

  /** `- Create: src/a.ts` outside labels and steps, with only paths: a file, not a sentence. */
  #bareFiles(block: TextBlock, { name, written, rest, bold }: Label): FieldName | null {
    if (bold || block.kind !== 'item' || block.isBox) return null
    if (this.#field !== null || this.#step !== null || !isPathsAlone(rest)) return null
    if (name === 'check') return /^test$/i.test(written) ? 'files_test' : null
    return isFieldLabel(name) && name.startsWith('files_') ? name : null
  }

  #startField(name: FieldName, line: number, rest: string): void {
    this.#field = { name, line, texts: rest === '' ? [] : [{ text: rest, line }] }
    this.#fieldTexts.push(this.#field)
  }

  #onExpected(block: TextBlock, rest: string): void {
    this.#field = null
    if (rest === '') this.#outputNext = true
    else if (this.#step !== null) addExpected(this.#step, rest)
    this.#addProse(block.text)
  }

  /** `Commit: \`git commit …\``, `**Commit:**` before a fence, and `Commit message: feat: x`. */
  #onCommit(block: TextBlock, rest: string): void {
    this.#startStep(block.line, rest === '' ? 'Commit' : `Commit: ${rest}`)
    const written = rest.replace(/^[`"']|[`"'.]{1,2}$/g, '')
    if (!/^git\b/.test(written) && /^[a-z]{2,12}(\([^()]{1,60}\))?!?:\s\S/.test(written))
      this.#subject ??= written
  }

  #startStep(line: number, title: string, rule: SpanRule = 'step'): void {
    this.#endStep()
    this.#step = openStep(line, title)
    this.#lastText = title
    const runs = /^run\b/i.test(title)
    this.#take(this.#step, runsInText(title, line, runs ? 'run' : rule))
  }

  #endStep(): void {
    const step = this.#step
    if (step === null) return
    const closed = closeStep(step, this.#task)
    for (const gone of closed.removed) this.#removed.push(gone)
    if (closed.step !== null) {
      this.#steps.push(closed.step)
      this.#prose.push(`- ${closed.step.title}`)
      for (const text of this.#stepProse) this.#prose.push(text)
    }
    this.#step = null
    this.#stepProse = []
    this.#outputNext = false
  }

  /** Commands outside steps form their own step. */
  #use(line: number, found: FoundRuns, title: string): void {
    if (this.#step !== null) {
      this.#take(this.#step, found)
      if (found.removed.length === 0) this.#addProse(title)
      return
    }
    this.#step = openStep(line, title)
    this.#lastText = title
    this.#take(this.#step, found)
  }

  #take(step: OpenStep, found: FoundRuns): void {
    addRuns(step, found)
    this.#subject ??= found.subject
    for (const path of found.added) this.#added.push(path)
  }

  #onProse(block: TextBlock): void {
    if (block.kind === 'paragraph' && block.text.startsWith('|')) return
    this.#lastText = block.text
    if (this.#step !== null) this.#step.work++
    const indent = block.kind === 'item' ? `${' '.repeat(Math.min(block.indent, 8))}- ` : ''
    this.#addProse(indent + block.text)
  }

  #addProse(text: string): void {
    if (this.#step === null) this.#prose.push(text)
    else this.#stepProse.push(text)
  }

  #onCode(block: CodeBlock): void {
    const field = this.#field
    if (field?.name === 'tests_to_run' && isShell(block.info, block.code)) {
      field.texts.push({ text: block.code, line: block.line + 1 })
      return
    }
    this.#field = null
    if (this.#outputNext) {
      this.#outputNext = false
      if (this.#step !== null) addExpected(this.#step, block.code)
      return
    }
    if (!isShell(block.info, block.code) || isScript(block.code, this.#lastText)) {
      if (this.#step !== null) this.#step.work++
      return
    }
    const found = runsInCode(block.code, block.line)
    if (found.runs.length === 0 && found.removed.length === 0) return
    this.#step ??= openStep(block.line, firstLine(found))
    this.#take(this.#step, found)
  }

  finish(line: number): TaskBody {
    this.#endStep()
    const read = readFields(this.#fieldTexts, this.#task)
    const text = this.#prose.join('\n').trim()
    const fields: TaskFields = {
      ...read.fields,
      description: text.slice(0, MAX_DESCRIPTION_CHARS),
      steps: this.#steps,
      addedPaths: [...new Set(this.#added)],
      commitSubject: this.#subject,
    }
    const removed = [...read.removed, ...this.#removed].sort((a, b) => a.line - b.line)
    const notes = [...read.notes]
    if (text.length > MAX_DESCRIPTION_CHARS) {
      notes.push({
        line,
        message: `the description of task ${this.#task} was cut at ${MAX_DESCRIPTION_CHARS} characters`,
        remedy: 'split the task, or move its background to the design document',
      })
    }
    if (removed.length > 0 && text === '' && !listsFiles(fields.files)) {
      notes.push({
        line,
        message: `task ${this.#task} has no work left after its forbidden steps were removed`,
        remedy: 'remove the task, or describe what to change in the repository',
      })
    }
    return { fields, removed, notes }
  }
}

/** `**Tier:** low | **Layer:** core` is two labelled lines in one. */
function labelledParts(block: TextBlock): readonly TextBlock[] {
  if (!block.text.startsWith('**')) return [block]
  const [first = '', ...more] = block.text.split(/\s[|·•]\s(?=\*\*[A-Z])/)
  return [{ ...block, text: first }, ...more.map((text) => ({ ...block, text, isBox: false }))]
}

function stepTitle(text: string): string | null {
  const match = STEP.exec(text)
  if (match === null) return null
  const title = plainText(text.slice(match[0].length))
  const plain = title.endsWith(':') ? title.slice(0, -1).trim() : title
  return plain === '' ? `Step ${match[1] ?? ''}`.trim() : plain
}

/** What names no file does not belong to a list of files that has begun. */
function fits({ name, texts }: FieldText, { text }: TextBlock): boolean {
  if (!name.startsWith('files') || texts.length === 0) return true
  const { entries, outside, action } = readFileItem(text, null)
  return action !== null || entries.length + outside.length > 0
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
