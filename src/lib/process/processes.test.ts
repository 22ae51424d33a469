import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { identify, isAlive, parseStat } from './processes.ts'

test('a process is alive as long as it is the same one', () => {
  const self = identify(process.pid)
  if (self === null) throw new Error('we are alive')
  expect(isAlive(self)).toBe(true)
  expect(isAlive({ ...self, start: '1' })).toBe(false)
  expect(isAlive({ ...self, boot: 'another' })).toBe(false)
})

test('a process is dead once it has ended, reaped or not', async () => {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const zombie = Number(line.toString())
  await expect.poll(() => identify(zombie)).toBeNull()
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  expect(identify(parent.pid ?? 0)).toBeNull()
  expect([identify(0), identify(-1), identify(Number.NaN)]).toEqual([null, null, null])
})

test('a name with brackets and spaces does not shift the fields', () => {
  const tail = Array.from({ length: 30 }, (_, index) => String(index + 7)).join(' ')
  const row = parseStat(`42 (a) b) S 2 3 4 ${tail}`)
  expect(row).toMatchObject({ pid: 42, parent: 2, group: 3, session: 4, isZombie: false, start: '22' })
})
