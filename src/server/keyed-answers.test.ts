import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeyedAnswers, type KeptLimits } from './keyed-answers.ts'
import { jsonAnswer, type TextAnswer } from './routing.ts'

const HOUR = 3_600_000
let root: string
let now: number
let handled: number
const errors: unknown[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-keyed-'))
  now = Date.now()
  handled = 0
  errors.length = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** As after a restart of the daemon. */
const opened = (limits?: KeptLimits): KeyedAnswers =>
  new KeyedAnswers({
    root,
    now: () => now,
    onError: (_, error) => errors.push(error),
    ...(limits === undefined ? {} : { limits }),
  })
const asked = (key: string, body = '{}') => ({ key, route: 'POST /api/plans/shop/pause', body })
const handle = async (): Promise<TextAnswer> => jsonAnswer({ nth: ++handled }, 200)
const refuse = async (): Promise<TextAnswer> => jsonAnswer({ nth: ++handled }, 409)

describe('a request with a key', () => {
  test('is handled once, and the same again gets the same answer, after a restart too', async () => {
    const answers = opened()
    const first = await answers.answer(asked('k-1'), handle)
    for (const again of [answers, opened()]) {
      const { status, headers, body } = await again.answer(asked('k-1'), handle)
      expect({ status, body }).toEqual({ status: first.status, body: first.body })
      expect(headers).toEqual({ ...first.headers, 'Idempotent-Replayed': 'true' })
    }
    expect(handled).toBe(1)
  })

  test('is handled once where it is sent twice at the same time', async () => {
    const answers = opened()
    const [one, two] = await Promise.all([
      answers.answer(asked('k-1'), handle),
      answers.answer(asked('k-1'), handle),
    ])
    expect(two).toEqual(one)
    expect(handled).toBe(1)
  })

  test('is refused where the key was used for another body or another route', async () => {
    const answers = opened()
    const first = answers.answer(asked('k-1'), handle)
    await expect(answers.answer(asked('k-1', '{"now":true}'), handle)).rejects.toMatchObject({
      code: 'conflict',
    })
    await first
    for (const again of [answers, opened()]) {
      await expect(again.answer(asked('k-1', '{"now":true}'), handle)).rejects.toMatchObject({
        code: 'conflict',
      })
      const elsewhere = { ...asked('k-1'), route: 'POST /api/plans/shop/resume' }
      await expect(again.answer(elsewhere, handle)).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(handled).toBe(1)
  })

  test('is handled again where it was refused, since nothing was changed', async () => {
    const answers = opened()
    expect((await answers.answer(asked('k-1'), refuse)).status).toBe(409)
    expect((await answers.answer(asked('k-1'), handle)).status).toBe(200)
    expect(handled).toBe(2)
  })

  test('is not handled again where the daemon died while it was', async () => {
    void opened().answer(asked('k-1'), () => new Promise(() => undefined))
    await expect(opened().answer(asked('k-1'), handle)).rejects.toMatchObject({
      code: 'no_daemon',
      message: expect.stringMatching(/may have taken effect/),
    })
    expect(handled).toBe(0)
  })

  test('is forgotten after a day', async () => {
    await opened().answer(asked('k-1'), handle)
    now += 24 * HOUR
    await opened().answer(asked('k-1'), handle)
    expect(handled).toBe(2)
  })

  test.each(['', ' ', 'a b', 'a\u0000b', '../x', 'x'.repeat(201)])(
    'is refused where the key is %j',
    async (key) => {
      await expect(opened().answer(asked(key), handle)).rejects.toMatchObject({ code: 'usage' })
      expect(readdirSync(root)).toEqual([])
    },
  )
})

describe('the answers that are kept', () => {
  const files = (): readonly string[] => readdirSync(join(root, 'answers'))
  const age = (hours: number, names = files()): void => {
    const at = new Date(now - hours * HOUR)
    for (const name of names) utimesSync(join(root, 'answers', name), at, at)
  }

  test('are removed when they are a day old', async () => {
    await opened().answer(asked('k-1'), handle)
    age(25)
    await opened().answer(asked('k-2'), handle)
    expect(files()).toHaveLength(1)
    expect(errors).toEqual([])
  })

  test('are limited in number and in size, and the oldest go first', async () => {
    await opened().answer(asked('k-1'), handle)
    age(3)
    const oldest = new Set(files())
    await opened().answer(asked('k-2'), handle)
    age(
      2,
      files().filter((name) => !oldest.has(name)),
    )
    await opened().answer(asked('k-3'), handle)
    await opened({ count: 1, bytes: 1_000_000 }).answer(asked('k-4'), handle)
    expect(files()).toHaveLength(2)
    await opened().answer(asked('k-3'), handle)
    expect(handled).toBe(4)
    await opened({ count: 100, bytes: 10 }).answer(asked('k-5'), handle)
    expect(files()).toHaveLength(1)
  })

  test('are for the user alone', async () => {
    await opened().answer(asked('k-1'), handle)
    expect(statSync(join(root, 'answers')).mode & 0o077).toBe(0)
    for (const name of files()) expect(statSync(join(root, 'answers', name)).mode & 0o077).toBe(0)
  })
})
