/** Small things every bench needs. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

export const AS_JSON = process.argv.includes('--json')

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export async function timeMs(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The machine's own floor: how long one small write and its sync take. */
export function syncFloorMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
  const file = openSync(join(folder, 'floor'), 'w')
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: 60 }, () => {
    const start = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return performance.now() - start
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(times)
}

/** A table for people; with `--json` one line for programs after it. */
export function report(
  bench: string,
  rows: readonly Record<string, string | number>[],
  summary: object,
): void {
  console.table(rows)
  if (AS_JSON) console.log(JSON.stringify({ schema: 'bosun.bench/v1', bench, ...summary, rows }))
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}
