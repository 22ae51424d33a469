import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import { DroppedCheckins } from './dropped-checkins.ts'
import type { ReadFile } from '../checkins/worker-channel.ts'

const HOUR = 3_600_000
let root: string
let folder: string
let now: number
let known: Set<string>
let taken: string[]
let troubles: string[]
let failing: Error | null
let malformed: number
let spool: DroppedCheckins

const clock: Clock = {
  now: () => now,
  monotonic: () => now,
  boot: () => '',
  paused: () => ({ totalMs: 0, endedAt: null }),
  wake: () => () => undefined,
}

function openSpool(): DroppedCheckins {
  return new DroppedCheckins({
    folder,
    clock,
    take: async ({ worker, content }: ReadFile) => {
      if (!known.has(worker)) return 'unknown'
      if (failing !== null) throw failing
      taken.push(content.current_step ?? content.status)
      return 'taken'
    },
    onMalformed: (files) => (malformed += files.length),
    onError: (what, error) => troubles.push(`${what}: ${String(error)}`),
  })
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-spool-'))
  folder = join(root, 'worker-checkins')
  mkdirSync(folder)
  now = Date.now()
  known = new Set(['w-1'])
  taken = []
  troubles = []
  failing = null
  malformed = 0
  spool = openSpool()
})
afterEach(async () => {
  await spool.close()
  rmSync(root, { recursive: true, force: true })
})

const iso = (at: number): string => new Date(at).toISOString()
const stamp = (at: number): string => `${iso(at).replaceAll(/[-:]/g, '').slice(0, 15)}Z`
let written = 0
/** As `bosun-checkin` does it: written aside, then put in place. */
function put(step: string, options: { at?: number; worker?: string; more?: object } = {}): string {
  const { at = now, worker = 'w-1', more = {} } = options
  const name = `${worker}-${stamp(at)}-${++written}.json`
  const checkin = { worker_id: worker, timestamp: iso(at), status: 'in_progress', progress_pct: 5, ...more }
  writeFileSync(join(folder, `.${name}.part`), JSON.stringify({ ...checkin, current_step: step }))
  renameSync(join(folder, `.${name}.part`), join(folder, name))
  return name
}
const inFolder = (name: string): string[] => readdirSync(join(folder, name)).toSorted()
const left = (): string[] => readdirSync(folder).filter((name) => name !== 'archive' && name !== 'malformed')

describe('check-ins that were left as files', () => {
  test('are taken in order of time, whatever their names are', async () => {
    put('third', { at: now - 1000 })
    put('first', { at: now - 9000 })
    writeFileSync(
      join(folder, 'anything.json'),
      JSON.stringify({
        worker_id: 'w-1',
        timestamp: iso(now - 5000),
        status: 'in_progress',
        progress_pct: 1,
        current_step: 'second',
      }),
    )
    await spool.sweep()
    expect(taken).toEqual(['first', 'second', 'third'])
    expect([left(), inFolder('archive').length]).toEqual([[], 3])
  })

  test('of the same second are taken in the order they were written in', async () => {
    const names = ['a', 'b', 'c', 'd'].map((step) => put(step, { at: now }))
    for (const [index, name] of names.toReversed().entries())
      utimesSync(join(folder, name), new Date(), new Date(now + index * 10))
    await spool.sweep()
    expect(taken).toEqual(['d', 'c', 'b', 'a'])
  })

  test('of an unknown worker wait until it is known', async () => {
    put('early', { worker: 'w-2' })
    await spool.sweep()
    await spool.sweep()
    expect([taken, left().length, malformed]).toEqual([[], 1, 0])
    known.add('w-2')
    await spool.sweep()
    expect([taken, left()]).toEqual([['early'], []])
  })

  test('of a worker that was unknown for a day are set aside', async () => {
    put('lost', { worker: 'w-2' })
    await spool.sweep()
    now += 25 * HOUR
    await spool.sweep()
    expect([taken, left(), malformed]).toEqual([[], [], 1])
  })

  test('stay where they are while they cannot be stored, which is reported once', async () => {
    put('a')
    failing = new Error('the disk is full')
    await spool.sweep()
    await spool.sweep()
    expect([left().length, troubles]).toEqual([1, ['check-in files: Error: the disk is full']])
    failing = null
    await spool.sweep()
    expect([taken, left()]).toEqual([['a'], []])
  })

  test('are archived for a day', async () => {
    put('a')
    await spool.sweep()
    expect(inFolder('archive')).toHaveLength(1)
    now += 25 * HOUR
    await spool.sweep()
    expect(inFolder('archive')).toEqual([])
  })

  test('ten thousand at once let others have their turn', async () => {
    for (let index = 0; index < 10_000; index++) put(`${index}`)
    let turns = 0
    const count = (): void => {
      turns += 1
      if (taken.length < 10_000) setImmediate(count)
    }
    setImmediate(count)
    await spool.sweep()
    expect([taken.length, left()]).toEqual([10_000, []])
    expect(turns).toBeGreaterThan(100)
  })
})

