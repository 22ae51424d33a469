import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findOnPath } from '../../lib/process/find-program.ts'
import { quoted, systemdUnit } from './systemd.ts'
import { isAsWritten } from './service-manager.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FACTS = {
  command: ['/opt/bosun/bin/bosun', 'serve'],
  environment: { PATH: '/usr/bin:/bin', BOSUN_HOME: '/srv/bosun' },
}

test('the unit runs the daemon, starts it again when it fails, and leaves workers alone', () => {
  expect(systemdUnit(FACTS).replace(/[0-9a-f]{64}/, 'HASH'))
    .toBe(`# Written by bosun service install, sha256 HASH
# Edits by hand are kept; a drop-in is better for your own settings: systemctl --user edit bosun
[Unit]
Description=Bosun, a project manager for coding agents
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/bin/sh "/opt/bosun/bin/bosun" "serve"
Environment="PATH=/usr/bin:/bin"
Environment="BOSUN_HOME=/srv/bosun"
# With one arena, glibc keeps less of what threads have freed.
Environment=MALLOC_ARENA_MAX=1
# A daemon that was stopped on purpose is not restarted.
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=4
# Workers keep running without it, and a worker that runs out of memory does not stop it.
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=default.target
`)
})

test('what systemd would read as something else is quoted', () => {
  const command = ['/a b/50%/$HOME/"q"/back\\slash/bosun', 'serve']
  const unit = systemdUnit({ command, environment: { PATH: '/x y:/$p:/100%' } })
  expect(unit).toContain('ExecStart=/bin/sh "/a b/50%%/$$HOME/\\"q\\"/back\\\\slash/bosun" "serve"\n')
  // Variables are put into command lines, and not into the environment.
  expect(unit).toContain('Environment="PATH=/x y:/$p:/100%%"\n')
})

test('a unit with one changed letter counts as edited', () => {
  const unit = systemdUnit(FACTS)
  expect(isAsWritten(unit)).toBe(true)
  expect(isAsWritten(unit.replace('RestartSec=5', 'RestartSec=6'))).toBe(false)
  expect(isAsWritten('[Service]\nExecStart=/bin/true\n')).toBe(false)
})

describe.skipIf(findOnPath('systemd-analyze', process.env['PATH'] ?? '') === null)('systemd itself', () => {
  /** What it has to say about a unit; empty where it has nothing against it. */
  const complaints = (text: string): string => {
    const file = join(folder, 'bosun.service')
    writeFileSync(file, text)
    const env = { ...process.env, XDG_RUNTIME_DIR: folder }
    const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', file], {
      env,
      encoding: 'utf8',
    })
    expect(status).not.toBeNull()
    return stderr
  }

  test('has nothing against the unit', () => {
    expect(complaints(systemdUnit(FACTS))).toBe('')
    expect(complaints(systemdUnit(FACTS).replace('Type=exec', 'Type=nonsense'))).not.toBe('')
  })

  test.each(['with space', '50%n', 'a"quote', "an'apostrophe", 'back\\slash', 'ünïcode', 'a;b#c'])(
    'reads back a path with %s as it was',
    (name) => {
      const program = join(folder, name, 'bosun')
      // It says what it read, since there is no such program, or since it would not run one of that name.
      expect(complaints(`[Service]\nExecStart=${quoted(program)}\n`)).toContain(program)
    },
  )
})
