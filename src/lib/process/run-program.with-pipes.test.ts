/** A real process that may open no more files. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = (name: string): string => JSON.stringify(join(import.meta.dirname, name))

/** What this program prints in a process whose files are used up by then. */
function printedWithoutFiles(program: string): string {
  const used = `import { openSync } from 'node:fs'
    import { spawn } from 'node:child_process'
    const useUp = () => { for (;;) try { openSync('/dev/null') } catch { break } }`
  const line = `ulimit -n 64; exec "$0" --input-type=module -e "$1"`
  const args = ['-c', line, process.execPath, `${used}\n${program}`]
  return execFileSync('/bin/sh', args, { encoding: 'utf8' })
}

test('a child that got no pipes is refused at once, with the limit that is reached', () => {
  const program = `import { withPipes } from ${source('run-program.ts')}
    useUp()
    try { withPipes(spawn('true')) } catch (error) { process.stdout.write(error.code + ' ' + error.message) }`
  expect(printedWithoutFiles(program)).toMatch(/^EMFILE spawn true EMFILE: .*ulimit -n/)
})

test('a program that gets no pipes was not started', () => {
  const program = `import { runProgram } from ${source('run-program.ts')}
    const call = { command: 'true', args: [], cwd: '/', env: process.env, timeoutMs: 5000, maxBytes: 1000 }
    await runProgram(call)
    useUp()
    process.stdout.write(JSON.stringify(await runProgram(call)))`
  expect(printedWithoutFiles(program)).toMatch(/"kind":"not_started","reason":".*EMFILE/)
})
