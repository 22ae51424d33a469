/** The scripted agent runs as a real process through the protocol of any command. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { Job, WorkerEnded } from '../../src/ports/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PROGRAM = programPath('test/fixtures/agents/scripted.ts')
const SCRIPT = `
tasks:
  "1":
    - steps:
        - write: { src/slug.js: "export const slug = (text) => text\\n" }
        - print: first try
      report: { explanation: a first try, self_assessment: confident, review_note: { summary: s, risks: [], rollback: r } }
    - steps:
        - edit: { file: src/slug.js, find: "=> text", replace: "=> text.toLowerCase()" }
        - run: cat src/slug.js
        - checkin: [in_progress, 85, --current-step, tested]
        - delete: [notes.txt]
      report: "{ broken"
  "2":
    - steps: [{ print: giving up }]
      exit: 7
  "3":
    - steps: [{ sleep: 10ms }, { stall: true }]
  "4":
    - steps: [{ edit: { file: absent.js, find: a, replace: b } }]
reviews:
  "1":
    - report: { verdict: changes_requested, summary: not yet, major: [no tests] }
    - report: { verdict: approved, summary: good }
`

let lab: Lab
let agent: SupervisedAgent
const ends = new Map<string, (event: WorkerEnded) => void>()
beforeAll(async () => {
  const root = tempFolder('scripted')
  await writeFile(join(root, 'script.yaml'), SCRIPT)
  const commandFor = () => [process.execPath, PROGRAM, join(root, 'script.yaml')]
  lab = { root, tag: newTag(), commandFor }
  agent = await labAgent(lab)
  agent.listen((event) => event.kind === 'ended' && ends.get(event.worker)?.(event))
})
afterAll(async () => {
  await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

async function begin(worker: string, task: string, more: Partial<Job> = {}) {
  const ended = new Promise<WorkerEnded>((resolve) => ends.set(worker, resolve))
  const job = labJob(worker, 'scripted', more)
  await agent.start({ ...job, spec: { ...job.spec, id: task } })
  return ended
}
const fileOf = (worker: string, path: string) => readFile(join(lab.root, 'clones', worker, path), 'utf8')

test('each attempt does what its place in the script says, and the last goes for all that follow', async () => {
  const first = await begin('w-s-1-1', '1')
  expect(first).toMatchObject({ end: { kind: 'done' }, report: { explanation: 'a first try' } })
  expect(await fileOf('w-s-1-1', 'src/slug.js')).toBe('export const slug = (text) => text\n')
  const second = await begin('w-s-1-2', '1', { attempt: 2 })
  expect(second.end).toMatchObject({ kind: 'failed', reason: expect.stringContaining('cannot read') })
})

test('it fails as its script says, and on an invalid script', async () => {
  expect((await begin('w-s-2-1', '2')).end).toEqual({
    kind: 'failed',
    reason: 'it exited with code 7; last output: giving up',
  })
  expect((await begin('w-s-4-1', '4')).end).toMatchObject({ kind: 'failed' })
})

test('it stalls as its script says, and is stopped like any other', async () => {
  const ended = begin('w-s-3-1', '3')
  await expect.poll(() => withTag(lab.tag).length).toBeGreaterThan(0)
  await agent.stop('w-s-3-1', 'stalled')
  expect((await ended).end).toEqual({ kind: 'stopped', cause: 'stalled' })
})

test('a reviewer goes by its round', async () => {
  const one = await begin('w-s-1-review-1', '1', { role: 'reviewer' })
  const two = await begin('w-s-1-review-2', '1', { role: 'reviewer' })
  expect([one.review?.verdict, two.review?.verdict]).toEqual(['changes_requested', 'approved'])
})

test('a task without a script gets what its contract names', async () => {
  const { end, report } = await begin('w-s-9-1', '9')
  expect(end).toEqual({ kind: 'done' })
  expect(report?.selfAssessment).toBe('uncertain')
})
