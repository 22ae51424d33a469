/**
 * `npm run bench [name…]`: runs the benches of this folder, or those named, one after the other, and ends with
 * one table. A bench is a program: with `--json` its last line says `{schema, bench, ok, …figures}`. What follows a
 * bench that needs to be told what to measure is for it: `npm run bench replay PATH SHA…`.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

type Summary = Readonly<Record<string, unknown>>

/** Runs only where it is named. */
const TOLD = 'replay'

const args = process.argv.slice(2)
const [wanted, told] = args[0] === TOLD ? [[TOLD], args.slice(1)] : [args, []]
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'run' && (wanted.length === 0 ? name !== TOLD : wanted.includes(name)))
  .sort()

const table: Record<string, string>[] = []
for (const name of names) {
  console.log(`\n${name}`)
  const { exit, summary } = await run(join(import.meta.dirname, `${name}.ts`))
  const figures = Object.entries(summary).filter(([key]) => !['schema', 'bench', 'ok', 'rows'].includes(key))
  table.push({
    bench: name,
    figures: figures.map(([key, value]) => `${key} ${String(value)}`).join(', '),
    result: exit === 0 ? 'kept' : 'MISSED',
  })
  if (exit !== 0) process.exitCode = 1
}
console.table(table)

/** Shows what the bench prints and keeps the line that is meant for programs. */
async function run(file: string): Promise<{ exit: number | null; summary: Summary }> {
  const child = spawn(process.execPath, [file, ...told, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const lines = output.split('\n')
  const json = lines.findLast((line) => line.startsWith('{'))
  console.log(
    lines
      .filter((line) => line !== json)
      .join('\n')
      .trimEnd(),
  )
  return { exit, summary: json === undefined ? {} : (JSON.parse(json) as Summary) }
}
