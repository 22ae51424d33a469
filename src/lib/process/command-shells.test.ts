import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { builtEnvironment } from './built-environment.ts'
import { CommandShells } from './command-shells.ts'
import { detectContainment } from './containment.ts'
import { textOf } from './output-keeper.ts'
import { childrenFromProc, processRows } from './process-rows.ts'
import { markOf } from './process-tree.ts'
import { runCapped, type CappedCall } from './run-capped.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-shells-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = builtEnvironment(process.env, { ODD: `it's $HOME\n"two"`, EMPTY: '' })
const containment = await detectContainment()
const call = (command: CappedCall['command'], more: Partial<CappedCall> = {}): CappedCall => ({
  command,
  cwd: folder,
  env,
  timeoutMs: 20_000,
  maxOutputBytes: 16 * 1024 * 1024,
  containment,
  ...more,
})

describe.runIf(containment.kind === 'namespace')('commands that shells start', () => {
  test('follow each other in one shell, which is gone once they are closed', async () => {
    const before = childrenFromProc(process.pid)
    const left = (): readonly number[] => childrenFromProc(process.pid).filter((pid) => !before.includes(pid))
    const shells = new CommandShells()
    const seen: (readonly number[])[] = []
    for (const code of [0, 3, 0]) {
      const { outcome } = await runCapped(call(`exit ${code}`, { shells }))
      expect(outcome).toEqual({ kind: 'exited', code })
      seen.push(left())
    }
    expect(seen[0]).toHaveLength(1)
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
    await shells.close()
    expect(left()).toEqual([])
    const refused = { kind: 'not_started', reason: 'Bosun is stopping' }
    expect((await runCapped(call('exit 4', { shells }))).outcome).toEqual(refused)
    expect(left()).toEqual([])
  })

  test('have the environment and the input that they have when they are started directly', async () => {
    const shells = new CommandShells()
    const script = 'env | grep -v BOSUN_TREE | sort; pwd; cat; ls /proc/self/fd; echo $PPID; ps -o sid= -p $$'
    const [direct, through] = [await runCapped(call(script)), await runCapped(call(script, { shells }))]
    expect(textOf(through.output)).toBe(textOf(direct.output))
    await shells.close()
  })

  test('write what they like, all of which is read before they count as ended', async () => {
    const shells = new CommandShells()
    const bytes = Buffer.alloc(3_000_001, 'a\0b\0\0')
    const script = `process.stdout.write(Buffer.alloc(3000001, 'a\\0b\\0\\0')); process.stderr.write('\\0')`
    const heard: Record<string, Buffer[]> = { stdout: [], stderr: [] }
    const onOutput: CappedCall['onOutput'] = (chunk, from) => heard[from]?.push(Buffer.from(chunk))
    const runs = [1, 2, 3, 4].map(() => runCapped(call(['true'], { shells })))
    await runCapped(call([process.execPath, '-e', script], { shells, onOutput }))
    expect(Buffer.concat(heard['stdout'] ?? []).equals(bytes)).toBe(true)
    expect(Buffer.concat(heard['stderr'] ?? [])).toEqual(Buffer.from([0]))
    for (const { outcome, output } of await Promise.all(runs)) {
      expect(outcome).toEqual({ kind: 'exited', code: 0 })
      expect(textOf(output)).toBe('')
    }
    await shells.close()
  })

  test('are not started in a folder that is gone, and the shell goes on', async () => {
    const shells = new CommandShells()
    const { outcome } = await runCapped(call(['/bin/true'], { shells, cwd: join(folder, 'gone') }))
    expect(outcome).toMatchObject({ kind: 'not_started' })
    expect((await runCapped(call('true', { shells }))).outcome).toEqual({ kind: 'exited', code: 0 })
    await shells.close()
  })

  test('end as killed with everything they started when their shell is killed, and the next one gets another', async () => {
    const before = childrenFromProc(process.pid)
    const shells = new CommandShells()
    const mark = `killed-${process.pid}-${Date.now()}`
    const up = Promise.withResolvers<void>()
    const running = runCapped(call('echo up; sleep 1000', { shells, mark, onOutput: () => up.resolve() }))
    await up.promise
    const [shell = 0] = childrenFromProc(process.pid).filter((pid) => !before.includes(pid))
    process.kill(shell, 'SIGKILL')
    const { outcome, survivors } = await running
    expect(outcome).toMatchObject({ kind: 'signalled' })
    expect(survivors).toEqual([])
    const left = processRows().filter(({ pid, isZombie }) => !isZombie && markOf(pid) === mark)
    expect(left).toEqual([])
    expect((await runCapped(call('true', { shells }))).outcome).toEqual({ kind: 'exited', code: 0 })
    await shells.close()
  })

  test('die with the process that they were started for', async () => {
    const mark = `test-${process.pid}-${Date.now()}`
    const program = `
      import { CommandShells } from ${JSON.stringify(join(import.meta.dirname, 'command-shells.ts'))}
      import { runCapped } from ${JSON.stringify(join(import.meta.dirname, 'run-capped.ts'))}
      const onOutput = () => console.log('runs')
      await runCapped({ command: 'echo up; sleep 1000', cwd: '/', env: { PATH: process.env.PATH }, timeoutMs: 60000,
        maxOutputBytes: 10, onOutput, mark: ${JSON.stringify(mark)}, shells: new CommandShells() })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const marked = (): readonly number[] =>
      processRows().flatMap(({ pid, isZombie }) => (!isZombie && markOf(pid) === mark ? [pid] : []))
    await once(child.stdout, 'data')
    expect(marked().length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(marked, { timeout: 10_000 }).toEqual([])
  })
})
