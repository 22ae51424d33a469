/** Files of one worker that are damaged, while the daemon runs or not: that worker fails, and the plan is delivered. */
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

type Detachable = ReturnType<Lab['spawn']>

interface AtWork {
  readonly lab: Lab
  readonly folder: string
  readonly attached: Detachable
}

/** The first attempt is at work until there is a file `go`; later ones do it at once. */
async function atWork(): Promise<AtWork> {
  const lab = smallProject({
    tasks: 1,
    agent:
      '[ $BOSUN_ATTEMPT != 1 ] || until [ -e "$repo/../go" ]; do touch "$repo/../begun"; sleep 0.1; done; work; report',
  })
  onTestFinished(() => lab.dispose())
  const attached = lab.spawn('run', 'plan.yaml', '--no-input')
  await expect.poll(() => existsSync(join(lab.folder, 'begun'))).toBe(true)
  const [repository = ''] = readdirSync(join(lab.home, 'repos'))
  return { lab, folder: join(lab.home, 'repos', repository, 'workers', 'w-small-1-1'), attached }
}

/** Detaches first: an attached run would start the next daemon. */
async function killDaemon(lab: Lab, attached: Detachable): Promise<void> {
  const detached = once(attached, 'exit')
  attached.kill('SIGTERM')
  await detached
  const { pid } = lab.daemon()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => identify(pid)).toBe(null)
}

async function warningsOf(lab: Lab): Promise<readonly (readonly [string, string])[]> {
  const { stdout } = await lab.bosun('doctor', '--quick', '--json')
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly { readonly id: string; readonly status: string; readonly message: string }[]
  }
  return checks.flatMap(({ id, status, message }) => (id === 'workers' ? [[status, message] as const] : []))
}

const reasons = (lab: Lab): readonly unknown[] =>
  lab.activity().flatMap(({ event, data }) => (event === 'worker_failed' ? [data['reason']] : []))

const DAMAGES: readonly (readonly [string, string, (folder: string) => void])[] = [
  [
    'a cut job.json',
    'its job.json is damaged: it is not JSON',
    (at) => writeFileSync(join(at, 'job.json'), '{"v"'),
  ],
  ['no job.json', 'its job.json is missing', (at) => rmSync(join(at, 'job.json'))],
  [
    'a cut result.json',
    'its result.json is damaged: it is not JSON',
    (at) => writeFileSync(join(at, 'result.json'), '{'),
  ],
  [
    'a folder in the place of its result.json',
    'its result.json is damaged: it is not a file',
    (at) => {
      rmSync(join(at, 'result.json'))
      mkdirSync(join(at, 'result.json'))
    },
  ],
]

test.each(DAMAGES)(
  'a worker that ended while no daemon ran, with %s, fails; doctor names the file, and the plan goes on',
  async (_, reason, damage) => {
    const { lab, folder, attached } = await atWork()
    await killDaemon(lab, attached)
    writeFileSync(join(lab.folder, 'go'), '')
    await expect.poll(() => existsSync(join(folder, 'result.json'))).toBe(true)
    damage(folder)
    expect(await warningsOf(lab)).toEqual([['warning', `w-small-1-1: ${reason}`]])
    const { exit, last } = await lab.deliver()
    expect([exit, last.outcome]).toEqual([0, 'released'])
    expect(reasons(lab)).toEqual([reason])
    expect(await warningsOf(lab)).toEqual([
      ['warning', expect.stringMatching(/^w-small-1-1: its .+\.json is /)],
    ])
  },
)

test('a worker whose folder was removed while no daemon ran fails, and the plan goes on', async () => {
  const { lab, folder, attached } = await atWork()
  await expect.poll(() => lab.activity().some(({ event }) => event === 'worker_registered')).toBe(true)
  await killDaemon(lab, attached)
  rmSync(folder, { recursive: true })
  const { exit } = await lab.deliver()
  expect(exit).toBe(0)
  expect(reasons(lab)).toEqual(['its folder is missing'])
})

test('a stop without a cause ends a worker at work, and the plan goes on', async () => {
  const { lab, folder } = await atWork()
  appendFileSync(join(folder, 'commands.jsonl'), '{"kind":"stop"}\n')
  const { exit } = await lab.deliver()
  expect(exit).toBe(0)
  expect(reasons(lab)).toEqual(['its commands.jsonl is damaged: not a command: {"kind":"stop"}'])
})

test.each(['note.json', 'placed.json'])(
  'a worker at work whose workspace has a damaged %s fails by name, and the plan goes on',
  async (file) => {
    const { lab, folder } = await atWork()
    writeFileSync(join(folder, '../../private/clones/1', file), '{')
    writeFileSync(join(lab.folder, 'go'), '')
    const { exit } = await lab.deliver()
    expect(exit).toBe(0)
    const whys = lab
      .activity()
      .flatMap(({ event, data }) => (event === 'task_dispatched' ? [String(data['why'])] : []))
    expect(whys.slice(1)).toEqual([
      expect.stringMatching(
        /its workspace is lost: what Bosun noted about .*1 is damaged \(not judged: no model\)$/,
      ),
    ])
  },
)
