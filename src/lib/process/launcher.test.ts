import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtEnvironment } from './built-environment.ts'
import { DirectLauncher, openLauncher, ShellLauncher, type Launch, type Launcher } from './launcher.ts'
import { childrenFromProc, processRows, rowFromProc } from './process-rows.ts'

const env = builtEnvironment(process.env, { GREETING: "it's $HOME" })
const kinds: Readonly<Record<string, () => Launcher>> = {
  directly: () => new DirectLauncher(env),
  'through a shell': () => new ShellLauncher(env, 'setsid'),
}

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-launch-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** A folder with a name that a shell would take apart. */
async function place() {
  const cwd = await mkdtemp(join(root, `it's "a" $(place) `))
  return { cwd, log: join(cwd, 'complaints.log') }
}

const endOf = async (launcher: Launcher, launch: Omit<Launch, 'onEnd'>): Promise<string> =>
  new Promise((onEnd) => launcher.launch({ ...launch, onEnd }))

const pidIn = (path: string): number => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0)

test('where a shell can begin a session, it is done by one', () => {
  const launcher = openLauncher(builtEnvironment(process.env))
  expect(launcher).toBeInstanceOf(process.platform === 'linux' ? ShellLauncher : DirectLauncher)
  expect(openLauncher({ PATH: '/nowhere' })).toBeInstanceOf(DirectLauncher)
})

test('a closed launcher leaves no shell behind', async () => {
  const before = childrenFromProc(process.pid)
  const launcher = new ShellLauncher(env, 'setsid')
  const { cwd, log } = await place()
  await endOf(launcher, { command: ['/bin/true'], cwd, log })
  const left = (): readonly number[] => childrenFromProc(process.pid).filter((pid) => !before.includes(pid))
  expect(left().length).toBe(1)
  await launcher.close()
  expect(left()).toEqual([])
  await launcher.close()
})

for (const [how, open] of Object.entries(kinds)) {
  describe(`launched ${how}`, () => {
    test('a process runs in its folder with the given environment, and its end is reported', async () => {
      const launcher = open()
      const { cwd, log } = await place()
      const script =
        'pwd > where; printf %s "$GREETING" > greeting; printf %s "$1" > word; echo oh >&2; exit 3'
      const word = `'"$x\\`
      expect(await endOf(launcher, { command: ['/bin/sh', '-c', script, 'sh', word], cwd, log })).toBe(
        'ended',
      )
      expect(readFileSync(join(cwd, 'where'), 'utf8')).toBe(`${cwd}\n`)
      expect(readFileSync(join(cwd, 'greeting'), 'utf8')).toBe("it's $HOME")
      expect(readFileSync(join(cwd, 'word'), 'utf8')).toBe(word)
      expect(readFileSync(log, 'utf8')).toBe('oh\n')
      await launcher.close()
    })

    test('a process has its own session and does not inherit the reporting pipe', async () => {
      const launcher = open()
      const { cwd, log } = await place()
      const script =
        'cut -d" " -f1,6 /proc/$$/stat > session; if [ -e /proc/$$/fd/3 ]; then echo yes; else echo no; fi > door'
      await endOf(launcher, { command: ['/bin/sh', '-c', script], cwd, log })
      const [pid, session] = readFileSync(join(cwd, 'session'), 'utf8').trim().split(' ')
      expect(session).toBe(pid)
      expect(readFileSync(join(cwd, 'door'), 'utf8')).toBe('no\n')
      await launcher.close()
    })

    test('what cannot be run has ended, with a complaint', async () => {
      const launcher = open()
      const { cwd, log } = await place()
      expect(await endOf(launcher, { command: ['/no/such/program'], cwd, log })).toBe('ended')
      expect(readFileSync(log, 'utf8')).toContain('/no/such/program')
      await launcher.close()
    })

    test('each of many ends is reported once', async () => {
      const launcher = open()
      const { cwd, log } = await place()
      const ends: number[] = []
      const all = Array.from({ length: 20 }, async (_, at) => {
        await endOf(launcher, { command: ['/bin/sh', '-c', `exit ${at}`], cwd, log })
        ends.push(at)
      })
      await Promise.all(all)
      expect(ends.toSorted((one, other) => one - other)).toEqual(all.map((_, at) => at))
      await launcher.close()
    })

    test('it outlives its launcher', async () => {
      const launcher = open()
      const { cwd, log } = await place()
      execFileSync('mkfifo', [join(cwd, 'door')])
      const script = 'echo $$ > .pid && mv .pid pid; read go < door; echo done > end'
      let ends = 0
      launcher.launch({ command: ['/bin/sh', '-c', script], cwd, log, onEnd: () => ends++ })
      await expect.poll(() => pidIn(join(cwd, 'pid'))).toBeGreaterThan(0)
      await launcher.close()
      await writeFile(join(cwd, 'door'), 'go\n')
      await expect.poll(() => existsSync(join(cwd, 'end'))).toBe(true)
      expect(ends).toBe(0)
    })
  })
}

describe('launched through a shell', () => {
  const shellOf = (pid: number): number => {
    const waiting = rowFromProc(pid)?.parent ?? 0
    return rowFromProc(waiting)?.parent ?? 0
  }

  test('it is lost when its shell is killed, and goes on; the next one has another shell', async () => {
    const launcher = new ShellLauncher(env, 'setsid')
    const { cwd, log } = await place()
    execFileSync('mkfifo', [join(cwd, 'door')])
    const script = 'echo $$ > .pid && mv .pid pid; read go < door'
    const lost = endOf(launcher, { command: ['/bin/sh', '-c', script], cwd, log })
    await expect.poll(() => pidIn(join(cwd, 'pid'))).toBeGreaterThan(0)
    const pid = pidIn(join(cwd, 'pid'))
    process.kill(shellOf(pid), 'SIGKILL')
    expect(await lost).toBe('lost')
    expect(rowFromProc(pid)?.isZombie).toBe(false)
    expect(await endOf(launcher, { command: ['/bin/true'], cwd, log })).toBe('ended')
    await writeFile(join(cwd, 'door'), 'go\n')
    await launcher.close()
  })

  test('what has ended is not kept in the list of processes by the shell', async () => {
    const launcher = new ShellLauncher(env, 'setsid')
    const { cwd, log } = await place()
    const script = 'echo $PPID > .parent && mv .parent parent'
    for (let at = 0; at < 5; at++) await endOf(launcher, { command: ['/bin/sh', '-c', script], cwd, log })
    execFileSync('mkfifo', [join(cwd, 'door')])
    const last = 'echo $$ > .pid && mv .pid pid; read go < door'
    const ended = endOf(launcher, { command: ['/bin/sh', '-c', last], cwd, log })
    await expect.poll(() => pidIn(join(cwd, 'pid'))).toBeGreaterThan(0)
    const shell = shellOf(pidIn(join(cwd, 'pid')))
    const children = processRows().filter((row) => row.parent === shell)
    // The one that waits for the last, and perhaps the one before it.
    expect(children.length).toBeLessThanOrEqual(2)
    await writeFile(join(cwd, 'door'), 'go\n')
    await ended
    await launcher.close()
  })
})
