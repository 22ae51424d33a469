/** A small linter: what it finds it tells as file:line, and then it fails. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const RULES = [
  { pattern: /^\s*var\s/, says: 'use const or let instead of var' },
  { pattern: /\bdebugger\b/, says: 'a debugger statement was left behind' },
  { pattern: /(^|\s)console\.log\(/, says: 'a console.log was left behind' },
  { pattern: /[^=!]==[^=]/, says: 'use === instead of ==' },
  { pattern: /\s$/, says: 'white space at the end of the line' },
  { pattern: /^.{111,}/, says: 'the line is longer than 110 columns' },
]

const findings = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.js'))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, place) =>
        RULES.filter(({ pattern }) => pattern.test(line)).map(({ says }) => `${file}:${place + 1}: ${says}`),
      ),
  )

for (const finding of findings) process.stdout.write(`${finding}\n`)
process.stdout.write(findings.length === 0 ? 'nothing to complain about\n' : `${findings.length} problems\n`)
process.exitCode = findings.length === 0 ? 0 : 1
