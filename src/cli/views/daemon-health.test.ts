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

test('a loop that has not turned for ten minutes is told, although the daemon answers', () => {
  expect(line(iso(10))).toBeNull()
  expect(line(iso(11))).toBe(
    'PM offline since 11:49: the loop of its process 123 does not turn; bosun stop, and it is started anew',
  )
  expect(line(null)).toContain('PM offline since 11:00')
})

test('damage that a look through the database found is shown before anything but a stuck loop', () =>
  expect(line(iso(0), 'a loop took 301 s', 'the database is damaged. Restore a backup.')).toBe(
    'the database is damaged. Restore a backup.',
  ))

test('a daemon that does not keep up is told with why', () =>
  expect(line(iso(0), 'a loop took 301 s')).toBe(
    'PM overloaded: a loop took 301 s; nothing is begun beside what runs',
  ))
