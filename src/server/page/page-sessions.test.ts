import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PageSessions, SESSION_LIFE_MS } from './page-sessions.ts'

const TOKEN = 'cd'.repeat(32)
let root: string
let now: number
let errors: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-sessions-'))
  now = Date.UTC(2026, 10, 16)
  errors = []
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const opened = (token = TOKEN): PageSessions =>
  new PageSessions({
    root,
    token,
    now: () => now,
    onError: (what, error) => errors.push(`${what}: ${String(error)}`),
  })
const file = (): string => join(root, 'sessions.json')

describe('a page session', () => {
  test('survives restarts for twelve hours', async () => {
    const { session, expiresAt } = await opened().start()
    expect(session).toMatch(/^[0-9a-f]{64}$/)
    expect(expiresAt).toBe(now + SESSION_LIFE_MS)
    now += SESSION_LIFE_MS - 1
    expect(opened().has(session)).toBe(true)
    now += 1
    expect(opened().has(session)).toBe(false)
    expect(errors).toEqual([])
  })

  test('is not in the file, which is for its owner alone', async () => {
    const { session } = await opened().start()
    expect(readFileSync(file(), 'utf8')).not.toContain(session)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('ends with the token of the state root', async () => {
    const { session } = await opened().start()
    expect(opened('ab'.repeat(32)).has(session)).toBe(false)
  })

  test('cannot be taken from the file', async () => {
    const sessions = opened()
    await sessions.start()
    const [hash = ''] = /[0-9a-f]{64}/.exec(readFileSync(file(), 'utf8')) ?? []
    expect(hash).not.toBe('')
    expect(opened().has(hash)).toBe(false)
  })

  test('is counted with the time of its start while it is open', async () => {
    const sessions = opened()
    const before = sessions.startTimes().length
    await sessions.start()
    expect(sessions.startTimes()).toHaveLength(before + 1)
    expect(sessions.startTimes().at(-1)).toBe(now)
  })

  test('is revoked alone or with all others, also for the next daemon', async () => {
    const sessions = opened()
    const [one, two, three] = await Promise.all([sessions.start(), sessions.start(), sessions.start()])
    const [ended, going] = [sessions.endOf(one.session), sessions.endOf(two.session)]
    expect(await sessions.revoke(one.session)).toBe(1)
    expect([ended.aborted, going.aborted]).toEqual([true, false])
    expect(await sessions.revoke(one.session)).toBe(0)
    expect([one, two, three].map(({ session }) => opened().has(session))).toEqual([false, true, true])
    expect(await sessions.revokeAll()).toBe(2)
    expect(going.aborted).toBe(true)
    expect([one, two, three].some(({ session }) => opened().has(session))).toBe(false)
    expect(sessions.endOf(one.session).aborted).toBe(true)
  })

  test('ends when there are too many newer ones', async () => {
    const sessions = opened()
    const first = await sessions.start()
    const end = sessions.endOf(first.session)
    for (let n = 0; n < 32; n++) await sessions.start()
    expect([sessions.has(first.session), end.aborted]).toEqual([false, true])
    expect(opened().has(first.session)).toBe(false)
    expect(await opened().revokeAll()).toBe(32)
  })
})

describe('a sessions.json that is not ours', () => {
  test.each([
    ['no JSON', () => writeFileSync(file(), '{')],
    ['another shape', () => writeFileSync(file(), '{"sessions": "all"}')],
    ['too long', () => writeFileSync(file(), ' '.repeat(100_000))],
    ['a folder', () => mkdirSync(file())],
    ['a link', () => symlinkSync('/etc/passwd', file())],
  ])('opens nothing: %s', (_what, make) => {
    make()
    const sessions = opened()
    expect(sessions.has('0'.repeat(64))).toBe(false)
    expect(sessions.has('')).toBe(false)
    expect(errors).toHaveLength(1)
  })

  test('is replaced by the next session', async () => {
    symlinkSync('/etc/passwd', file())
    const { session } = await opened().start()
    expect(opened().has(session)).toBe(true)
  })
})
