/** The service as people install it, with a systemctl of the test's own that starts what it is asked to start. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import { programPath } from '../helpers/program-path.ts'
import { Home } from './program.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const PROGRAM = programPath('test/fixtures/daemon/bosun.ts')

let home: Home
beforeEach(() => {
  home = new Home({ SCRIPT: 'endless' })
  const bin = join(home.folder, 'bin')
  mkdirSync(bin)
  const tool = join(bin, 'systemctl')
  writeFileSync(
    tool,
    `#!/bin/sh
echo "$*" >> "$HOME/asked"
case "$*" in
  *show*) printf 'UnitFileState=enabled\\nActiveState=inactive\\nMainPID=0\\n' ;;
  *" restart "* | *" start "*) '${process.execPath}' '${PROGRAM}' serve > /dev/null 2>&1 & echo $! >> "$HOME/started" ;;
esac
`,
  )
  chmodSync(tool, 0o700)
})
/** A daemon that is only being started when the test ends could not be ended by asking. */
afterEach(async () => {
  const file = join(home.folder, 'started')
  const started = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
  for (const pid of started.filter((one) => identify(one) !== null)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => started.map(identify).filter((one) => one !== null)).toEqual([])
  await home.dispose()
})

const env = () => ({ PATH: `${join(home.folder, 'bin')}:${process.env['PATH'] ?? ''}` })
const asked = (): readonly string[] => readFileSync(join(home.folder, 'asked'), 'utf8').trim().split('\n')
const unit = (): string => join(home.folder, '.config/systemd/user/bosun.service')

describe.skipIf(process.platform !== 'linux')('bosun service', () => {
  test('install takes over from a daemon that a command started, and commands find the new one', async () => {
    await home.run(['resume'], env())
    const before = home.daemon().pid
    const installed = await home.run(['service', 'install'], env())
    expect(installed.stdout).toContain(`${unit()}: written\nsystemd runs the daemon`)
    expect(readFileSync(unit(), 'utf8')).toContain(`Environment="BOSUN_HOME=${home.root}"`)
    expect((await home.run(['resume'], env())).exit).toBe(0)
    expect(home.daemon().pid).not.toBe(before)
    expect(asked()).toContain('--user restart bosun.service')
  })

  test('a command that misses the daemon has the system start it', async () => {
    await home.run(['service', 'install'], env())
    await home.run(['resume'], env())
    process.kill(home.daemon().pid, 'SIGKILL')
    expect((await home.run(['resume'], env())).exit).toBe(0)
    expect(asked().at(-1)).toBe('--user start bosun.service')
  })

  test('--print shows the unit and changes nothing; --json carries all of it', async () => {
    const { stdout } = await home.run(['service', 'install', '--print'], env())
    expect(stdout).toContain('[Service]\n')
    expect(() => readFileSync(unit())).toThrow('ENOENT')
    expect(await home.json(['service', 'install', '--print'])).toMatchObject({
      schema: 'bosun.service/v1',
      manager: 'systemd',
      file: unit(),
      text: expect.stringContaining('KillMode=process'),
    })
  })

  test('status and uninstall say how it is, also where there is nothing', async () => {
    expect((await home.run(['service', 'status'], env())).stdout).toContain('not installed')
    expect((await home.run(['service', 'uninstall'], env())).stdout).toBe('the service is not installed\n')
    const installed = await home.run(['service', 'install', '--json'], env())
    expect(documentProblems(JSON.parse(installed.stdout), ['service install'])).toEqual([])
    expect((await home.run(['service', 'status'], env())).stdout).toContain('enabled, not running')
    expect((await home.run(['service', 'uninstall'], env())).stdout).toContain(`removed ${unit()}`)
  })

  test('unsupported calls and a foreign unit are refused with a remedy', async () => {
    expect(await home.run(['service', 'explode'], env())).toMatchObject({ exit: 2 })
    await home.run(['service', 'install'], env())
    writeFileSync(unit(), '[Service]\nExecStart=/bin/true\n')
    const refused = await home.run(['service', 'install'], env())
    expect(refused.exit).toBe(4)
    expect(refused.stderr).toContain('--force')
    expect((await home.run(['service', 'install', '--force'], env())).exit).toBe(0)
    const removed = await home.run(['service', 'uninstall', '--json'], env())
    expect(documentProblems(JSON.parse(removed.stdout), ['service uninstall'])).toEqual([])
  })
})