describe('a file that is no check-in', () => {
  const write = (name: string, text: string | Buffer): void => writeFileSync(join(folder, name), text)
  const reasonFor = (name: string): string =>
    readFileSync(join(folder, 'malformed', `${name}.reason.txt`), 'utf8').trim()

  test.each([
    ['status: ', { status: 'asleep' }],
    ['progress_pct: ', { progress_pct: -1 }],
    ['progress_pct: ', { progress_pct: 1e9 }],
    ['worker_id: ', { worker_id: '../../x' }],
    ['the check-in: ', { unknown: 1 }],
  ])('is put aside with its reason: %s', async (reason, wrong) => {
    const name = put('x', { more: wrong })
    await spool.sweep()
    expect(reasonFor(name)).toContain(reason)
    expect([inFolder('malformed').length, malformed, taken]).toEqual([2, 1, []])
  })

  test.each(['{"worker_id":"w-1"', '', 'null and void', '{"a":"\u0000'])(
    'because not all of it is there is left for ten seconds: %j',
    async (text) => {
      write('half.json', text)
      await spool.sweep()
      now += 9000
      await spool.sweep()
      expect(left()).toEqual(['half.json'])
      now += 1000
      await spool.sweep()
      expect([left(), reasonFor('half.json')]).toEqual([[], 'it is not valid JSON, or incomplete'])
    },
  )

  test('and was only half written is taken once it is whole', async () => {
    write('slow.json', '{"worker_id":"w-1","status":')
    await spool.sweep()
    write('slow.json', '{"worker_id":"w-1","status":"blocked","progress_pct":3}')
    await spool.sweep()
    expect(taken).toEqual(['blocked'])
  })

  test('that is too large is not read', async () => {
    write('large.json', Buffer.alloc(1024 * 1024, 'x'))
    await spool.sweep()
    expect(reasonFor('large.json')).toBe('it is larger than 65536 bytes')
  })

  test('but a link, a pipe or a folder is not followed, waited for or looked into', async () => {
    const secret = join(root, 'secret.json')
    writeFileSync(secret, '{"worker_id":"w-1","status":"failed","progress_pct":3}')
    symlinkSync(secret, join(folder, 'link.json'))
    symlinkSync('/dev/zero', join(folder, 'zero.json'))
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    mkdirSync(join(folder, 'folder.json'))
    await spool.sweep()
    expect([taken, left(), existsSync(secret)]).toEqual([[], [], true])
    expect(reasonFor('link.json')).toBe('it is a link')
    expect(reasonFor('pipe.json')).toBe('it is not a regular file')
    expect(reasonFor('folder.json')).toBe('it is not a regular file')
  })

  test('by its name alone is put aside as well', async () => {
    write('notes.txt', '{}')
    write('a\nb $(id).json', '[]')
    await spool.sweep()
    now += 10_000
    await spool.sweep()
    expect(left()).toEqual([])
    expect(malformed).toBe(2)
  })

  test('is read with what can be read of it where its bytes are no text', async () => {
    write(
      'bytes.json',
      Buffer.concat([
        Buffer.from('{"worker_id":"w-1","status":"blocked","progress_pct":3,"current_step":"a'),
        Buffer.from([0xff, 0xfe, 0xc3]),
        Buffer.from('b\\u0000\\u001b[31mred\\u001b]0;t\\u0007"}'),
      ]),
    )
    await spool.sweep()
    expect(taken).toEqual(['a\ufffd\ufffd\ufffdbred'])
  })
})

describe('a spool that is', () => {
  const replace = (make: () => void): void => {
    rmSync(folder, { recursive: true })
    make()
  }

  test('a link is refused, and nothing behind it is touched', async () => {
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(elsewhere)
    replace(() => symlinkSync(elsewhere, folder))
    put('x')
    await spool.sweep()
    await spool.sweep()
    expect(troubles).toEqual([expect.stringContaining('is a symbolic link and is not followed')])
    expect([taken, readdirSync(elsewhere).length]).toEqual([[], 1])
    replace(() => mkdirSync(folder))
    put('y')
    await spool.sweep()
    expect(taken).toEqual(['y'])
  })

  test('a file is refused', async () => {
    replace(() => writeFileSync(folder, ''))
    await spool.sweep()
    expect(troubles).toEqual([expect.stringContaining('is not a folder')])
  })

  test('not there is made', async () => {
    replace(() => undefined)
    await spool.sweep()
    expect([troubles, existsSync(folder)]).toEqual([[], true])
  })

  test('its archive as a link is refused as well', async () => {
    symlinkSync(root, join(folder, 'archive'))
    put('x')
    await spool.sweep()
    expect([taken, troubles.length]).toEqual([[], 1])
  })
})
