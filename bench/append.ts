/** Durable appends through the log's port, beside the barest loop that `node:sqlite` allows on the same table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { prepareSchema } from '../src/store/sqlite/schema.ts'
import { openWriter } from '../src/store/sqlite/sqlite-connection.ts'
import { SqliteEventLog } from '../src/store/sqlite/sqlite-event-log.ts'
import { median, report, round, syncFloorMs, timeMs } from './lib/measure.ts'
import { benchCodec, benchEvent, type BenchEvent } from './lib/sample-codec.ts'

const MARK = 0.5
const ROUNDS = 7
const STREAMS = 16
/** Group size → how many groups a round appends. */
const GROUPS = new Map([
  [1, 250],
  [8, 150],
  [64, 50],
  [512, 12],
])

const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))

function open(name: string): { db: DatabaseSync; path: string } {
  const path = join(folder, `${name}.db`)
  const db = openWriter(path)
  prepareSchema(db, path)
  return { db, path }
}

interface Loop {
  append(size: number, groups: number): Promise<void> | void
  /** Throws unless exactly what was acknowledged is in the log. */
  check(): void
}

async function portLoop(): Promise<Loop> {
  const { db, path } = open('port')
  const log = new SqliteEventLog<BenchEvent>({ db, path, codec: benchCodec })
  const versions = Array.from({ length: STREAMS }, () => 0)
  let written = 0
  const append = async (size: number, groups: number) => {
    for (let group = 0; group < groups; group++) {
      const asked = Array.from({ length: size }, async () => {
        const stream = written % STREAMS
        const expectedVersion = versions[stream] ?? 0
        versions[stream] = expectedVersion + 1
        const events = [benchEvent(written++)]
        return log.append({ stream: `shop/${stream}`, expectedVersion, at: 1, events })
      })
      if (!(await Promise.all(asked)).every(({ ok }) => ok)) throw new Error('an append was refused')
    }
  }
  return { append, check: () => expectCount(db, written) }
}

async function rawLoop(): Promise<Loop> {
  const { db } = open('raw')
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const insert = db.prepare(
    "insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, ?, ?, ?, '')",
  )
  let written = 0
  const append = (size: number, groups: number) => {
    for (let group = 0; group < groups; group++) {
      begin.run()
      for (let index = 0; index < size; index++) {
        const { type, v, ...data } = benchEvent(written)
        const version = Math.floor(written / STREAMS) + 1
        insert.run(`shop/${written % STREAMS}`, version, 1, type, v, JSON.stringify(data))
        written += 1
      }
      commit.run()
    }
  }
  return { append, check: () => expectCount(db, written) }
}

function expectCount(db: DatabaseSync, written: number): void {
  const found = Number(db.prepare('select count(*) as found from events').get()?.['found'])
  if (found !== written) throw new Error(`${written} events were acknowledged, ${found} are in the log`)
}

const floorMs = syncFloorMs()
const port = await portLoop()
const raw = await rawLoop()
const rows: { group: number; port_per_s: number; raw_per_s: number; ratio: number }[] = []
for (const [size, groups] of GROUPS) {
  const ratios: number[] = []
  const portMs: number[] = []
  const rawMs: number[] = []
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const ours = await timeMs(() => port.append(size, groups))
    const bare = await timeMs(() => raw.append(size, groups))
    port.check()
    raw.check()
    // The first turn warms up.
    if (turn === 0) continue
    portMs.push(ours)
    rawMs.push(bare)
    ratios.push(bare / ours)
  }
  const perSecond = (ms: number) => Math.round((size * groups * 1000) / ms)
  rows.push({
    group: size,
    port_per_s: perSecond(median(portMs)),
    raw_per_s: perSecond(median(rawMs)),
    ratio: round(median(ratios)),
  })
}
rmSync(folder, { recursive: true })
const worst = Math.min(...rows.map(({ ratio }) => ratio))
report('append', rows, { mark: MARK, ratio: worst, ok: worst >= MARK, sync_floor_ms: round(floorMs, 3) })
console.log(`one small write and sync: ${round(floorMs, 3)} ms; worst ratio ${worst}, mark ${MARK}`)
if (worst < MARK) process.exitCode = 1
