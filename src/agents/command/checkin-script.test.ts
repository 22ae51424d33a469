import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkinFileSchema } from '../../core/watch/checkins/checkin.ts'
import { installWorkerTools } from './checkin-script.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-checkin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
installWorkerTools(join(folder, 'tools'))

interface Around {
  readonly env?: Readonly<Record<string, string>>
  readonly prepare?: (coordination: string) => void
}

let calls = 0
function checkin(args: readonly (string | Buffer)[], { env = {}, prepare = () => undefined }: Around = {}) {
  const coordination = join(folder, `coordination-${++calls}`)
  prepare(coordination)
  const all = {
    PATH: process.env['PATH'] ?? '',
    BOSUN_WORKER_ID: 'w-shop-1-1',
    BOSUN_TOKEN: 'secret',
    BOSUN_COORDINATION: coordination,
    ...env,
  }
  const script = join(folder, 'tools/bosun-checkin')
  const { status, stdout, stderr } = spawnSync(script, args as string[], { env: all, encoding: 'utf8' })
  const inbox = join(coordination, 'worker-checkins')
  const files = existsSync(inbox) ? readdirSync(inbox) : []
  const texts = files.map((file) => readFileSync(join(inbox, file), 'utf8'))
  const checkins = texts.map((text) => JSON.parse(text) as Record<string, unknown>)
  return { status, stdout, stderr, files, texts, checkins, coordination }
}

const words = (line: string): string[] => line.split(' ')

