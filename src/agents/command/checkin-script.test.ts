import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { installWorkerTools } from './checkin-script.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-checkin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
installWorkerTools(join(folder, 'tools'))

let calls = 0
function checkin(...args: string[]) {
  const coordination = join(folder, `coordination-${++calls}`)
  const env = {
    PATH: process.env['PATH'] ?? '',
    BOSUN_WORKER_ID: 'w-shop-1-1',
    BOSUN_TOKEN: 'secret',
    BOSUN_COORDINATION: coordination,
  }
  const { status, stderr } = spawnSync(join(folder, 'tools/bosun-checkin'), args, { env, encoding: 'utf8' })
  const inbox = join(coordination, 'worker-checkins')
  const files = readdirSync(inbox)
  const texts = files.map((file) => readFileSync(join(inbox, file), 'utf8'))
  return { status, stderr, files, checkins: texts.map((text) => JSON.parse(text) as Record<string, unknown>) }
}

test('writes one small file with all it was told', () => {
  const words =
    'in_progress 40 --current-step building --next-step testing --time-remaining 10m --token-usage 1200 ' +
    '--issue slow --issue odd --request need_time --tool-start npm --deliverables a.js'
  const { status, files, checkins } = checkin(...words.split(' '))
  expect(status).toBe(0)
  expect(files).toEqual([expect.stringMatching(/^w-shop-1-1-\d{8}T\d{6}Z-\d+\.json$/)])
  expect(checkins).toEqual([
    {
      worker_id: 'w-shop-1-1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      token: 'secret',
      status: 'in_progress',
      progress_pct: 40,
      current_step: 'building',
      next_step: 'testing',
      time_remaining_estimate: '10m',
      token_usage: 1200,
      issues: ['slow', 'odd'],
      requests: ['need_time'],
      tool_start: 'npm',
      deliverables: 'a.js',
    },
  ])
})

test('quotes whatever it is given, and runs none of it', () => {
  const nasty = `"quoted" \\ 'single' $(touch ${folder}/run) \`id\` é 漢\n\ttab -x`
  const { checkins } = checkin('failed', '60', '--failure-reason', nasty, '--issue', '--request')
  expect(checkins).toEqual([expect.objectContaining({ failure: { reason: nasty }, issues: ['--request'] })])
  expect(readdirSync(folder)).not.toContain('run')
})

test('refuses what makes no sense, and leaves no file', () => {
  for (const args of [
    ['done', '100'],
    ['in_progress', '101'],
    ['in_progress', 'x'],
    ['in_progress'],
    ['in_progress', '5', '--unknown', 'x'],
    ['in_progress', '5', '--issue'],
    ['in_progress', '5', '--token-usage', 'many'],
  ]) {
    const { status, stderr, files } = checkin(...args)
    expect([status, files]).toEqual([2, []])
    expect(stderr).toMatch(/^bosun-checkin: /)
  }
})
