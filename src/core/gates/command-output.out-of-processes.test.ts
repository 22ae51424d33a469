import { describe, expect, test } from 'vitest'
import { outOfProcesses } from './command-output.ts'

describe('a command that could start no more processes', () => {
  test.each([
    ['dash', 'sh: 1: Cannot fork'],
    ['dash of a script', '/bin/sh: 12: Cannot fork'],
    ['bash', 'bash: fork: retry: Resource temporarily unavailable'],
    ['bash of a script', './test.sh: fork: Resource temporarily unavailable'],
    ['busybox', "sh: can't fork: Resource temporarily unavailable"],
    ['zsh', 'zsh: fork failed: resource temporarily unavailable'],
    ['make', 'make: vfork: Resource temporarily unavailable'],
    ['git', 'fatal: cannot fork() for index-pack: Resource temporarily unavailable'],
    ['Node', 'Error: spawn /usr/bin/node EAGAIN'],
    ['npm', 'npm error spawn sh EAGAIN'],
    ['Python threads', "RuntimeError: can't start new thread"],
    ['Go', 'runtime: failed to create new OS thread (have 5 already; errno=11)'],
    ['Go processes', 'fork/exec /usr/bin/git: resource temporarily unavailable'],
    ['Java', 'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory'],
    ['Rust', 'failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "…" }'],
    ['C', 'pthread_create failed: Resource temporarily unavailable'],
  ])('is known by what %s prints', (_, line) => {
    expect(outOfProcesses(`> npm test\n${line}\nmore\n`)).toBe(line)
  })

  test('is known by a fork of Python that failed', () => {
    const output = [
      'Traceback (most recent call last):',
      '    self.pid = _fork_exec(',
      'BlockingIOError: [Errno 11] Resource temporarily unavailable',
    ].join('\n')
    expect(outOfProcesses(output)).toContain('[Errno 11]')
  })
})

test.each([
  'AssertionError: expected 1 to be 2',
  'BlockingIOError: [Errno 11] Resource temporarily unavailable',
  'read EAGAIN',
  'Error: Cannot fork a repository into its own owner',
  'EMFILE: too many open files, open a.txt',
])('an ordinary failure is none: %s', (line) => {
  expect(outOfProcesses(`${line}\n`)).toBeNull()
})
