/**
 * Each file that a worker folder holds may be damaged or gone at any time: its worker fails with a reason, or ends as it
 * would have, and nothing else is touched.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { WorkerEnd } from '../../src/core/event-schemas/schemas.ts'
import { openedFile } from '../../src/lib/files/atomic-write.ts'
import { identify } from '../../src/lib/process/processes.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag, supervisorOf, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SIDE = programPath('test/fixtures/agents/bosun-side.ts')

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path, { force: true }),
  empty: (path) => writeFileSync(path, ''),
  'cut in the middle': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  binary: (path) => writeFileSync(path, Buffer.from([0, 0xff, 0xfe, 0x0a, 0, 0x7b, 0x0a])),
  'of another type': (path) => writeFileSync(path, '[1, 2]\n'),
  'without its fields': (path) => writeFileSync(path, '{"kind":"stop","v":1}\n'),
  huge: (path) => writeFileSync(path, ''.padEnd(70 * 1024 * 1024, '{"kind":')),
  'a folder': (path) => {
    rmSync(path, { force: true })
    mkdirSync(path)
  },
}
const FILES = ['job.json', 'identity.json', 'journal.jsonl', 'commands.jsonl', 'result.json'] as const
type File = (typeof FILES)[number]

const NAMES = Object.keys(DAMAGES)
/** One for each kind of damage, and the last is left alone. */
const WORKERS = [...NAMES, 'none'].map((_, at) => `w-lab-${at + 1}-1`)
const WHOLE = WORKERS.at(-1) ?? ''

let lab: Lab
const opened: SupervisedAgent[] = []
const open = async (): Promise<SupervisedAgent> => {
  const agent = await labAgent(lab)
  opened.push(agent)
  return agent
}

beforeEach(async () => {
  lab = { root: tempFolder('damaged'), tag: newTag() }
})
afterEach(async () => {
  const last = opened.at(-1) ?? (await open())
  await Promise.all(WORKERS.map((worker) => last.stop(worker, 'cancelled')))
  for (const agent of opened.splice(0)) await agent.close()
  await expect.poll(() => withTag(lab.tag)).toEqual([])
  await expect.poll(() => withTag(lab.root)).toEqual([])
})

/** Started by a Bosun that is killed then. */
async function startedByAnother(fixture: string): Promise<void> {
  const args = [SIDE, lab.root, fixture, lab.tag, String(WORKERS.length)]
  const side = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(side.stdout, 'data')
  side.kill('SIGKILL')
  await once(side, 'exit')
}

/** Waits for no reader: its worker may have ended by then. */
function say(word: string): void {
  using pipe = openedFile(word, constants.O_RDWR)
  writeSync(pipe.fd, 'go\n')
}

const supervisorsGone = () =>
  expect.poll(() => WORKERS.filter((worker) => identify(supervisorOf(lab, worker)) !== null)).toEqual([])

function damageAll(file: File): void {
  for (const [at, name] of NAMES.entries()) {
    const path = join(lab.root, 'workers', WORKERS[at] ?? '', file)
    // What is not there yet can only be put there wrong.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) writeFileSync(path, '')
    DAMAGES[name]?.(path)
  }
}

/** By kind of damage, how its worker ended; undefined where it runs. */
async function endsBy(agent: SupervisedAgent): Promise<Readonly<Record<string, WorkerEnd | undefined>>> {
  const ends = await agent.forPlan('lab').unacknowledged(WORKERS)
  const endOf = (worker: string): WorkerEnd | undefined => ends.find((one) => one.worker === worker)?.end
  expect(new Set(ends.map(({ worker }) => worker)).size).toBe(ends.length)
  return Object.fromEntries(NAMES.map((name, at) => [name, endOf(WORKERS[at] ?? '')]))
}

const failedFor = (file: File) => ({
  kind: 'failed',
  reason: expect.stringMatching(new RegExp(`^its ${file.replace('.', '\\.')} is (missing|damaged: .+)$`)),
})
const all = (end: unknown) => Object.fromEntries(NAMES.map((name) => [name, end]))

/** Which workers that have ended need the file: the others end as they did. */
const NEEDED_AFTER: Readonly<Record<File, boolean>> = {
  'job.json': true,
  'identity.json': false,
  'journal.jsonl': false,
  'commands.jsonl': false,
  'result.json': true,
}

describe('of workers that ended while no daemon ran', () => {
  test.each(FILES)('a damaged %s fails its worker at most, and no other', async (file) => {
    await startedByAnother('finishes.sh')
    await supervisorsGone()
    damageAll(file)
    const agent = await open()
    const ends = await endsBy(agent)
    expect(ends).toEqual(all(NEEDED_AFTER[file] ? failedFor(file) : { kind: 'done' }))
    expect(agent.endOf(WHOLE)?.end).toEqual({ kind: 'done' })
    for (const worker of WORKERS) await agent.acknowledge(worker)
    const again = await open()
    expect(await again.forPlan('lab').unacknowledged()).toEqual([])
    expect(WORKERS.map((worker) => again.endOf(worker)?.end.kind)).toEqual(
      WORKERS.map((worker) => (worker === WHOLE || !NEEDED_AFTER[file] ? 'done' : 'failed')),
    )
  })
})

