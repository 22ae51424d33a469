import { expect, test } from 'vitest'
import type { PlanRow, StatusAnswer, TaskRow } from '../protocol/answers.ts'
import { statusText } from './status-view.ts'
import { styleOf } from './style.ts'

const NOW = Date.UTC(2026, 0, 5, 12, 0)
const since = new Date(NOW).toISOString()
const NONE = { pending: 0, ready: 0, in_progress: 0, completed: 0, failed: 0, escalated: 0 }

const planIn = (repo: string, said: Partial<PlanRow>): PlanRow => ({
  id: 'shop',
  repo,
  state: 'running',
  why: '1 in progress, 0 ready',
  branch: null,
  counts: { ...NONE, in_progress: 1 },
  notes: [],
  ...said,
})
const taskIn = (repo: string, title: string): TaskRow => ({
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
})

const shown = (plans: readonly PlanRow[], tasks: readonly TaskRow[]): string => {
  const daemon = { pid: 123, port: 1, url: '', version: '1', build: 'b', started_at: since }
  const pulse = { last_loop: since, loops_completed: 1, overloaded: null, damage: null }
  const rest = { workers: [], inbox: [], unreadable: [], seq: 1 }
  const status: StatusAnswer = { daemon, pulse, plans: [...plans], tasks: [...tasks], ...rest }
  return statusText(status, { style: styleOf('plain'), width: 80, now: NOW })
}

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
