import { describe, expect, test } from 'vitest'
import { logWith } from '../../test/helpers/log-with.ts'
import { anAudit, aRegistration, low, START } from '../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../test/helpers/played-plan.ts'
import { ScriptedProject, STREAM } from '../../test/helpers/scripted-project.ts'
import { NO_BRANCHES } from '../core/event-schemas/baseline.ts'
import { eventCodec } from '../core/events/codec.ts'
import type { PlanEvent } from '../core/events/plan-events.ts'
import { standing } from '../core/decide/standing.ts'
import { freeze, SNAPSHOT_SHAPE } from '../core/state/snapshot.ts'
import type { EventLog } from '../ports/event-log.ts'
import { MemoryEventLog } from '../store/memory-event-log.ts'
import { loadPlan, NoSuchPlan, readOn, saveSnapshot, snapshotIsDue } from './plan-log.ts'

const note: PlanEvent = { type: 'word.ignored', v: 1, from: 'x', about: 'y', why: 'z' }

/** A log with a plan and this many more events, which records the reads. */
async function logOf(more: number) {
  const log = new MemoryEventLog<PlanEvent>(eventCodec)
  const events = [aRegistration([low('1')]), ...Array.from({ length: more }, () => note)]
  await log.append({ stream: STREAM, expectedVersion: 0, at: START, events })
  const reads: number[] = []
  const watched = logWith(log, {
    read: (stream, afterVersion, limit) => {
      reads.push(afterVersion)
      return log.read(stream, afterVersion, limit)
    },
  })
  return { log, watched, reads }
}

describe('a plan is loaded', () => {
  test('from its events, over any number of pages', async () => {
    const { watched, reads } = await logOf(2500)
    const { state, snapshotVersion } = await loadPlan(watched, STREAM)
    expect([state.version, snapshotVersion, reads]).toEqual([2501, 0, [0, 1000, 2000]])
  })

  test('from its snapshot and the events after it only', async () => {
    const { log, watched, reads } = await logOf(2500)
    const { state } = await loadPlan(log, STREAM)
    await saveSnapshot(log, STREAM, { state, seq: 2501 })
    await log.append({ stream: STREAM, expectedVersion: 2501, at: START, events: [note] })
    const loaded = await loadPlan(watched, STREAM)
    expect([loaded.state.version, loaded.snapshotVersion, reads]).toEqual([2502, 2501, [2501]])
  })

  test('from its events where the snapshot has an unknown format', async () => {
    const { log, watched, reads } = await logOf(3)
    await log.saveSnapshot({
      stream: STREAM,
      version: 4,
      seq: 4,
      shape: SNAPSHOT_SHAPE + 1,
      state: 'from the future',
    })
    const { state, snapshotVersion } = await loadPlan(watched, STREAM)
    expect([state.version, snapshotVersion, reads]).toEqual([4, 0, [0]])
  })

  test('not at all where it does not exist', async () => {
    await expect(loadPlan(new MemoryEventLog<PlanEvent>(eventCodec), STREAM)).rejects.toThrow(NoSuchPlan)
  })
})

test('all entries after a version are read', async () => {
  const { log } = await logOf(2500)
  expect(await readOn(log, STREAM, 2501)).toEqual([])
  expect((await readOn(log, STREAM, 1)).map(({ version }) => version).at(-1)).toBe(2501)
})

describe('a snapshot', () => {
  test('is due after a thousand events, or two for each task of a large plan', () => {
    const small = PlayedPlan.begun([low('1')]).state
    expect([999, 1000].map((version) => snapshotIsDue({ ...small, version }, 0))).toEqual([false, true])
    expect(snapshotIsDue({ ...small, version: 1500 }, 1000)).toBe(false)
    const large = PlayedPlan.begun(Array.from({ length: 900 }, (_, id) => low(`${id}`))).state
    expect([1799, 1800].map((version) => snapshotIsDue({ ...large, version }, 0))).toEqual([false, true])
  })

  test('does not change when the plan continues', async () => {
    const { log } = await logOf(0)
    const { state } = await loadPlan(log, STREAM)
    await saveSnapshot(log, STREAM, { state, seq: 1 })
    const before = JSON.stringify((await log.loadSnapshot(STREAM))?.state)
    const baseline: PlanEvent = {
      type: 'plan.baselined',
      v: 2,
      sha: 's',
      contextBlock: '',
      failing: [],
      start: null,
      audits: [],
      branches: NO_BRANCHES,
    }
    const audits = [anAudit('1')]
    await log.append({ stream: STREAM, expectedVersion: 1, at: START, events: [{ ...baseline, audits }] })
    await loadPlan(log, STREAM)
    expect(JSON.stringify((await log.loadSnapshot(STREAM))?.state)).toBe(before)
    const again = await loadPlan(log, STREAM)
    expect([again.state.counts.completed, again.state.version]).toEqual([1, 2])
  })

  test('is saved by the engine, and the next one starts from it', async () => {
    const project = await ScriptedProject.registered([low('1')])
    await project.append(...Array.from({ length: 1200 }, () => note))
    const first = await project.start()
    await project.until('worker.started')
    await first.close()
    const snapshot = await project.log.loadSnapshot(STREAM)
    expect(snapshot?.version).toBeGreaterThan(1200)
    const second = await project.run()
    expect(standing(second.state).state).toBe('done')
    const replayed = await loadPlan(await copyWithoutSnapshot(project), STREAM)
    expect(JSON.stringify(freeze(replayed.state))).toBe(JSON.stringify(freeze(second.state)))
  })
})

async function copyWithoutSnapshot(project: ScriptedProject): Promise<EventLog<PlanEvent>> {
  const log = new MemoryEventLog<PlanEvent>(eventCodec)
  for (const { version, at, event } of await project.entries()) {
    await log.append({ stream: STREAM, expectedVersion: version - 1, at, events: [event] })
  }
  return log
}
