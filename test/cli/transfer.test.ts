/** `bosun export` and `bosun import`, seen from outside. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventCodec } from '../../src/core/events/codec.ts'
import type { PlanEvent } from '../../src/core/events/plan-events.ts'
import { acquireLock } from '../../src/store/sqlite/lock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { BIN, bosun, CLEAN_ENV } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const folder = tempFolder()
const filled = { BOSUN_HOME: join(folder, 'filled') }
const empty = { BOSUN_HOME: join(folder, 'empty') }
const backup = join(folder, 'backup.jsonl')

const resumed = (by: string): PlanEvent => ({ type: 'plan.resumed', v: 1, by })

beforeAll(async () => {
  const opened = await openStore({ root: filled.BOSUN_HOME, codec: eventCodec })
  if (!opened.ok) throw new Error(opened.why)
  for (const stream of ['shop/a', 'shop/b']) {
    // Line ends of Unicode stand in JSON as they are, and end no line of the file.
    const events = [resumed('Ann'), resumed('B\u2028ob')]
    await opened.store.log.append({ stream, expectedVersion: 0, at: 1, events })
  }
  await opened.store.close()
})

describe('export', () => {
  test('writes to a file, and prints the count', async () => {
    const run = await bosun(['export', backup, '--json'], { env: filled })
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({
      schema: 'bosun.export/v1',
      file: backup,
      events: 4,
      stopped: null,
    })
    const lines = readFileSync(backup, 'utf8').split('\n')
    expect(lines.length).toBe(7)
    expect(JSON.parse(lines[0] ?? '')).toEqual({ schema: 'bosun.exported-log/v1' })
  })

  test('writes the same to stdout, and nothing else', async () => {
    const run = await bosun(['export'], { env: filled })
    expect(run).toMatchObject({ exit: 0, stderr: '' })
    expect(run.stdout).toBe(readFileSync(backup, 'utf8'))
  })

  test('exits with not found without a log, and creates nothing', async () => {
    const run = await bosun(['export', join(folder, 'none.jsonl')], { env: empty })
    expect(run).toMatchObject({ exit: 3, stdout: '' })
    expect(existsSync(join(folder, 'none.jsonl'))).toBe(false)
    expect(existsSync(empty.BOSUN_HOME)).toBe(false)
  })

  test('refuses --json without a file', async () => {
    const run = await bosun(['export', '--json'], { env: filled })
    expect(run.exit).toBe(2)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'usage' } })
  })

  test('ends quietly when its reader closes the pipe', () => {
    const line = '"$BIN" export | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"'
    const run = spawnSync('/bin/bash', ['-c', line], {
      env: { ...CLEAN_ENV, ...filled, BIN },
      encoding: 'utf8',
    })
    expect(run).toMatchObject({ stdout: '0\n', stderr: '' })
  })
})

describe('import', () => {
  test('imports an export, and skips known events', async () => {
    const into = { BOSUN_HOME: join(folder, 'imported') }
    const first = await bosun(['import', backup, '--json'], { env: into })
    expect(first.stderr).toBe('')
    expect(JSON.parse(first.stdout)).toMatchObject({ schema: 'bosun.import/v1', written: 4, skipped: 0 })
    const second = await bosun(['import', backup, '--json'], { env: into })
    expect(JSON.parse(second.stdout)).toMatchObject({ written: 0, skipped: 4 })
    expect((await bosun(['export'], { env: into })).stdout).toBe(readFileSync(backup, 'utf8'))
  })

  test('names the invalid line, and changes nothing', async () => {
    const broken = join(folder, 'broken.jsonl')
    writeFileSync(broken, readFileSync(backup, 'utf8').replace('"plan.resumed"', '"plan.unknown"'))
    const into = { BOSUN_HOME: join(folder, 'untouched') }
    const run = await bosun(['import', broken], { env: into })
    expect(run).toMatchObject({ exit: 1, stdout: '' })
    expect(run.stderr).toContain(`${broken}:2: error: `)
    expect((await bosun(['export'], { env: into })).stdout).toContain('"events":0')
  })

  test('refuses a file with trailing data, a truncated one, or a binary one', async () => {
    const files = { longer: '{}\n', cut: '', binary: '' }
    for (const [name, more] of Object.entries(files)) {
      const path = join(folder, name)
      if (name === 'binary') writeFileSync(path, Uint8Array.of(0, 255, 254, 10, 200))
      else
        writeFileSync(
          path,
          name === 'cut' ? readFileSync(backup, 'utf8').slice(0, 200) : readFileSync(backup),
        )
      appendFileSync(path, more)
      const run = await bosun(['import', path], { env: empty })
      expect(run.exit, name).toBe(1)
      expect(run.stderr, name).toContain(`${path}:`)
    }
  })

  test('exits with not found for a missing file, and creates no state', async () => {
    const into = { BOSUN_HOME: join(folder, 'never') }
    expect((await bosun(['import', 'nowhere.jsonl'], { env: into })).exit).toBe(3)
    expect(existsSync(into.BOSUN_HOME)).toBe(false)
  })

  test('fails with a conflict while another process holds the state', async () => {
    const locked = await acquireLock(filled.BOSUN_HOME)
    if (!locked.ok) throw new Error(locked.why)
    try {
      const run = await bosun(['import', backup], { env: filled })
      expect(run).toMatchObject({ exit: 4, stdout: '' })
      expect(run.stderr).toContain(`pid ${process.pid}`)
    } finally {
      await locked.lock.release('clean')
    }
  })
})
