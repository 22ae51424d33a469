/**
 * What benches share. A bench is a file in this folder that exports `bench`; `npm run bench` runs them all
 * and prints one table, `node bench/<name>.ts` runs one.
 */

export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** What we claim; absent for figures that only stand beside others. */
  readonly mark?: { readonly atMost: number } | { readonly atLeast: number }
}

export interface Bench {
  readonly name: string
  run(): Promise<readonly Figure[]>
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which a share of the others lies; between two of them, their weighted middle. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new RangeError('nothing was measured')
  return low + (high - low) * (place - Math.floor(place))
}

/**
 * Measures several things in turns, so that whatever else the machine does hits all of them alike.
 * Gives the milliseconds of every run, by name; the first round warms up and is not counted.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  things: Readonly<Record<Name, () => Promise<void> | void>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const entries = Object.entries(things) as [Name, () => Promise<void> | void][]
  const times = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const [name, thing] of entries) {
      const start = performance.now()
      await thing()
      if (round > 0) times[name].push(performance.now() - start)
    }
  }
  return times
}

export function keepsMark({ value, mark }: Figure): boolean {
  if (mark === undefined) return true
  return 'atMost' in mark ? value <= mark.atMost : value >= mark.atLeast
}

/** Columns as wide as their widest cell; numbers to the right. */
export function table(rows: readonly { readonly bench: string; readonly figure: Figure }[]): string {
  const cells = rows.map(({ bench, figure }) => [
    bench,
    figure.what,
    `${rounded(figure.value)} ${figure.unit}`,
    markText(figure),
  ])
  const all = [['bench', 'what', 'figure', 'mark'], ...cells]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Runs the bench of a file that was started itself: `if (import.meta.main) await runAlone(bench)`. */
export async function runAlone(bench: Bench): Promise<void> {
  const figures = await bench.run()
  console.log(table(figures.map((figure) => ({ bench: bench.name, figure }))))
  if (!figures.every(keepsMark)) process.exitCode = 1
}

function markText(figure: Figure): string {
  const { mark } = figure
  if (mark === undefined) return ''
  const limit = 'atMost' in mark ? `≤ ${mark.atMost}` : `≥ ${mark.atLeast}`
  return `${limit} ${keepsMark(figure) ? 'kept' : 'MISSED'}`
}

function rounded(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 100 ? 0 : 1)
}
