/** Commands that are run in a folder that was removed under the shell. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BIN, bosun, type Run } from './bosun.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

/** Runs one command in a folder of its own that the shell removes first. */
function inGoneFolder(...args: readonly string[]): Promise<Run> {
  const env = { BOSUN_HOME: join(tempFolder(), 'state') }
  const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"'
  return bosun(['-c', line, BIN, ...args], { command: '/bin/sh', cwd: tempFolder(), env })
}

test('a command that needs the removed folder fails with one line', async () => {
  for (const args of [['plan', 'plan.md'], ['init'], ['release', 'verify', 'shop']]) {
    const { exit, stderr } = await inGoneFolder(...args)
    expect(exit, args.join(' ')).toBe(3)
    expect(stderr, args.join(' ')).toMatch(
      /error: the current folder no longer exists\n {2}Change to another folder .*\n$/,
    )
    expect(stderr, 'no stack trace').not.toContain('    at ')
  }
})

test('a command that needs no folder works in a removed one', async () => {
  expect((await inGoneFolder('--version')).exit).toBe(0)
  expect((await inGoneFolder('--help')).exit).toBe(0)
  const doctor = await inGoneFolder('doctor')
  expect(doctor.stdout).toContain('the current folder no longer exists')
  expect(doctor.stderr).not.toContain('    at ')
})
