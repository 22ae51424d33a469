import { describe, expect, test } from 'vitest'
import type { ProcessRow } from './processes.ts'
import { isHalted, type ProcessTree } from './process-tree.ts'

const row = (pid: number, parent: number, state: 'runs' | 'halted' | 'zombie' = 'runs'): ProcessRow => ({
  pid,
  parent,
  group: 10,
  session: 10,
  isZombie: state === 'zombie',
  isHalted: state === 'halted',
  start: String(pid),
  cpuMs: 0,
})
const led = (kind: ProcessTree['kind']): ProcessTree => ({
  leader: { boot: 'b', pid: 10, start: '10' },
  mark: 'm',
  kind,
})

describe('a tree is halted', () => {
  test('when its command is, whatever runs beside it', () => {
    expect(isHalted(led('group'), [row(10, 1, 'halted'), row(11, 10)])).toBe(true)
    const inNamespace = [row(10, 1), row(11, 10), row(12, 11, 'halted'), row(13, 12), row(14, 11)]
    expect(isHalted(led('namespace'), inNamespace)).toBe(true)
  })

  test('when everything is that its command waits for', () => {
    expect(isHalted(led('group'), [row(10, 1), row(11, 10, 'halted'), row(12, 10, 'zombie')])).toBe(true)
    expect(isHalted(led('group'), [row(10, 1), row(11, 10, 'halted'), row(12, 10)])).toBe(false)
  })

  test('not before there is a command, nor after it', () => {
    expect(isHalted(led('namespace'), [row(10, 1), row(11, 10)])).toBe(false)
    expect(isHalted(led('namespace'), [])).toBe(false)
    expect(isHalted(led('group'), [row(10, 1)])).toBe(false)
  })
})
