/** A start with 1,000,000 events in the log, beside one with 100,000: what is closed must not be paid for. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { buildHistory, EVENTS_PER_STREAM, OPEN_STREAMS, TAIL } from './lib/long-history.ts'
import { median, report, round, syncFloorMs, timeMs } from './lib/measure.ts'

const MARK = 1.5
const ROUNDS = 9
const resultSchema = z.object({
  import_ms: z.number(),
  open_ms: z.number(),
  whole_ms: z.number(),
  folded: z.literal(OPEN_STREAMS * EVENTS_PER_STREAM),
  tail: z.literal(OPEN_STREAMS * TAIL),
})
type Result = z.infer<typeof resultSchema>

/** `clean` and `unclean` say how the run before ended; after an unclean one the database is looked through. */
const cases = [
  { name: '100k', events: 100_000, before: 'clean' },
  { name: '1M', events: 1_000_000, before: 'clean' },
  { name: '1M after kill -9', events: 1_000_000, before: 'unclean' },
] as const

const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
const rootOf = (events: number) => join(folder, `${events}`)
const buildMs = await timeMs(async () => {
  for (const events of new Set(cases.map((one) => one.events))) await buildHistory(rootOf(events), events)
})
const bytes = statSync(join(rootOf(1_000_000), 'bosun.db')).size

const results = cases.map((): Result[] => [])
for (let turn = 0; turn <= ROUNDS; turn++) {
  for (const [index, one] of cases.entries()) {
    const result = startOnce(rootOf(one.events), one.before)
    // The first turn warms up.
    if (turn > 0) results[index]?.push(result)
  }
}
const bareMs = median(Array.from({ length: 5 }, () => bareNodeMs()))
rmSync(folder, { recursive: true })

const rows = cases.map(({ name }, index) => {
  const all = results[index] ?? []
  const of = (key: 'import_ms' | 'open_ms' | 'whole_ms') => round(median(all.map((result) => result[key])), 1)
  return {
    start: name,
    import_ms: of('import_ms'),
    open_and_fold_ms: of('open_ms'),
    since_node_began_ms: of('whole_ms'),
  }
})
const ratioOf = (key: 'import_ms' | 'open_ms' | 'whole_ms') =>
  round(
    median((results[1] ?? []).map((result, turn) => result[key] / (results[0]?.[turn]?.[key] ?? Number.NaN))),
  )
const ratio = ratioOf('whole_ms')
report('start', rows, {
  mark: MARK,
  ratio,
  ratio_open_and_fold: ratioOf('open_ms'),
  ok: ratio <= MARK,
  bare_node_ms: round(bareMs, 1),
  sync_floor_ms: round(syncFloorMs(), 3),
})
console.log(
  `t(1M)/t(100k) = ${ratio} whole, ${ratioOf('open_ms')} for open and fold alone; mark ${MARK}. ` +
    `1M events are ${Math.round(bytes / 1e6)} MB, built in ${round(buildMs / 1000, 1)} s; a bare node starts and ends in ${round(bareMs, 1)} ms`,
)
if (ratio > MARK) process.exitCode = 1

function startOnce(root: string, before: 'clean' | 'unclean'): Result {
  if (before === 'unclean') writeFileSync(join(root, 'lock.pid'), '1\n')
  const file = join(import.meta.dirname, '..', 'test', 'fixtures', 'store', 'starter.ts')
  return resultSchema.parse(JSON.parse(execFileSync(process.execPath, [file, root], { encoding: 'utf8' })))
}

function bareNodeMs(): number {
  const start = performance.now()
  execFileSync(process.execPath, ['-e', '0'])
  return performance.now() - start
}
