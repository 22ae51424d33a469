/** A hundred writers are killed with -9 in the middle of their work; nothing they acknowledged may be lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../src/store/open-store.ts'
import { sampleCodec, type SampleEvent } from '../test/helpers/store-events.ts'
import { startFixture } from '../test/store/child.ts'
import { report, round, syncFloorMs } from './lib/measure.ts'

const ROUNDS = 100
const GROUPS = [1, 8, 64] as const
/** Groups to wait for before the kill: from the first commit to past a checkpoint or two. */
const ACKNOWLEDGED = [1, 3, 10, 30, 60, 120] as const

const root = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
const rows = GROUPS.map((group) => ({ group, kills: 0, acknowledged: 0, lost: 0, unacknowledged_kept: 0 }))
let seen = 0
let unsound = 0

for (let turn = 0; turn < ROUNDS; turn++) {
  const row = rows[turn % rows.length]
  if (row === undefined) throw new Error('no group sizes')
  const last = await appendAndKill(
    row.group,
    ACKNOWLEDGED[Math.floor(turn / rows.length) % ACKNOWLEDGED.length] ?? 1,
  )
  const store = await open()
  const end = await lastSeq(store, seen)
  const { state } = await store.integrity
  await store.close()
  row.kills += 1
  row.acknowledged += last - seen
  row.lost += Math.max(0, last - end)
  row.unacknowledged_kept += Math.max(0, end - last)
  if (state !== 'ok') unsound += 1
  seen = end
}
rmSync(root, { recursive: true })

const lost = rows.reduce((sum, row) => sum + row.lost, 0)
const acknowledged = rows.reduce((sum, row) => sum + row.acknowledged, 0)
const ok = lost === 0 && unsound === 0 && acknowledged > 0
const summary = {
  mark: 0,
  lost,
  acknowledged,
  kills: ROUNDS,
  unsound,
  sync_floor_ms: round(syncFloorMs(), 3),
}
report('kill', rows, { ...summary, ok })
console.log(`${ROUNDS} kills, ${acknowledged} acknowledged, ${lost} lost, ${unsound} databases found unsound`)
if (!ok) process.exitCode = 1

/** The last sequence number the writer acknowledged before it was killed, `groups` groups or a little later. */
async function appendAndKill(group: number, groups: number): Promise<number> {
  const child = startFixture('appender.ts', root, `${group}`)
  const first = await child.line()
  if (first !== 'open') throw new Error(`the writer did not get the store: ${first}`)
  const lines: (string | null)[] = []
  while (lines.length < groups) lines.push(await child.line())
  return Math.max(...[...lines, ...(await child.kill())].map(Number))
}

async function open(): Promise<Store<SampleEvent>> {
  const opened = await openStore({ root, codec: sampleCodec })
  if (!opened.ok) throw new Error(`the killed writer still holds the store: ${opened.pid}`)
  return opened.store
}

/** Reads everything after `seq`, so that a gap or a broken event is noticed too. */
async function lastSeq(store: Store<SampleEvent>, seq: number): Promise<number> {
  let end = seq
  for (let page = await store.log.tail(end, 1000); page.length > 0; page = await store.log.tail(end, 1000)) {
    end = page.at(-1)?.seq ?? end
  }
  return end
}
