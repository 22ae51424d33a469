/** The service with a systemctl of the test's own, which writes down what it is asked. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  installService,
  reportService,
  startByManager,
  uninstallService,
  type ServicePlace,
} from './manage-service.ts'
import { serviceFacts } from './service-manager.ts'
import { systemd } from './systemd.ts'

let home: string
let stops: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bosun service %n "x" '))
  stops = 0
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** `state` is the reported state of the unit; null if the manager cannot be reached. */
function place(state: string | null): ServicePlace {
  const tool = join(home, 'bin', 'systemctl')
  mkdirSync(dirname(tool), { recursive: true })
  const answer =
    state === null
      ? // Links are made and removed without anybody to ask; the rest is not.
        `case "$*" in
  *" enable "*) echo "Created symlink" >&2; exit 0 ;;
  *" disable "*) echo "Removed symlink" >&2 ;;
esac
echo "Failed to connect to bus: No medium found" >&2; exit 1`
      : `case "$*" in *show*) printf '${state}' ;; esac`
  writeFileSync(tool, `#!/bin/sh\necho "$*" >> "$HOME/asked"\n${answer}\n`)
  chmodSync(tool, 0o700)
  const env = { HOME: home, PATH: `${dirname(tool)}:/usr/bin:/bin`, BOSUN_HOME: 'state' }
  return {
    manager: systemd(env, home),
    facts: serviceFacts(join(home, 'a b', 'bosun'), { cwd: home, env }),
    env,
  }
}
const install = (at: ServicePlace, force = false) =>
  installService({ ...at, force, stopDaemon: async () => void stops++ })
const asked = (): readonly string[] =>
  existsSync(join(home, 'asked')) ? readFileSync(join(home, 'asked'), 'utf8').trim().split('\n') : []
const unit = (): string => join(home, '.config/systemd/user/bosun.service')

const STOPPED = 'UnitFileState=enabled\\nActiveState=inactive\\nMainPID=0\\n'
const RUNNING = 'UnitFileState=enabled\\nActiveState=active\\nMainPID=4242\\n'

describe('installing', () => {
  test('writes the unit, enables it, stops a running daemon, and starts its own', async () => {
    expect(await install(place(STOPPED))).toEqual({
      file: unit(),
      how: 'written',
      started: true,
      problem: null,
    })
    expect(readFileSync(unit(), 'utf8')).toContain('KillMode=process')
    expect(asked()).toEqual([
      '--user daemon-reload',
      '--user enable bosun.service',
      '--user show bosun.service --property=UnitFileState,ActiveState,MainPID',
      '--user restart bosun.service',
    ])
    expect(stops).toBe(1)
  })

  test('a second time touches neither the file nor what runs', async () => {
    await install(place(STOPPED))
    expect(await install(place(RUNNING))).toMatchObject({ how: 'unchanged', started: true })
    expect(asked().filter((line) => line.includes('restart'))).toHaveLength(1)
    expect(stops).toBe(1)
  })

  test('replaces what an older Bosun wrote', async () => {
    await install(place(STOPPED))
    const other = place(RUNNING)
    const facts = { ...other.facts, command: ['/elsewhere/bosun', 'serve'] }
    expect(await install({ ...other, facts })).toMatchObject({ how: 'replaced', started: true })
    expect(readFileSync(unit(), 'utf8')).toContain('/elsewhere/bosun')
  })

  test('does not overwrite an edited file without --force', async () => {
    await install(place(STOPPED))
    const edited = `${readFileSync(unit(), 'utf8')}# mine\n`
    writeFileSync(unit(), edited)
    await expect(install(place(RUNNING))).rejects.toMatchObject({ code: 'conflict' })
    expect(readFileSync(unit(), 'utf8')).toBe(edited)
    expect(await install(place(RUNNING), true)).toMatchObject({ how: 'replaced' })
    expect(readFileSync(unit(), 'utf8')).not.toContain('# mine')
  })

  test('says the one command to run where the manager cannot be reached, and ends no daemon', async () => {
    expect(await install(place(null))).toEqual({
      file: unit(),
      how: 'written',
      started: false,
      problem: {
        why: 'Failed to connect to bus: No medium found',
        command: 'systemctl --user enable --now bosun.service',
      },
    })
    expect(stops).toBe(0)
  })

  test('goes where XDG_CONFIG_HOME says, if that is a whole path', () => {
    expect(systemd({ XDG_CONFIG_HOME: '/cfg' }, '/home/ann').file).toBe('/cfg/systemd/user/bosun.service')
    expect(systemd({ XDG_CONFIG_HOME: 'cfg' }, '/home/ann').file).toBe(
      '/home/ann/.config/systemd/user/bosun.service',
    )
  })
})

