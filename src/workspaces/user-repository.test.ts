import { expect, test } from 'vitest'
import { requireVersion } from './user-repository.ts'
import { refusedWords } from './survey/survey.ts'

test('a file that a filter would change is refused with what to do about it', () => {
  expect(refusedWords('filtered')).toMatch(/attribute in \.gitattributes applies a filter to its content/)
  expect(refusedWords('file_too_large')).toBe('file too large')
})

test('a git that cannot report its version is not called too old', () => {
  const exited = (code: number, stdout: string, stderr = '') =>
    ({ kind: 'exited', code, stdout: Buffer.from(stdout), stderr }) as const
  const full = 'fatal: write error: No space left on device'
  expect(() => requireVersion(exited(128, '', full))).toThrow(full)
  expect(() => requireVersion(exited(0, ''))).toThrow("cannot read git's version: it printed nothing")
  expect(() => requireVersion(exited(0, 'git version 2.30.1'))).toThrow(
    'Bosun needs git 2.38 or newer; found: git version 2.30.1',
  )
  expect(() => requireVersion(exited(0, 'git version 2.50.0'))).not.toThrow()
  const gone = { kind: 'not_started', reason: 'the working folder does not exist: /gone' } as const
  expect(() => requireVersion(gone)).toThrow('does not exist: /gone')
  const refused = { kind: 'not_started', reason: 'spawn /bin/sh EAGAIN' } as const
  expect(() => requireVersion(refused)).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('ulimit -u') }),
  )
})
