/** Ways in which a daemon that runs cannot be reached, and what commands make of them. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import { Home } from './program.ts'

async function served(): Promise<Home> {
  const home = new Home()
  onTestFinished(() => home.dispose())
  expect(await home.run(['resume'])).toMatchObject({ exit: 0 })
  return home
}

test('a token that another program removed is written again by the daemon when a command asks for it', async () => {
  const home = await served()
  const { pid } = home.daemon()
  const token = home.token()
  rmSync(join(home.root, 'token'))
  expect(await home.run(['resume'])).toMatchObject({ exit: 0, stderr: '' })
  expect([home.token(), home.daemon().pid]).toEqual([token, pid])
  expect(statSync(join(home.root, 'token')).mode & 0o777).toBe(0o600)
})

test('a daemon whose token cannot be had is named at once, and stop --force ends it', async () => {
  const home = await served()
  const { pid } = home.daemon()
  rmSync(join(home.root, 'token'))
  mkdirSync(join(home.root, 'token'))
  const refused = await home.run(['resume'])
  expect(refused.exit).toBe(12)
  expect(refused.stderr).toContain(`cannot reach the daemon (pid ${pid}): its token is missing`)
  expect(refused.stderr).toContain('bosun stop --force')
  expect((await home.run(['doctor'])).stdout).toContain(`cannot reach the daemon (pid ${pid})`)
  expect(await home.run(['stop', '--force'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
  expect(identify(pid)).toBe(null)
  rmSync(join(home.root, 'token'), { recursive: true })
})

test('a daemon that lost its address and its token is ended by the lock that it holds', async () => {
  const home = await served()
  const { pid } = home.daemon()
  rmSync(join(home.root, 'token'))
  rmSync(join(home.root, 'daemon.json'))
  expect(await home.run(['stop', '--force'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
  expect(identify(pid)).toBe(null)
})

test('a daemon that was stopped by a signal is named without waiting for it, and stop --force ends it', async () => {
  const home = await served()
  const { pid } = home.daemon()
  process.kill(pid, 'SIGSTOP')
  const refused = await home.run(['resume'])
  expect(refused).toMatchObject({ exit: 12, stdout: '' })
  expect(refused.stderr).toContain(`the daemon (pid ${pid}) is not responding`)
  expect(refused.stderr).toContain('It was stopped by a signal')
  expect(refused.stderr).toContain(`kill -CONT ${pid}`)
  expect(await home.run(['stop', '--force'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
  expect(identify(pid)).toBe(null)
})

test('a relative BOSUN_HOME is the same folder for a command and for the daemon that it starts', async () => {
  const home = new Home({ BOSUN_HOME: './state' })
  onTestFinished(() => home.dispose())
  expect(await home.run(['resume'])).toMatchObject({ exit: 0 })
  const facts = JSON.parse(readFileSync(join(home.repo, 'state', 'daemon.json'), 'utf8')) as {
    readonly pid: number
  }
  expect(await home.run(['stop'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
  expect(identify(facts.pid)).toBe(null)
})

test.runIf(process.platform === 'linux')(
  'a state root that cannot be made is refused at once, by every command alike',
  async () => {
    const home = new Home({ BOSUN_HOME: '/proc/bosun/state' })
    onTestFinished(() => rmSync(home.folder, { recursive: true }))
    const resumed = await home.run(['resume'])
    expect(resumed).toMatchObject({ exit: 12 })
    expect(resumed.stderr).toContain('cannot create a folder on this file system: /proc/bosun/state')
    const examined = await home.run(['doctor'])
    expect(examined.exit).toBe(1)
    expect(examined.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'cannot create a folder on this file system: /proc',
    )
  },
)
