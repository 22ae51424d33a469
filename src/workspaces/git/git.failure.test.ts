import { expect, test } from 'vitest'
import { gitFailure, type GitOutcome } from './git.ts'

const exited = (stderr: string): GitOutcome => ({
  kind: 'exited',
  code: 128,
  stdout: Buffer.from(''),
  stderr,
})

test('a git that failed is explained in one line, by its own error', () => {
  const { reason } = gitFailure(exited('remote: warning\nfatal: bad object 1234\n'), 'Check it: git fsck')
  expect(reason).toBe('fatal: bad object 1234')
  expect(gitFailure(exited(''), 'Check it.').reason).toBe('git exited with 128')
  expect(gitFailure({ kind: 'timed_out', afterMs: 60_000 }, 'Check it.').reason).toBe(
    'git took longer than 1m',
  )
})

test.each([
  [exited('fatal: bad object 1234\n'), 'Check it: git fsck'],
  [
    exited(
      'error: cannot fork() for index-pack: Resource temporarily unavailable\nfatal: fetch-pack failed\n',
    ),
    'Stop some processes, or raise the limit (ulimit -u).',
  ],
  [
    { kind: 'not_started', reason: 'spawn /bin/sh EAGAIN' } as const,
    'Stop some processes, or raise the limit (ulimit -u).',
  ],
  [exited('fatal: write error: No space left on device\n'), 'Free some space and try again.'],
])('a git that the machine refused is not blamed on the repository (%#)', (outcome, remedy) => {
  expect(gitFailure(outcome, 'Check it: git fsck').remedy).toBe(remedy)
})
