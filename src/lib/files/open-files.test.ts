import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionsWithin, refuseFewOpenFiles } from './open-files.ts'

test.runIf(process.platform === 'linux')('the limit of a process is what it was started with', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'open-files.ts'))
  const program = `import { openFilesLimit } from ${module}; console.log(openFilesLimit())`
  const line = `ulimit -n 77; exec "$0" --input-type=module -e '${program}'`
  expect(execFileSync('/bin/sh', ['-c', line, process.execPath], { encoding: 'utf8' })).toBe('77\n')
})

test('a daemon that may open too few files is refused, with the limit and the remedy', () => {
  expect(() => refuseFewOpenFiles(40)).toThrow(
    /limit of open files \(ulimit -n\) is 40; .* needs at least 128/,
  )
  expect(() => refuseFewOpenFiles(128)).not.toThrow()
  expect(() => refuseFewOpenFiles(null)).not.toThrow()
})

test('callers get a quarter of the files that may be open, and never more than the most', () => {
  expect([
    connectionsWithin(128, 512),
    connectionsWithin(1_048_576, 512),
    connectionsWithin(null, 512),
  ]).toEqual([32, 512, 512])
})
