/** The budget of a plain command, while nothing of Bosun runs but its supervisor. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SOON = { timeout: 60_000 }
const WORKER = 'w-lab-1-1'
let lab: Lab

beforeAll(async () => {
  lab = { root: tempFolder('budget'), tag: newTag(), prints: 'claude' }
})
afterAll(async () => {
  expect(withTag(lab.tag)).toEqual([])
})

test('its supervisor ends a command at the answer that exceeds its budget', async () => {
  const before = await labAgent(lab)
  await before.start(labJob(WORKER, 'spends.sh', { budget: { tokens: 100, usd: null } }))
  await before.close()
  const file = (name: string): string => join(lab.root, 'workers', WORKER, name)
  await expect.poll(() => existsSync(file('result.json')), SOON).toBe(true)
  expect(readFileSync(file('journal.jsonl'), 'utf8')).toContain('it has used 120 of 100 tokens')
  const after = await labAgent(lab)
  const [ended] = await after.unacknowledged()
  expect(ended).toMatchObject({
    end: { kind: 'stopped', cause: 'budget' },
    usage: { tokensIn: 100, tokensOut: 20 },
  })
  await after.close()
})
