/** A worker that is done at the moment it is stopped has done its work: none of it is lost, and it is not called stopped. */
import { existsSync, openSync, closeSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { WorkerEnded } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let lab: Lab
let agent: SupervisedAgent
beforeEach(async () => {
  lab = { root: tempFolder('near-miss'), tag: newTag() }
  agent = await labAgent(lab)
})
afterEach(async () => {
  await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

const fileOf = (worker: string, name: string): string => join(lab.root, 'clones', worker, name)
const reportOf = (worker: string): string => join(lab.root, 'workers', worker, 'desk/report.json')
async function begin(worker: string, fixture: string): Promise<void> {
  await agent.start(labJob(worker, fixture))
  const output = join(lab.root, 'workers', worker, 'output.log')
  await expect.poll(() => readFile(output, 'utf8'), { timeout: 60_000 }).toBe('up\n')
}
const endOf = async (worker: string): Promise<WorkerEnded | undefined> =>
  (await agent.unacknowledged()).find((event) => event.worker === worker)

test('one that finishes when it is asked to end is done', async () => {
  await begin('w-lab-1-1', 'finishes-when-asked.sh')
  await agent.stop('w-lab-1-1', 'stalled')
  expect(await endOf('w-lab-1-1')).toMatchObject({
    end: { kind: 'done' },
    report: { explanation: 'just in time' },
  })
  expect(existsSync(fileOf('w-lab-1-1', 'done.js'))).toBe(true)
})

test('one that only leaves when it is asked to was stopped', async () => {
  await begin('w-lab-1-1', 'leaves-when-asked.sh')
  await agent.stop('w-lab-1-1', 'stalled')
  expect(await endOf('w-lab-1-1')).toMatchObject({ end: { kind: 'stopped', cause: 'stalled' }, report: null })
})

test('no work is lost, whether the request to finish or the one to stop comes first', async () => {
  const kinds: string[] = []
  for (let round = 1; round <= 12; round++) {
    const worker = `w-lab-${round}-1`
    await begin(worker, 'finishes-on-word.sh')
    const word = openSync(fileOf(worker, 'word'), 'w')
    writeSync(word, 'finish\n')
    closeSync(word)
    // Every other one is stopped when its report is there, and only its exit is missing.
    if (round % 2 === 0)
      await expect.poll(() => existsSync(reportOf(worker)), { timeout: 60_000, interval: 1 }).toBe(true)
    await agent.stop(worker, 'stalled')
    const ended = await endOf(worker)
    kinds.push(ended?.end.kind ?? 'none')
    if (ended?.end.kind !== 'done') continue
    expect(ended.report).toMatchObject({ explanation: 'did it' })
    expect(existsSync(fileOf(worker, 'done.js'))).toBe(true)
  }
  expect(kinds.filter((kind) => kind !== 'done' && kind !== 'stopped')).toEqual([])
  expect(kinds).toContain('done')
}, 120_000)
