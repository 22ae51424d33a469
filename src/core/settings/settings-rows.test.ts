import { expect, test } from 'vitest'
import { defaultSettings, settingsSchema } from './settings.ts'
import { settingsRows } from './settings-rows.ts'

const rowsOf = (written: object, detected = {}) => {
  const rows = settingsRows(settingsSchema.parse(written), written, detected)
  return new Map(rows.map(({ key, value, from }) => [key, `${value} (${from})`]))
}

test('a setting is shown as people write it, with where it comes from', () => {
  const rows = rowsOf({ watch: { late: '90s' }, pm: { retry_budget: 2 }, approval: 'critical' })
  expect(rows.get('watch.late')).toBe('90s (file)')
  expect(rows.get('watch.stalled')).toBe('20m (default)')
  expect(rows.get('watch.terminate_at')).toBe('110 (default)')
  expect(rows.get('watch.warnings')).toBe('50, 75, 90 (default)')
  expect(rows.get('pm.retry_budget')).toBe('2 (file)')
  expect(rows.get('budgets.plan_usd')).toBe('none (default)')
})

test('a command that is detected is shown as such, unless the file names one', () => {
  const detected = { test: 'npm test', lint: 'npm run lint', build: null }
  const rows = rowsOf({ environment: { test: ['make', 'test'] } }, detected)
  expect(rows.get('environment.test')).toBe('make test (file)')
  expect(rows.get('environment.lint')).toBe('npm run lint (detected)')
  expect(rows.get('environment.build')).toBe('none (default)')
})

test('secrets of agents and addresses are never shown', () => {
  const agent = { protocol: 'command', command: ['my-agent', '--fast'], env: { MY_KEY: 'hush' } }
  const brain = { provider: 'compatible', base_url: 'http://me:hush@localhost:1/v1', small: 'a', large: 'a' }
  const rows = rowsOf({ agents: { mine: agent }, brain })
  expect(rows.get('agents.mine.env')).toBe('MY_KEY (file)')
  expect(rows.get('agents.mine.command')).toBe('my-agent --fast (file)')
  expect(rows.get('brain.base_url')).toBe('http://…@localhost:1/v1 (file)')
  expect(JSON.stringify([...rows])).not.toContain('hush')
})

test('every default has a row', () => {
  const keys = settingsRows(defaultSettings(), {}, {}).map(({ key }) => key)
  expect(keys).toContain('scheduling.max_waiting_for_review')
  expect(new Set(keys).size).toBe(keys.length)
})