describe('of workers that run when a daemon takes them up', () => {
  test.each(FILES)('a damaged %s leaves no worker in between, and touches no other', async (file) => {
    await startedByAnother('sleeps.sh')
    damageAll(file)
    const agent = await open()
    await agent.unacknowledged()
    await Promise.all(WORKERS.slice(0, -1).map((worker) => agent.stop(worker, 'cancelled')))
    const ends = await endsBy(agent)
    for (const [name, end] of Object.entries(ends))
      expect([name, end]).toEqual([
        name,
        end?.kind === 'stopped' ? { kind: 'stopped', cause: 'cancelled' } : failedFor(file),
      ])
    if (file === 'job.json') expect(ends).toEqual(all(failedFor(file)))
    expect(await agent.standing(WHOLE)).toBe('running')
    expect(agent.pidOf(WHOLE)).toBeGreaterThan(0)
  })
})

describe('of workers at work while the daemon runs', () => {
  test.each(FILES)('a damaged %s leaves no worker in between, and touches no other', async (file) => {
    const agent = await open()
    await Promise.all(WORKERS.map((worker) => agent.start(labJob(worker, 'sleeps.sh'))))
    damageAll(file)
    for (const worker of WORKERS) {
      agent.pidOf(worker)
      agent.channelOf(worker)
      agent.endOf(worker)
      await agent.extend(worker, 600_000)
    }
    await Promise.all(WORKERS.slice(0, -1).map((worker) => agent.stop(worker, 'stalled')))
    const ends = await endsBy(agent)
    for (const [name, end] of Object.entries(ends))
      expect([name, end]).toEqual([
        name,
        end?.kind === 'stopped' ? { kind: 'stopped', cause: 'stalled' } : failedFor(file),
      ])
    expect(await agent.standing(WHOLE)).toBe('running')
  })

  test.each(FILES.filter((file) => file !== 'identity.json'))(
    'without its %s a worker ends as it would have, or fails with the name of the file',
    async (file) => {
      const agent = await open()
      await Promise.all(WORKERS.map((worker) => agent.start(labJob(worker, 'finishes-on-word.sh'))))
      const words = WORKERS.map((worker) => join(lab.root, 'clones', worker, 'word'))
      await expect.poll(() => words.filter((word) => !existsSync(word))).toEqual([])
      damageAll(file)
      for (const word of words) say(word)
      await expect.poll(async () => (await agent.unacknowledged()).length).toBe(WORKERS.length)
      for (const [name, end] of Object.entries(await endsBy(agent)))
        expect([name, end]).toEqual([name, end?.kind === 'done' ? { kind: 'done' } : failedFor(file)])
      expect(agent.endOf(WHOLE)?.end).toEqual({ kind: 'done' })
    },
  )
})

test('a stop without a cause ends its worker with a reason', async () => {
  const agent = await open()
  const [worker = ''] = WORKERS
  await agent.start(labJob(worker, 'sleeps.sh'))
  writeFileSync(join(lab.root, 'workers', worker, 'commands.jsonl'), '\n{"kind":"stop"}\n', { flag: 'a' })
  await expect
    .poll(async () => (await agent.unacknowledged())[0]?.end)
    .toEqual({
      kind: 'failed',
      reason: 'its commands.jsonl is damaged: not a command: {"kind":"stop"}',
    })
})

test('a worker whose folder is gone, or whose end the log does not know, has ended for those who count it', async () => {
  const agent = await open()
  const [lost = '', known = ''] = WORKERS
  for (const worker of [lost, known]) await agent.start(labJob(worker, 'finishes.sh'))
  await expect.poll(async () => (await agent.unacknowledged()).length).toBe(2)
  for (const worker of [lost, known]) await agent.acknowledge(worker)
  rmSync(join(lab.root, 'workers', lost), { recursive: true })
  const again = (await open()).forPlan('lab')
  expect(await again.unacknowledged()).toEqual([])
  expect((await again.unacknowledged([lost, known])).map(({ worker, end }) => [worker, end])).toEqual([
    [known, { kind: 'done' }],
    [lost, { kind: 'failed', reason: 'its folder is missing' }],
  ])
})

test('what is no worker among the worker folders is left alone', async () => {
  mkdirSync(join(lab.root, 'workers', 'Old copy of w-lab-1-1'), { recursive: true })
  writeFileSync(join(lab.root, 'workers', 'notes.txt'), '')
  const agent = await open()
  expect(await agent.unacknowledged()).toEqual([])
  expect(readFileSync(join(lab.root, 'workers', 'notes.txt'), 'utf8')).toBe('')
})
