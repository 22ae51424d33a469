/** `npm run bench [name…]`: runs every bench of this folder, or those named, and prints one table. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { keepsMark, table, type Bench, type Figure } from './lib.ts'

const wanted = process.argv.slice(2)
const rows: { bench: string; figure: Figure }[] = []

const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => file !== 'run.ts')
for (const file of files.sort()) {
  const { bench } = (await import(join(import.meta.dirname, file))) as { bench?: Bench }
  if (bench === undefined || (wanted.length > 0 && !wanted.includes(bench.name))) continue
  console.error(`${bench.name} …`)
  for (const figure of await bench.run()) rows.push({ bench: bench.name, figure })
}

console.log(rows.length === 0 ? 'no such bench' : table(rows))
if (rows.length === 0 || !rows.every(({ figure }) => keepsMark(figure))) process.exitCode = 1
