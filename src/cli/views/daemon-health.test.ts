import { expect, test } from 'vitest'
import { daemonHealth } from './daemon-health.ts'
import { styleOf } from '../terminal/style.ts'

const NOW = new Date(2026, 0, 5, 12, 0).getTime()
const iso = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString()
const daemon = { pid: 123, port: 1, url: '', version: '1', build: 'b', started_at: iso(60) }
const line = (
  last_loop: string | null,
  overloaded: string | null = null,
  damage: string | null = null,
): string | null =>
  daemonHealth(
    { daemon, pulse: { last_loop, loops_completed: 1, overloaded, damage } },
    { style: styleOf('plain'), now: NOW },
  )

test('a daemon without a completed loop for ten minutes is shown as offline', () => {
  expect(line(iso(10))).toBeNull()
  expect(line(iso(11))).toBe(
    'PM offline since 11:49: the daemon (pid 123) is not responding; restart it: bosun stop, then bosun resume',
  )
  expect(line(null)).toContain('PM offline since 11:00')
})

test('database damage is shown before everything but a stuck loop', () =>
  expect(line(iso(0), 'a loop took 301 s', 'the database is damaged. Restore a backup.')).toBe(
    'the database is damaged. Restore a backup.',
  ))

test('an overloaded daemon is shown with the reason', () =>
  expect(line(iso(0), 'a loop took 301 s')).toBe('PM overloaded: a loop took 301 s; no new work is started'))
