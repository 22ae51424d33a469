import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHECKINS, leaveFile } from './worker-call.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-call-'))
  writeFileSync(join(folder, 'a file'), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A worker whose coordination folder cannot be written. */
const sandboxed = () => ({
  id: 'w-shop-1-1',
  port: null,
  token: 't',
  coordination: join(folder, 'a file', 'coordination'),
  outbox: join(folder, '.bosun'),
  reportPath: null,
})

test('a check-in that may be written nowhere else goes to the outbox, as its supervisor expects it', () => {
  leaveFile(sandboxed(), { folder: CHECKINS, prefix: '' }, { status: 'in_progress', progress_pct: 40 })
  const [name = ''] = readdirSync(join(folder, '.bosun/checkins'))
  expect(name).toMatch(/^w-shop-1-1-\d{8}T\d{6}Z-\d+\.json$/)
  expect(JSON.parse(readFileSync(join(folder, '.bosun/checkins', name), 'utf8'))).toMatchObject({
    worker_id: 'w-shop-1-1',
    token: 't',
    progress_pct: 40,
  })
})

test('a request that cannot be written is an error, since only check-ins are passed on', () => {
  expect(() => leaveFile(sandboxed(), { folder: 'pm-requests/pending', prefix: 'req-' }, {})).toThrow()
})

test('a check-in goes to the coordination folder where it can', () => {
  const worker = { ...sandboxed(), coordination: join(folder, 'coordination') }
  leaveFile(worker, { folder: CHECKINS, prefix: '' }, {})
  expect(readdirSync(join(folder, 'coordination', CHECKINS))).toHaveLength(1)
})
