/** What workers hand to Bosun through the outbox in their workspace. */
import { renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { AgentEvent } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SOON = { timeout: 60_000 }
let lab: Lab
let agent: SupervisedAgent
let received: AgentEvent[] = []
beforeEach(async () => {
  lab = { root: tempFolder('outbox'), tag: newTag(), hasOutbox: true }
  received = []
  agent = await labAgent(lab)
  agent.listen((event) => received.push(event))
})
afterEach(async () => {
  await agent.stop('w-lab-1-1', 'cancelled')
  await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

const outbox = (): string => join(lab.root, 'clones/w-lab-1-1/.bosun')
const kinds = (): readonly string[] => received.map(({ kind }) => kind)
const ended = () => received.find((event) => event.kind === 'ended')

test('BOSUN_REPORT names the report in the outbox, which counts and is no changed file', async () => {
  await agent.start(labJob('w-lab-1-1', 'reports-and-hangs.sh'))
  await expect.poll(kinds, SOON).toContain('reported')
  await agent.stop('w-lab-1-1', 'finished')
  await expect.poll(ended, SOON).toMatchObject({ report: { explanation: expect.any(String) } })
  expect(received.flatMap((event) => (event.kind === 'sign' ? (event.of ?? []) : []))).not.toContain('files')
})

test('a report in the agent folder still counts', async () => {
  await agent.start(labJob('w-lab-1-1', 'is-silent.sh'))
  writeFileSync(join(lab.root, 'workers/w-lab-1-1/desk/report.json'), '{"explanation":"in the agent folder"}')
  await expect.poll(kinds, SOON).toContain('reported')
  await agent.stop('w-lab-1-1', 'finished')
  await expect.poll(ended, SOON).toMatchObject({ report: { explanation: 'in the agent folder' } })
})

test('an outbox that was replaced by a link is refused, and the end says so', async () => {
  await agent.start(labJob('w-lab-1-1', 'is-silent.sh'))
  const elsewhere = join(lab.root, 'elsewhere')
  renameSync(outbox(), elsewhere)
  writeFileSync(join(elsewhere, 'report.json'), '{"explanation":"not mine"}')
  symlinkSync(elsewhere, outbox())
  await agent.stop('w-lab-1-1', 'finished')
  await expect.poll(ended, SOON).toMatchObject({
    report: null,
    notes: ['the folder of the report is a symbolic link; Bosun does not follow it'],
  })
})
