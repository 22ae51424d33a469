import { describe, expect, test } from 'vitest'
import type { PlanRow, StatusAnswer, TaskRow, WorkerRow } from '../../protocol/answers.ts'
import { daemonHealth, statusDocument, statusText, type View } from './status-view.ts'
import { styleOf } from '../terminal/terminal.ts'

const NOW = Date.UTC(2026, 0, 5, 12, 0)
const since = new Date(NOW).toISOString()
const NONE = { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, escalated: 0 }

const NOTHING_USED = {
  tokens: 0,
  tokens_in: 0,
  tokens_out: 0,
  tokens_cached: 0,
  usd: null,
  tokens_estimated: 0,
  tokens_unpriced: 0,
}

const planIn = (repo: string, changes: Partial<PlanRow>): PlanRow => ({
  id: 'shop',
  title: 'Shop',
  repo,
  state: 'running',
  why: '1 in progress, 0 ready',
  branch: null,
  counts: { ...NONE, in_progress: 1 },
  notes: [],
  trouble: null,
  usage: null,
  thinking: null,
  ...changes,
})
const taskIn = (repo: string, title: string, changes: Partial<TaskRow> = {}): TaskRow => ({
  plan: 'shop',
  repo,
  id: '1',
  title,
  status: 'in_progress',
  stage: 'gating',
  tier: 'low',
  attempt: 1,
  commit_sha: null,
  since,
  check: null,
  landing: null,
  trouble: null,
  usage: NOTHING_USED,
  ...changes,
})

const aWorker: WorkerRow = {
  id: 'w-shop-1-1',
  plan: 'shop',
  repo: '/one',
  task: '1',
  task_title: null,
  role: 'developer',
  attempt: 1,
  health: 'healthy',
  reason: 'at work',
  pid: 7,
  since,
  agent: 'claude',
  model: null,
  last_checkin: null,
  observed_at: since,
  progress_pct: null,
  current_step: null,
  next_step: 'docs',
  time_remaining: null,
  time_limit_at: null,
  usage: null,
  issues: [],
  warnings: [],
  interventions: [],
}

const statusOf = (plans: readonly PlanRow[], tasks: readonly TaskRow[]): StatusAnswer => {
  const daemon = { pid: 123, port: 1, url: '', version: '1', build: 'b', started_at: since }
  const pulse = { last_loop: since, loops_completed: 1, overloaded: null, damage: null }
  const rest = { workers: [], inbox: [], interviews: [], unreadable: [], seq: 1 }
  return { daemon, pulse, plans: [...plans], tasks: [...tasks], ...rest }
}
const shown = (plans: readonly PlanRow[], tasks: readonly TaskRow[], changes: Partial<View> = {}): string =>
  statusText(statusOf(plans, tasks), { style: styleOf('plain'), width: 80, now: NOW, ...changes })

test('plans of the same id in two repositories have each its own tasks, and say where they are', () => {
  const text = shown(
    [planIn('/one', {}), planIn('/other', { state: 'done', why: 'released', counts: NONE })],
    [taskIn('/one', 'Login')],
  )
  const [first = '', second = ''] = text.split('\n\n')
  expect(first).toContain('  in /one\n')
  expect(first).toContain('Login')
  expect(second).toContain('  in /other')
  expect(second).not.toContain('Login')
})

test('a plan whose id is its own does not say where it is', () => {
  expect(shown([planIn('/one', {})], [])).not.toContain('/one')
})

test('a cancelled plan is counted, and shown only with all or while a worker of it runs', () => {
  const gone = planIn('/one', { id: 'shed', state: 'done', why: 'cancelled by Ann: too late', counts: NONE })
  const plans = [planIn('/one', {}), gone]
  expect(shown(plans, [])).not.toContain('too late')
  expect(shown(plans, [])).toContain('1 cancelled plan not shown: bosun status --all')
  expect(shown(plans, [], { isWhole: true })).toContain('shed  cancelled')
  expect(shown([gone], [])).toContain('No plans.')
  const last = { ...statusOf(plans, []), workers: [{ ...aWorker, plan: 'shed', repo: '/one' }] }
  expect(statusText(last, { style: styleOf('plain'), width: 80, now: NOW })).toContain('shed  cancelled')
})