describe('uninstalling', () => {
  test('ends it, takes the unit away, and is done twice without harm', async () => {
    await install(place(STOPPED))
    const at = place(RUNNING)
    expect(await uninstallService(at, { force: false })).toMatchObject({ removed: true, problem: null })
    expect(asked().slice(-2)).toEqual(['--user disable --now bosun.service', '--user daemon-reload'])
    expect(existsSync(unit())).toBe(false)
    expect(await uninstallService(at, { force: false })).toMatchObject({ removed: false, problem: null })
  })

  test('says what to run where the manager cannot be reached', async () => {
    await install(place(STOPPED))
    expect(await uninstallService(place(null), { force: false })).toMatchObject({
      removed: true,
      problem: {
        why: 'Failed to connect to bus: No medium found',
        command: 'systemctl --user stop bosun.service',
      },
    })
  })

  test('leaves an edited file', async () => {
    await install(place(STOPPED))
    writeFileSync(unit(), '[Service]\n')
    await expect(uninstallService(place(RUNNING), { force: false })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(existsSync(unit())).toBe(true)
  })
})

describe('its state', () => {
  test('is what the manager says, and whether it runs this program on this state', async () => {
    expect(await reportService(place(STOPPED))).toMatchObject({ installed: false, current: false })
    await install(place(STOPPED))
    const at = place(RUNNING)
    expect(await reportService(at)).toMatchObject({
      installed: true,
      edited: false,
      current: true,
      state: { isEnabled: true, isActive: true, pid: 4242 },
    })
    const facts = serviceFacts('/other', { cwd: home, env: at.env })
    expect(await reportService({ ...at, facts })).toMatchObject({ current: false })
    expect(await reportService(place(null))).toMatchObject({ installed: true, state: null })
  })
})

describe('a command that needs the daemon', () => {
  test('has the manager start it where it is installed for this state', async () => {
    expect(await startByManager(place(STOPPED))).toBe(false)
    await install(place(STOPPED))
    const at = place(STOPPED)
    const otherPath = { ...at.env, PATH: `${at.env['PATH'] ?? ''}:/opt/venv` }
    const facts = serviceFacts(join(home, 'a b', 'bosun'), { cwd: home, env: otherPath })
    expect(await startByManager({ ...at, facts })).toBe(true)
    expect(asked().at(-1)).toBe('--user start bosun.service')
  })

  test('starts it itself on another state, or where the manager cannot be reached', async () => {
    await install(place(STOPPED))
    const at = place(STOPPED)
    const facts = serviceFacts(join(home, 'a b', 'bosun'), {
      cwd: home,
      env: { ...at.env, BOSUN_HOME: '/other' },
    })
    expect(await startByManager({ ...at, facts })).toBe(false)
    expect(await startByManager(place(null))).toBe(false)
  })
})

describe('what the service is started with', () => {
  test('is where programs and the state are, and no secret', () => {
    const env = { PATH: '/usr/bin', HOME: '/h', API_KEY: 'k', XDG_STATE_HOME: '/s', BOSUN_HOME: '' }
    expect(serviceFacts('/b', { cwd: '/', env }).environment).toEqual({
      PATH: '/usr/bin',
      XDG_STATE_HOME: '/s',
    })
    const own = serviceFacts('/b', { cwd: '/w', env: { ...env, BOSUN_HOME: 'x' } }).environment
    expect(own).toEqual({ PATH: '/usr/bin', BOSUN_HOME: '/w/x' })
  })

  test('has no line breaks in it', () => {
    expect(() => serviceFacts('/b', { cwd: '/', env: { PATH: '/a\nExecStartPre=/evil' } })).toThrow(
      'control character',
    )
  })
})
