import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventLog } from '../../ports/event-log.ts'
import { describeEventLog } from '../../../test/conformance/event-log.conformance.ts'
import { chainEvents } from '../../../test/helpers/chained-events.ts'
import { note, sampleCodec, type SampleEvent } from '../../../test/helpers/store-events.ts'
import { prepareSchema } from './schema.ts'
import { openWriter } from './sqlite-connection.ts'
import { SqliteEventLog } from './sqlite-event-log.ts'

async function openAt(path: string) {
  const db = openWriter(path)
  prepareSchema(db, path)
  return { db, log: new SqliteEventLog({ db, path, codec: sampleCodec }) }
}

describeEventLog('the log in SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bosun-log-'))
  const path = join(folder, 'bosun.db')
  let { log } = await openAt(path)
  return {
    log,
    reopen: async () => {
      await log.close()
      log = (await openAt(path)).log
      return log
    },
    dispose: async () => {
      await log.close()
      await rm(folder, { recursive: true })
    },
  }
})

describe('a database that another program damaged', () => {
  let folder: string
  let db: DatabaseSync
  let log: EventLog<SampleEvent>

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bosun-log-'))
    ;({ db, log } = await openAt(join(folder, 'bosun.db')))
    const events = [note('a'), note('b'), note('c')]
    await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events })
    await log.append({ stream: 'blog', expectedVersion: 0, at: 1, events: [note('x')] })
  })
  afterEach(async () => {
    await log.close()
    await rm(folder, { recursive: true })
  })

  const spoiled: [string, string, RegExp][] = [
    [
      'an unknown type',
      `update events set type = 'ship.sunk' where seq = 2`,
      /ship\.sunk v1 is not an event/,
    ],
    ['an unknown version', `update events set v = 9 where seq = 2`, /note\.written v9 is not an event/],
    [
      'a schema violation',
      `update events set data = '{"text":7}' where seq = 2`,
      /is not an event this version of Bosun/,
    ],
    ['invalid JSON', `update events set data = '{"text":' where seq = 2`, /is not valid JSON/],
    [
      'JSON that is no object',
      `update events set data = 'null' where seq = 2`,
      /is not an event this version of Bosun/,
    ],
  ]

  test.each(spoiled)('stops reading at %s, naming its number and what to do', async (_, sql, problem) => {
    db.exec(sql)
    const failure = {
      name: 'BrokenEvent',
      seq: 2,
      stream: 'shop',
      message: expect.stringMatching(problem),
      remedy: expect.stringContaining('bosun export'),
    }
    await expect(log.read('shop', 0, 10)).rejects.toMatchObject(failure)
    await expect(log.tail(1, 10)).rejects.toMatchObject(failure)
    expect(await log.tail(0, 1)).toHaveLength(1)
    expect(await log.tail(2, 10)).toHaveLength(2)
  })

  const byHand: [string, string, number | null][] = [
    ['another text', `update events set data = '{"text":"z"}' where seq = 2`, 2],
    ['another time', 'update events set at = 9 where seq = 1', 1],
    [
      'two events in each other’s place',
      `update events set data = iif(seq = 2, '{"text":"c"}', '{"text":"b"}') where seq in (2, 3)`,
      2,
    ],
    [
      'an event put in at the end',
      `insert into events (stream, version, at, type, v, data, chain)
       select stream, 4, at, type, v, data, chain from events where seq = 3;
       update streams set version = 4 where stream = 'shop'`,
      5,
    ],
    [
      'an event put in between',
      `update events set version = version + 10 where stream = 'shop' and version > 1;
       insert into events (stream, version, at, type, v, data, chain) values ('shop', 2, 1, 'note.written', 1, '{"text":"n"}', 'x');
       update events set version = version - 9 where stream = 'shop' and version > 10;
       update streams set version = 4 where stream = 'shop'`,
      5,
    ],
    [
      'its last event gone and its head moved back',
      `delete from events where seq = 3; update streams set version = 2 where stream = 'shop'`,
      null,
    ],
    [
      'an event taken out and the others moved up',
      `delete from events where seq = 2; update events set version = 2 where seq = 3;
       update streams set version = 2 where stream = 'shop'`,
      3,
    ],
  ]

  test.each(byHand)('notices %s, and changes nothing', async (_, sql, seq) => {
    db.exec(sql)
    const rows = () => db.prepare('select * from events').all()
    const before = rows()
    const failure = {
      name: 'BrokenEvent',
      seq,
      stream: 'shop',
      message: expect.stringContaining('the database was changed by hand'),
      remedy: expect.stringContaining('bosun export'),
    }
    await expect(log.read('shop', 0, 10)).rejects.toMatchObject(failure)
    if (seq !== null) {
      await expect(log.tail(seq - 1, 1)).rejects.toMatchObject(failure)
      await expect(
        log.search('shop', { afterVersion: 0, limit: 10, types: ['note.written'], texts: [] }),
      ).rejects.toMatchObject(failure)
    }
    expect(await log.read('blog', 0, 10)).toHaveLength(1)
    expect(rows()).toEqual(before)
  })

  test('notices that events of a stream were put into another order in the whole log', async () => {
    db.exec('update events set seq = -2 where seq = 2; update events set seq = 2 where seq = 3')
    db.exec('update events set seq = 3 where seq = -2')
    await expect(log.read('shop', 0, 10)).rejects.toMatchObject({ name: 'BrokenEvent', seq: 2 })
  })

  test('notices at the end of a stream that its last event is another one, when only what is new is read', async () => {
    db.exec(`update events set data = '{"text":"z"}' where seq = 3`)
    chainEvents(db)
    expect(await log.read('shop', 3, 10)).toEqual([])
    db.exec(`update streams set chain = 'x' where stream = 'shop'`)
    await expect(log.read('shop', 3, 10)).rejects.toMatchObject({ name: 'BrokenEvent', seq: null })
  })

  test('ignores a snapshot that was changed by hand', async () => {
    await log.saveSnapshot({ stream: 'shop', version: 2, seq: 2, shape: 1, state: { a: 1 } })
    expect(await log.loadSnapshot('shop')).toMatchObject({ state: { a: 1 } })
    db.exec(`update snapshots set state = '{"a":2}'`)
    expect(await log.loadSnapshot('shop')).toBeNull()
  })

  test('ends a subscription at the broken event, after everything before it', async () => {
    db.exec(`update events set data = '' where seq = 2`)
    const failure = await new Promise((resolve) => {
      log.subscribe(0, () => undefined, resolve)
    })
    expect(failure).toMatchObject({ name: 'BrokenEvent', seq: 2 })
  })

  test('stops at a gap in a stream, which is also a gap in the log', async () => {
    db.exec('delete from events where seq = 2')
    await expect(log.read('shop', 0, 10)).rejects.toMatchObject({
      name: 'BrokenEvent',
      seq: 3,
      message: expect.stringContaining('version 2 is missing'),
    })
    await expect(log.tail(0, 10)).rejects.toMatchObject({ name: 'BrokenEvent', seq: 2 })
  })

  test('notices that the last events of a stream and of the log are gone', async () => {
    db.exec('delete from events where seq >= 3')
    await expect(log.read('shop', 0, 10)).rejects.toMatchObject({ name: 'BrokenEvent', seq: null })
    await expect(log.tail(2, 10)).rejects.toMatchObject({ name: 'BrokenEvent', seq: 3 })
    expect(await log.read('shop', 0, 2)).toHaveLength(2)
  })

  test('ignores a snapshot that cannot be read', async () => {
    await log.saveSnapshot({ stream: 'shop', version: 3, seq: 3, shape: 1, state: { a: 1 } })
    db.exec(`update snapshots set state = '{"a":'`)
    expect(await log.loadSnapshot('shop')).toBeNull()
  })

  test('brings an event of an old version up to date when it is read', async () => {
    db.exec(`update events set type = 'count.raised', v = 1, data = '{}' where seq = 2`)
    chainEvents(db)
    expect((await log.tail(1, 1))[0]?.event).toEqual({ type: 'count.raised', v: 2, by: 1 })
  })

  test('fails the append that meets the damage, and none of the others in its group', async () => {
    db.exec(`update streams set version = 2 where stream = 'shop'`)
    const append = (stream: string, expectedVersion: number) =>
      log.append({ stream, expectedVersion, at: 1, events: [note('n'), note('m')] })
    const [before, bad, after] = await Promise.allSettled([
      append('blog', 1),
      append('shop', 2),
      append('attic', 0),
    ])
    expect([before.status, bad.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await log.tail(4, 10)).map(({ stream }) => stream)).toEqual(['blog', 'blog', 'attic', 'attic'])
  })
})
