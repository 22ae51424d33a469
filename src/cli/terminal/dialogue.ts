/** Asks the person at this process's terminal, or the program at the other end of its standard input: one line per question. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Dialogue } from './terminal.ts'

export function processDialogue(
  env: Readonly<Record<string, string | undefined>>,
  { echo }: { readonly echo: 'stdout' | 'none' },
): Dialogue {
  const isTerminal = process.stdin.isTTY
  const output = echo === 'stdout' ? process.stdout : process.stderr
  const typed: string[] = []
  let waiting: ((line: string | null) => void) | null = null
  let lines: Interface | null = null
  let isOver = false

  const deliver = (line: string | null): void => {
    const resolve = waiting
    waiting = null
    if (resolve !== null) resolve(line)
    else if (line !== null) typed.push(line)
  }
  const open = (): Interface => {
    const made = isTerminal
      ? createInterface({ input: process.stdin, output, terminal: true })
      : createInterface({ input: process.stdin, terminal: false })
    made.on('line', deliver)
    // Ctrl-C interrupts the command, not the question.
    made.on('SIGINT', () => process.emit('SIGINT'))
    made.on('close', () => {
      if (lines !== made) return
      isOver = true
      deliver(null)
    })
    return made
  }
  const shut = (): void => {
    const made = lines
    lines = null
    made?.close()
  }

  return {
    ask: (question) =>
      new Promise((resolve) => {
        // A line typed ahead answers the next question.
        const ahead = typed.shift()
        if (ahead !== undefined) {
          if (echo === 'stdout') output.write(`${question}${ahead}\n`)
          return resolve(ahead)
        }
        if (isOver) return resolve(null)
        lines ??= open()
        // What comes through a pipe is shown after it has come.
        waiting = isTerminal
          ? resolve
          : (line) => {
              if (line !== null && echo === 'stdout') output.write(`${question}${line}\n`)
              resolve(line)
            }
        if (!isTerminal) return
        lines.setPrompt(question)
        lines.prompt()
      }),
    edit: async (text) => {
      // The editor needs the terminal to itself.
      shut()
      return edited(text, env)
    },
    close: shut,
  }
}

/** Null where no editor could be started or it failed. */
async function edited(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-feedback-'))
  try {
    const file = join(folder, 'feedback.md')
    writeFileSync(file, text)
    const editor = env['VISUAL'] ?? env['EDITOR'] ?? 'vi'
    // Like git: the variable may hold a command with arguments.
    const child = spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit', env })
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', resolve)
    })
    return code === 0 ? readFileSync(file, 'utf8') : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
