/** Disks that are really full, at the moment when something is to be written to them. */
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Lab } from './lab.ts'
import { mayMount, SmallDisk } from './small-disk.ts'
import { smallProject, type SmallProject } from './small-project.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }
const WORKING = 'refs/heads/feat/small/working'

interface Disks {
  readonly repo: SmallDisk
  readonly home: SmallDisk
}

async function onSmallDisks(
  project: SmallProject,
  prove: (lab: Lab, disks: Disks) => Promise<void>,
  homeMegabytes = 48,
): Promise<void> {
  const mounted: SmallDisk[] = []
  const provision = (lab: Lab): void => {
    mounted.push(new SmallDisk(lab.repo, 4), new SmallDisk(lab.home, homeMegabytes))
  }
  const lab = smallProject({ ...project, provision })
  try {
    const [repo, home] = mounted
    if (repo === undefined || home === undefined) throw new Error('nothing was mounted')
    await prove(lab, { repo, home })
    await lab.stop()
    expect(lab.processes()).toEqual([])
  } finally {
    await lab.stop()
    for (const disk of mounted) disk.unmount()
    await lab.dispose()
  }
}

/** Takes all the room that the state root has, then ends as one that did its work. */
/** Where it can: in a sandbox it does not see the state root. */
const OFF = 'sandbox: { mode: off }\n'
const FILLS_STATE = 'cd "$BOSUN_COORDINATION/../../.."; cat /dev/zero > filler; touch filled; true'
/** In the first attempt of task 1: writes until it is ended, fast, then slowly enough to be seen doing it. */
const GREEDY = `work; report
if [ "$id$BOSUN_ATTEMPT" = 11 ]; then
  head -c 90m /dev/urandom > junk
  while head -c 256k /dev/urandom >> junk; do sleep 0.1; done
  while :; do sleep 1; done
fi`
const attempts = (lab: Lab): readonly string[] =>
  lab.activity().flatMap((line) => (line.event === 'task_dispatched' ? [line.worker_id ?? ''] : []))
const IGNORE = { '.gitignore': 'filler\n' }

