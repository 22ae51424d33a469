/** What goes wrong while several tasks wait in the landing queue. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { linesOf } from './lab.ts'
import { QueueLab } from './queue-lab.ts'
import { mayMount, SmallDisk } from './small-disk.ts'

const WORKING = 'feat/queue/working'
const PATIENCE = { timeout: 60_000, interval: 50 }

let queue: QueueLab | null = null
afterEach(async () => {
  await queue?.lab.dispose()
  queue = null
})

const ran = ({ lab }: QueueLab): readonly string[] => [...linesOf(join(lab.folder, 'ran.txt'))].sort()

/** Every task landed once, in trees that were proven, without a refusal. */
async function expectDelivered(here: QueueLab, tasks: number): Promise<void> {
  const { lab } = here
  const events = lab.activity().map(({ event }) => event)
  expect(events).not.toContain('commit_refused')
  expect(events.filter((event) => event === 'task_committed')).toHaveLength(tasks)
  const proof = await lab.bosun('release', 'verify', 'queue')
  expect([proof.exit, proof.stderr], proof.stdout).toEqual([0, ''])
  lab.git('fsck', '--strict', '--no-dangling')
}

/** Fails the first time that the second value is there, and never again. */
const UNSTEADY = `import { existsSync, mkdirSync } from 'node:fs'
import { test } from 'node:test'
test('the base holds', () => {})
test('unsteady', () => {
  if (!existsSync('src/m2/value')) return
  try { mkdirSync(process.env.HOME_OF_TEST + '/flaked') } catch { return }
  throw new Error('not this time')
})
`

test('a flaky test in the middle of the queue costs no task a second worker', async () => {
  const files = { 'test/unsteady.test.mjs': UNSTEADY }
  queue = new QueueLab(3, { files, test: '"node --test"' })
  const { lab } = queue
  lab.write({
    'test/unsteady.test.mjs': UNSTEADY.replace('process.env.HOME_OF_TEST', JSON.stringify(lab.folder)),
  })
  lab.git('commit', '-qam', 'Know the folder')
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], `${stderr}${JSON.stringify(last.inbox)}`).toEqual([0, 'released'])
  expect(existsSync(join(lab.folder, 'flaked'))).toBe(true)
  expect(ran(queue)).toEqual(['w-queue-1-1', 'w-queue-2-1', 'w-queue-3-1'])
  const gateEvents = lab.activity().filter(({ event }) => event.startsWith('gate'))
  expect(JSON.stringify(gateEvents)).toContain('flaky: unsteady')
  await expectDelivered(queue, 3)
})

test('a base branch that moves while work is proven changes nothing about what lands', async () => {
  queue = new QueueLab(3)
  const { lab } = queue
  const base = lab.git('rev-parse', 'main')
  queue.hold()
  const running = lab.deliver()
  await queue.untilQueued()
  lab.write({ 'lib/base': 'broken\n' })
  lab.git('commit', '-qam', 'Move on')
  queue.release()
  const { exit, last, stderr } = await running
  expect([exit, last.outcome], stderr).toEqual([0, 'released'])
  expect(lab.git('merge-base', 'main', WORKING)).toBe(base)
  await expectDelivered(queue, 3)
})

test('rejecting the head of the queue has those behind it proven without it, and they land', async () => {
  queue = new QueueLab(3, { settings: 'approval: each_task\npm: { max_parallel_agents: 3 }\n' })
  const { lab } = queue
  const { last: asked } = await lab.deliver()
  expect(asked.inbox.map(({ kind }) => kind)).toEqual(['approval', 'approval', 'approval'])
  for (const { id, task } of asked.inbox) {
    const choice = task === '1' ? ['reject', '--feedback', 'not wanted'] : ['approve']
    const { exit, stderr } = await lab.bosun('answer', id, ...choice)
    expect(exit, stderr).toBe(0)
  }
  await lab.deliver()
  await vi.waitUntil(
    () => lab.activity().filter(({ event }) => event === 'task_committed').length === 2,
    PATIENCE,
  )
  expect(lab.git('ls-tree', '-r', '--name-only', WORKING, 'src')).toBe('src/m2/value\nsrc/m3/value')
  expect(lab.activity().map(({ event }) => event)).not.toContain('commit_refused')
})

test('an edit that changes a task in the middle of the queue costs the others no worker', async () => {
  queue = new QueueLab(3)
  const { lab } = queue
  queue.hold()
  const first = lab.deliver()
  await queue.untilQueued()
  queue.edit({ 2: 'other' })
  const edited = lab.deliver()
  await vi.waitUntil(() => lab.activity().some(({ event }) => event === 'plan_edited'), PATIENCE)
  queue.release()
  const { exit, last, stderr } = await edited
  await first
  expect([exit, last.outcome], stderr).toEqual([0, 'released'])
  expect(ran(queue)).toEqual(['w-queue-1-1', 'w-queue-2-1', 'w-queue-2-2', 'w-queue-3-1'])
  expect(lab.git('show', `${WORKING}:src/m2/value`)).toBe('other')
  await expectDelivered(queue, 3)
})

test('a daemon killed while three tasks are proven lands each of them once', async () => {
  queue = new QueueLab(3)
  const { lab } = queue
  queue.hold()
  const running = lab.deliver()
  await queue.untilQueued()
  process.kill(lab.daemon().pid, 'SIGKILL')
  queue.release()
  await running
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([0, 'released'])
  expect(ran(queue)).toEqual(['w-queue-1-1', 'w-queue-2-1', 'w-queue-3-1'])
  await expectDelivered(queue, 3)
})

describe.skipIf(!mayMount())('a disk that is full while three tasks are proven', () => {
  test('loses no work: all of it lands once there is space', async () => {
    const disks: SmallDisk[] = []
    queue = new QueueLab(3, { provision: ({ home }) => disks.push(new SmallDisk(home, 64)) })
    const { lab } = queue
    const [disk] = disks
    if (disk === undefined) throw new Error('nothing was mounted')
    try {
      queue.hold()
      const running = lab.deliver()
      await queue.untilQueued()
      disk.fill()
      queue.release()
      const isSaid = async (): Promise<boolean> =>
        (await lab.bosun('status')).stdout.includes('the disk is full')
      await vi.waitUntil(isSaid, PATIENCE)
      disk.free()
      let done = await running
      for (const { id } of done.last.inbox) await lab.bosun('answer', id, 'retry')
      if (done.exit !== 0) done = await lab.deliver()
      expect([done.exit, done.last.outcome], done.stderr).toEqual([0, 'released'])
      expect(ran(queue)).toEqual(['w-queue-1-1', 'w-queue-2-1', 'w-queue-3-1'])
      await expectDelivered(queue, 3)
    } finally {
      await lab.stop()
      disk.unmount()
    }
  })
})
