/** The table of what each real agent was seen to do: tests note what they see, and the run prints it at its end. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_AGENTS } from './agents.ts'
import { cacheFolder } from './install.ts'

export const COLUMNS = [
  'found',
  'signed in',
  'edits',
  'reports',
  'reviews',
  'usage',
  'cost',
  'permission',
  'cancel',
  'resume',
  'takeover',
  'limits',
  'stops clean',
] as const
export type Column = (typeof COLUMNS)[number]

export const FORMS = ['acp', 'command'] as const
export type Form = (typeof FORMS)[number]

interface Note {
  readonly agent: string
  readonly form: Form
  readonly column: Column
  readonly seen: string
}

/** One for each run: several may go on at the same time. */
export const notesOfRun = (): string => join(cacheFolder(), `matrix-${process.pid}.jsonl`)

const notesFile = (): string => process.env['BOSUN_AGENTS_NOTES'] ?? notesOfRun()
const tableFile = (): string => join(cacheFolder(), 'matrix.md')

/** What was seen; several notes of one cell stand side by side. */
export function note(agent: string, form: Form, column: Column, seen: string): void {
  const line: Note = { agent, form, column, seen }
  appendFileSync(notesFile(), `${JSON.stringify(line)}\n`)
}

/** For vitest: begins a new table, and prints it after the last test. */
export default function setup(): () => void {
  mkdirSync(cacheFolder(), { recursive: true })
  return () => {
    if (!existsSync(notesFile())) return
    const table = tableOf(
      readFileSync(notesFile(), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Note),
    )
    writeFileSync(tableFile(), table)
    rmSync(notesFile())
    process.stdout.write(`\n${table}\n(${tableFile()})\n`)
  }
}

export function tableOf(notes: readonly Note[]): string {
  const cell = (agent: string, form: Form, column: Column): string => {
    const seen = notes.filter((one) => one.agent === agent && one.form === form && one.column === column)
    return [...new Set(seen.map((one) => one.seen))].join('; ') || '–'
  }
  const rows = REAL_AGENTS.flatMap(({ name }) =>
    FORMS.filter((form) => notes.some((one) => one.agent === name && one.form === form)).map(
      (form) => `| ${[name, form, ...COLUMNS.map((column) => cell(name, form, column))].join(' | ')} |`,
    ),
  )
  return [
    `| ${['agent', 'by', ...COLUMNS].join(' | ')} |`,
    `|${' --- |'.repeat(COLUMNS.length + 2)}`,
    ...rows,
    '',
  ].join('\n')
}
