/** A program that swaps a folder for a link, in a loop, while the supervisor writes and reads there. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readReportFile } from '../../src/agents/command/report-file.ts'
import { writeTextFile } from '../../src/agents/supervisor/acp/client-files.ts'
import { passOnCheckins } from '../../src/agents/supervisor/outbox-relay.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { Redactor } from '../../src/lib/text/redactor.ts'

const ROUNDS = 3000

const SWAP = `
const fs = require('node:fs')
const [folder, link, aside, begun] = process.argv.slice(1)
for (let round = 0; ; round++) {
  fs.renameSync(folder, aside); fs.renameSync(link, folder)
  fs.renameSync(folder, link); fs.renameSync(aside, folder)
  if (round === 10) fs.writeFileSync(begun, '')
}`

/** `folder` is a real one half of the time, and the other half a link to `outside`. */
async function swapping(at: string, folder: string): Promise<{ readonly outside: string }> {
  const [outside, link, aside, begun] = ['outside', 'link', 'aside', 'begun'].map((name) => join(at, name))
  if (outside === undefined || link === undefined) throw new Error('no names')
  mkdirSync(outside)
  symlinkSync(outside, link)
  const child = spawn(process.execPath, ['-e', SWAP, '--', folder, link, aside ?? '', begun ?? ''])
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(() => existsSync(begun ?? ''), { timeout: 20_000, interval: 5 }).toBe(true)
  return { outside }
}

test('a file that an agent has its client write never lands outside of its workspace', async () => {
  const at = tempFolder('swap')
  const workspace = join(at, 'clone')
  mkdirSync(join(workspace, 'deep'), { recursive: true })
  const { outside } = await swapping(at, join(workspace, 'deep'))
  let written = 0
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(workspace, 'deep', 'more', `file-${round % 10}`)
    await writeTextFile(workspace, path, 'x').then(
      () => written++,
      () => undefined,
    )
  }
  expect(written).toBeGreaterThan(0)
  expect(readdirSync(outside)).toEqual([])
})

test('a report is never read from outside of its folder', async () => {
  const at = tempFolder('swap')
  const outbox = join(at, 'clone', '.bosun')
  mkdirSync(outbox, { recursive: true })
  writeFileSync(join(outbox, 'report.json'), '{"of":"the worker"}')
  const { outside } = await swapping(at, outbox)
  writeFileSync(join(outside, 'report.json'), '{"of":"the user"}')
  const read = new Set<string | null>()
  for (let round = 0; round < ROUNDS; round++) read.add(readReportFile(join(outbox, 'report.json')).text)
  expect(read).toContain('{"of":"the worker"}')
  expect(read).not.toContain('{"of":"the user"}')
})

test('a check-in is neither taken from outside of the outbox nor removed there', async () => {
  const at = tempFolder('swap')
  const outbox = join(at, 'clone', '.bosun')
  const coordination = join(at, 'coordination')
  mkdirSync(join(outbox, 'checkins'), { recursive: true })
  const { outside } = await swapping(at, join(outbox, 'checkins'))
  const name = 'w-1-20261116T101112Z-7.json'
  writeFileSync(join(outside, name), '{}')
  writeFileSync(join(outside, '.read-1'), '')
  for (let round = 0; round < ROUNDS / 5; round++)
    passOnCheckins(
      { worker: 'w-1', outbox, env: { BOSUN_COORDINATION: coordination } },
      new Redactor(),
    ).close()
  expect(readdirSync(outside).sort()).toEqual(['.read-1', name])
  expect(existsSync(join(coordination, 'worker-checkins'))).toBe(false)
})