describe.skipIf(!mayMount())('a full disk has a defined end', () => {
  test('a commit without disk space is reported at once, changes nothing, and lands once there is space', () =>
    onSmallDisks({ agent: 'work; report', files: IGNORE }, async (lab, { repo }) => {
      const refs = lab.refs()
      repo.fill()
      const full = await lab.deliver()
      expect(full).toMatchObject({ exit: 10, last: { outcome: 'needs_person', commits: [] } })
      expect(full.last.inbox[0]?.problem).toMatch(/the disk is full/)
      lab.git('fsck', '--strict', '--no-dangling')
      expect(lab.refs()).toEqual(refs)
      repo.free()
      expect((await lab.bosun('answer', full.last.inbox[0]?.id ?? '', 'retry')).exit).toBe(0)
      const done = await lab.deliver()
      expect(done).toMatchObject({ exit: 0, last: { outcome: 'released' } })
      expect(done.last.commits).toHaveLength(1)
      lab.git('fsck', '--strict', '--no-dangling')
      const { [WORKING]: ours, ...theirs } = lab.refs()
      expect(theirs).toEqual(refs)
      expect(ours).toBeDefined()
    }))

  test('running the plan again once there is space tries again at once, without an answer', () =>
    onSmallDisks({ agent: 'work; report', files: IGNORE }, async (lab, { repo }) => {
      repo.fill()
      expect(await lab.deliver()).toMatchObject({ exit: 10, last: { outcome: 'needs_person' } })
      repo.free()
      const done = await lab.deliver()
      expect(done, done.stderr).toMatchObject({ exit: 0, last: { outcome: 'released', inbox: [{}] } })
      expect(done.last.commits).toHaveLength(1)
    }))

  test('a full disk under the state root loses no acknowledged event, is reported, and blocks nothing permanently', () =>
    onSmallDisks({ agent: `work; report; ${FILLS_STATE}`, settings: OFF }, async (lab, { home }) => {
      const refs = lab.refs()
      const running = lab.deliver()
      await vi.waitUntil(() => existsSync(join(home.path, 'filled')), PATIENCE)
      home.fill()
      const { pid } = lab.daemon()
      const before = lab.activity().map((line) => line.event)
      // It is not reported as done.
      const paused = await lab.bosun('pause', 'small')
      expect(paused).toMatchObject({ exit: 1, stderr: expect.stringMatching(/the disk is full/) })
      const { stdout } = await lab.bosun('status', '--json')
      expect(JSON.parse(stdout)).toMatchObject({
        plans: [{ state: 'waiting', why: expect.stringMatching(/the disk is full/) }],
      })
      expect(lab.refs()).toEqual(refs)
      home.free()
      const done = await running
      expect(done).toMatchObject({ exit: 0, last: { outcome: 'released' } })
      lab.git('fsck', '--strict', '--no-dangling')
      const events = lab.activity().map((line) => line.event)
      expect(events.slice(0, before.length)).toEqual(before)
      expect(events).toEqual(expect.arrayContaining(['worker_completed', 'task_committed', 'release_ready']))
      expect(events).not.toContain('plan_paused')
      expect(lab.daemon().pid).toBe(pid)
    }))

  for (const moment of ['task_dispatched', 'worker_completed', 'gate_passed', 'task_committed'] as const)
    test(`a disk that is full from ${moment} on, with a killed daemon, loses no work and makes no second commit`, () =>
      onSmallDisks({ agent: 'work; report', tasks: 2 }, async (lab, { home }) => {
        const running = lab.deliver()
        await vi.waitUntil(() => lab.activity().some((line) => line.event === moment), PATIENCE)
        home.fill()
        await vi.waitUntil(async () => (await lab.bosun('status')).stdout.includes('the disk is full'), {
          ...PATIENCE,
          interval: 300,
        })
        const acknowledged = lab.activity().filter((line) => line.event === 'task_committed')
        process.kill(lab.daemon().pid, 'SIGKILL')
        home.free()
        await running
        const done = await lab.deliver()
        expect(done, `${done.stdout.slice(-2000)}${done.stderr}`).toMatchObject({
          exit: 0,
          last: { outcome: 'released' },
        })
        const committed = lab.activity().filter((line) => line.event === 'task_committed')
        expect(committed.slice(0, acknowledged.length)).toEqual(acknowledged)
        expect(committed.map((line) => line.task_id)).toEqual(['1', '2'])
        expect(lab.git('log', '--format=%s', `main..${WORKING}`).split('\n')).toHaveLength(3)
        lab.git('fsck', '--strict', '--no-dangling')
      }))

  test('a worker that fills the disk is ended; the others continue, and its work is kept', () =>
    onSmallDisks(
      { agent: GREEDY, tasks: 2, sideBySide: true },
      async (lab, { home }) => {
        const done = await lab.deliver()
        expect(done, `${done.stdout.slice(-2000)}${done.stderr}`).toMatchObject({
          exit: 0,
          last: { outcome: 'released' },
        })
        const killed = lab.activity().filter((line) => line.event === 'worker_killed')
        expect(killed).toMatchObject([{ worker_id: 'w-small-1-1', data: { cause: 'disk_limit' } }])
        expect(attempts(lab).toSorted()).toEqual(['w-small-1-1', 'w-small-1-2', 'w-small-2-1'])
        // What is too large to be saved stays where it is, and what fits is saved.
        const [kept = ''] = globSync('repos/*/clones/kept-w-small-1-1/junk', { cwd: home.path })
        expect(statSync(join(home.path, kept)).size).toBeGreaterThan(90 * 1024 * 1024)
        const { stdout } = await lab.bosun('worker', 'show', 'w-small-1-1', '--json')
        expect(stdout).toContain('refs/salvage/w-small-1-1')
        lab.git('fsck', '--strict', '--no-dangling')
      },
      120,
    ))
})