describe('bosun-checkin', () => {
  test('leaves the check-in in the outbox where its sandbox keeps it from the coordination folder', () => {
    const outbox = join(folder, 'outbox 1')
    mkdirSync(outbox)
    const env = { BOSUN_COORDINATION: '/dev/null/nowhere', BOSUN_OUTBOX: outbox }
    const { status, stdout, stderr } = checkin(['in_progress', '40'], { env })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
    const [name = ''] = readdirSync(join(outbox, 'checkins'))
    expect(name).toMatch(/^w-shop-1-1-\d{8}T\d{6}Z-\d+\.json$/)
    expect(JSON.parse(readFileSync(join(outbox, 'checkins', name), 'utf8'))).toMatchObject({
      token: 'secret',
      progress_pct: 40,
    })
  })

  test('prints a message once and marks it as read where it may not remove it', () => {
    const outbox = join(folder, 'outbox 2')
    const bin = join(folder, 'no-rm')
    mkdirSync(join(outbox, 'checkins'), { recursive: true })
    mkdirSync(bin)
    writeFileSync(join(bin, 'rm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const coordination = join(folder, 'read-only')
    const messages = join(coordination, 'worker-messages/w-shop-1-1')
    mkdirSync(messages, { recursive: true })
    writeFileSync(join(messages, '1.txt'), 'nudge: hello\n')
    const env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      BOSUN_COORDINATION: coordination,
      BOSUN_OUTBOX: outbox,
    }
    expect(checkin(['in_progress', '40'], { env }).stdout).toBe('nudge: hello\n')
    expect(readdirSync(join(outbox, 'checkins'))).toEqual(['.read-1'])
    expect(checkin(['in_progress', '50'], { env })).toMatchObject({ status: 0, stdout: '' })
  })

  test('writes all its arguments to one small file, a valid check-in', () => {
    const { status, files, texts, checkins } = checkin(
      words(
        'failed 040 --current-step building --next-step testing --time-remaining 10m --token-usage 01200 ' +
          '--issue slow --issue odd --request need_time --tool-start npm --deliverables a.js --metric tests=12 ' +
          '--metric ratio=-0.50 --tests-passed 012 --tests-failed 1 --failing-test adds --failure-reason broken --failure-category environment --can-retry no',
      ),
    )
    expect(status).toBe(0)
    expect(files).toEqual([expect.stringMatching(/^w-shop-1-1-\d{8}T\d{6}Z-\d+\.json$/)])
    expect(checkins).toEqual([
      {
        worker_id: 'w-shop-1-1',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        token: 'secret',
        status: 'failed',
        progress_pct: 40,
        current_step: 'building',
        next_step: 'testing',
        time_remaining_estimate: '10m',
        token_usage: 1200,
        issues: ['slow', 'odd'],
        requests: ['need_time'],
        metrics: { tests: 12, ratio: -0.5 },
        tests: { outcome: 'failed', passed: 12, failed: 1, failing: ['adds'] },
        failure: { reason: 'broken', category: 'environment', can_retry: false },
        tool_start: 'npm',
        deliverables: 'a.js',
      },
    ])
    expect(checkinFileSchema.safeParse(checkins[0]).error).toBeUndefined()
    expect(texts[0]?.length).toBeLessThan(600)
    expect(Math.abs(Date.parse(String(checkins[0]?.['timestamp'])) - Date.now())).toBeLessThan(60_000)
  })

  test.each([
    ['--tests-passed 12 --tests-failed 0', { outcome: 'passed', passed: 12, failed: 0 }],
    ['--tests-failed 2', { outcome: 'failed', failed: 2 }],
    ['--failing-test adds', { outcome: 'failed', failing: ['adds'] }],
  ])('reports the results of tests: %s', (flags, tests) => {
    expect(checkin(words(`in_progress 70 ${flags}`)).checkins).toMatchObject([{ tests }])
  })

  test('quotes all arguments and runs none of them', () => {
    const nasty = `"quoted" \\ 'single' $(touch ${folder}/run) \`touch ${folder}/run\` é 漢\n\ttab *? -x \u001b[31m\u007f`
    const { checkins } = checkin([
      'failed',
      '60',
      '--failure-reason',
      nasty,
      '--issue',
      '--request',
      '--issue',
      '',
    ])
    expect(checkins).toEqual([
      expect.objectContaining({ failure: { reason: nasty }, issues: ['--request', ''] }),
    ])
    expect(readdirSync(folder)).not.toContain('run')
  })

  test('passes on bytes that are not text, as valid JSON', () => {
    const script = join(folder, 'tools/bosun-checkin')
    const coordination = join(folder, 'bytes')
    const line = `BOSUN_COORDINATION=${coordination} ${script} blocked 5 --issue "$(printf 'a\\377\\376"b')"`
    spawnSync('sh', ['-c', line], { env: { PATH: process.env['PATH'] ?? '', BOSUN_WORKER_ID: 'w-1' } })
    const [file = ''] = readdirSync(join(coordination, 'worker-checkins'))
    const text = readFileSync(join(coordination, 'worker-checkins', file), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ issues: ['a\ufffd\ufffd"b'] })
  })

  test('cuts long values between two characters, so that a million bytes become a small file', () => {
    const long = '漢'.repeat(40_000)
    const issues = Array.from({ length: 8 }, () => ['--issue', long]).flat()
    const { status, checkins, texts } = checkin([
      'blocked',
      '5',
      '--current-step',
      'x'.repeat(120_000),
      ...issues,
    ])
    expect(status).toBe(0)
    expect(checkins[0]?.['current_step']).toBe('x'.repeat(2000))
    expect(checkins[0]).toMatchObject({ issues: { 0: expect.stringMatching(/^漢{600,666}$/) } })
    expect(texts[0]?.length).toBeLessThan(64 * 1024)
  })

  test('writes two check-ins of the same second to two files', () => {
    const coordination = join(folder, 'two')
    for (const status of ['starting', 'blocked'])
      checkin([status, '5'], { env: { BOSUN_COORDINATION: coordination } })
    expect(readdirSync(join(coordination, 'worker-checkins'))).toHaveLength(2)
  })

  test('sends no token where it has none', () => {
    const { checkins } = checkin(['starting', '0'], { env: { BOSUN_TOKEN: '' } })
    expect(checkins).toEqual([expect.not.objectContaining({ token: expect.anything() })])
  })

  test('prints waiting messages in order, once', () => {
    const prepare = (coordination: string): void => {
      const inbox = join(coordination, 'worker-messages/w-shop-1-1')
      mkdirSync(inbox, { recursive: true })
      for (const [id, text] of [
        ['10', 'last\n'],
        ['2', 'second $(id) \\n %s\nof two lines'],
        ['1', 'first\n'],
      ] as const)
        writeFileSync(join(inbox, `${id}.txt`), text)
      writeFileSync(join(inbox, '.told-1'), '')
    }
    const { stdout, coordination } = checkin(['in_progress', '5'], { prepare })
    expect(stdout).toBe('first\nsecond $(id) \\n %s\nof two lines\nlast\n')
    expect(readdirSync(join(coordination, 'worker-messages/w-shop-1-1'))).toEqual(['.told-1'])
  })

  test.each([
    [['done', '100']],
    [['in_progress', '101']],
    [['in_progress', '-1']],
    [['in_progress', 'x']],
    [['in_progress', '99999999999999999999']],
    [['in_progress']],
    [[]],
    [words('in_progress 5 --unknown x')],
    [words('in_progress 5 --issue')],
    [words('in_progress 5 --token-usage many')],
    [words('in_progress 5 --metric tests')],
    [words('in_progress 5 --metric a"b=1')],
    [words('in_progress 5 --metric a=1e5')],
    [words('in_progress 5 --metric a=.5')],
    [words('in_progress 5 --can-retry yes')],
    [words('in_progress 5 --failure-reason x --can-retry maybe')],
  ])('refuses %j, and leaves no file', (args) => {
    const { status, stderr, files } = checkin(args)
    expect([status, files]).toEqual([2, []])
    expect(stderr).toMatch(/^bosun-checkin: /)
  })

  test.each([
    [{ BOSUN_WORKER_ID: '' }],
    [{ BOSUN_WORKER_ID: '../../x' }],
    [{ BOSUN_WORKER_ID: 'w 1' }],
    [{ BOSUN_COORDINATION: '' }],
  ])('is for workers only: %j', (env) => {
    expect(checkin(['starting', '5'], { env })).toMatchObject({ status: 2, files: [] })
  })

  test.skipIf(process.getuid?.() === 0)('says where it may not write', () => {
    const prepare = (coordination: string): void => {
      mkdirSync(join(coordination, 'worker-checkins'), { recursive: true })
      chmodSync(join(coordination, 'worker-checkins'), 0o500)
    }
    expect(checkin(['starting', '5'], { prepare })).toMatchObject({ status: 1, files: [] })
  })

  test('reports an error where there is no folder to write to', () => {
    const prepare = (coordination: string): void => writeFileSync(coordination, '')
    const { status, stderr } = checkin(['starting', '5'], { prepare })
    expect(status).toBe(1)
    expect(stderr).not.toBe('')
  })
})
