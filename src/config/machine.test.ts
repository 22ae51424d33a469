import { expect, test } from 'vitest'
import { repositoryFinding } from './machine.ts'

const status = (stdout: string) => ({ kind: 'exited', code: 0, stdout, stderr: '' }) as const

test('repositoryFinding reads the branch and counts uncommitted files', () => {
  const text =
    '# branch.oid 1234\n# branch.head feat/shop\n1 .M N... 100644 100644 100644 a b src/x.ts\n? new.txt\n'
  expect(repositoryFinding('/shop', status(text))).toEqual({
    kind: 'found',
    root: '/shop',
    branch: 'feat/shop',
    hasCommits: true,
    changedFiles: 2,
  })
})

test('a detached HEAD and a repository without commits are distinguished', () => {
  expect(repositoryFinding('/shop', status('# branch.oid 12\n# branch.head (detached)\n'))).toMatchObject({
    branch: null,
    hasCommits: true,
  })
  expect(repositoryFinding('/shop', status('# branch.oid (initial)\n# branch.head main\n'))).toMatchObject({
    branch: 'main',
    hasCommits: false,
  })
})

test('a failed git status is never taken for a clean one', () => {
  const failed = { kind: 'exited', code: 128, stdout: '', stderr: 'fatal: dubious ownership\nmore' } as const
  expect(repositoryFinding('/shop', failed)).toMatchObject({
    kind: 'unreadable',
    why: 'fatal: dubious ownership',
  })
  expect(repositoryFinding('/shop', { kind: 'signalled', signal: 'SIGKILL' }).kind).toBe('unreadable')
})
