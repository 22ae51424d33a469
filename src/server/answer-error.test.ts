import { expect, test } from 'vitest'
import type { ErrorReport } from '../client/error-document.ts'
import { answerThrown } from './answer-error.ts'

const systemError = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: as the system says it`), { code, syscall: 'open', path })

const answered = (error: unknown) => {
  const logged: string[] = []
  const answer = answerThrown(error, 'POST /api/plans', (what) => logged.push(what))
  const { error: shown } = JSON.parse(answer.body) as { error: ErrorReport }
  return { status: answer.status, logged, ...shown }
}

test.each([
  ['ENOSPC', 'no space left on device'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EROFS', 'read-only file system'],
  ['EACCES', 'permission denied'],
  ['EMFILE', 'too many open files'],
  ['EAGAIN', 'cannot start more processes'],
])('a daemon that the machine refuses (%s) says what to do about it', (code, what) => {
  const { status, logged, message, remedy } = answered(systemError(code, '/nowhere/state/repos/2.out'))
  expect(status).toBe(503)
  expect(message).toBe(`/nowhere/state/repos/2.out: ${what}`)
  expect(remedy).not.toContain('daemon.log')
  expect(logged).toEqual(['POST /api/plans'])
})

test('a refusal of the machine is found among the causes of an error', () => {
  const error = new Error('cannot register the plan', { cause: systemError('ENOSPC', '/nowhere/x') })
  expect(answered(error).message).toBe('/nowhere/x: no space left on device')
})

test.each(['ENOENT', 'ENOTDIR', 'EISDIR'])(
  'a path that the daemon itself got wrong (%s) is an unexpected failure',
  (code) => {
    const { status, message, remedy } = answered(systemError(code, '/nowhere/x'))
    expect(status).toBe(500)
    expect(message).toMatch(/^Bosun failed unexpectedly: /)
    expect(remedy).toContain('daemon.log')
  },
)