describe('a plan of thousands of tasks', () => {
  const ready = Array.from({ length: 4_990 }, (_, at) =>
    taskIn('/one', `Do ${at}`, { id: `r${at}`, status: 'ready', stage: 'ready' }),
  )
  const running = taskIn('/one', 'Runs', { id: 'run' })
  const stuck = taskIn('/one', 'Stuck', { id: 'stuck', status: 'escalated', stage: 'escalated' })
  const all = [...ready, running, stuck]

  test('is shown by what is stuck, what runs and how many more there are', () => {
    const lines = shown([planIn('/one', {})], all).split('\n')
    expect(lines.length).toBeLessThan(30)
    expect(lines.findIndex((line) => line.includes('Stuck'))).toBe(2)
    expect(lines.findIndex((line) => line.includes('Runs'))).toBe(3)
    expect(lines).toContain('  … and 4972 more (bosun status --all or --json)')
  })

  test('is shown whole with --all', () => {
    const text = shown([planIn('/one', {})], all, { isWhole: true })
    expect(text.split('\n').length).toBeGreaterThan(4_990)
    expect(text).not.toContain('more (')
  })
})

test('what is tried again says what fails and when the next try is', () => {
  const since = new Date(NOW - 120_000).toISOString()
  const trouble = {
    what: 'committing task 1',
    reason: 'cannot write refs\n(disk full)',
    failures: 3,
    retry_at: new Date(NOW + 30_000).toISOString(),
  }
  const task = taskIn('/one', 'Login', { stage: 'committing', since, trouble })
  const words = '  1 committing 2m: cannot write refs (disk full) (failed 3 times); retry in 30s\n'
  expect(shown([planIn('/one', {})], [task])).toContain(words)
  const plan = planIn('/one', {
    trouble: { ...trouble, what: 'preparing the release', failures: 1, retry_at: since },
  })
  expect(shown([plan], [])).toContain(
    '  preparing the release: cannot write refs (disk full); retrying now\n',
  )
})

test('a task with running gates shows command, duration, tests so far and queue position', () => {
  const check = {
    command: 'npm test',
    started_at: new Date(NOW - 65_000).toISOString(),
    tests: 12,
    last_ms: 90_000,
  }
  const text = (changes: Partial<TaskRow>): string =>
    shown([planIn('/one', {})], [taskIn('/one', 'Login', { stage: 'gating', check, ...changes })])
  expect(text({})).toContain('npm test, 1m so far, 12 tests, took 1m last time')
  expect(text({ landing: 'proving on top of task 2' })).toContain('proving on top of task 2, npm test, 1m')
})

test('the document shows a worker’s last check-in, progress, step and remaining time', () => {
  const limit = Date.now() + 600_000
  const documented = {
    id: 'w-shop-1-1',
    task: '1',
    role: 'developer',
    attempt: 1,
    health: 'healthy',
    reason: 'at work',
    pid: 7,
    last_checkin: since,
    progress_pct: 40,
    current_step: 'tests',
    time_remaining: '5m',
    time_limit_at: new Date(limit).toISOString(),
  }
  const worker: WorkerRow = { ...aWorker, ...documented }
  const [shownWorker] = statusDocument({ ...statusOf([], []), workers: [worker] }).workers
  expect(shownWorker).toMatchObject(documented)
  expect(shownWorker?.time_left_ms).toBeGreaterThan(0)
})

const PRESENT = new Date(2026, 0, 5, 12, 0).getTime()
const iso = (minutesAgo: number): string => new Date(PRESENT - minutesAgo * 60_000).toISOString()
const daemon = { pid: 123, port: 1, url: '', version: '1', build: 'b', started_at: iso(60) }
const line = (
  last_loop: string | null,
  overloaded: string | null = null,
  damage: string | null = null,
): string | null =>
  daemonHealth(
    { daemon, pulse: { last_loop, loops_completed: 1, overloaded, damage } },
    { style: styleOf('plain'), now: PRESENT },
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
