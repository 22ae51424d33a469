/** Whatever happens to a supervisor before it begins, no worker is run twice or waited for in vain. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { rowFromProc } from '../../src/lib/process/processes.ts'
import type { WorkerEnded } from '../../src/ports/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SUPERVISE = programPath('test/fixtures/agents/supervise.ts')
let root: string
beforeAll(async () => {
  root = tempFolder('launching')
})

test('a worker whose supervisor hangs before it begins counts as interrupted after a while, and never runs', async () => {
  const [door, pidFile] = [join(root, 'hung-door'), join(root, 'hung-pid')]
  execFileSync('mkfifo', [door])
  const script = 'echo $$ > "$1.new" && mv "$1.new" "$1"; read go < "$0"; shift; exec "$@"'
  const supervise = ['/bin/sh', '-c', script, door, pidFile, process.execPath, SUPERVISE]
  const agent = await labAgent({ root, tag: newTag(), supervise, launchLimitMs: 300 })
  const ended = new Promise<WorkerEnded>((resolve) => {
    agent.listen((event) => event.kind === 'ended' && resolve(event))
  })
  await agent.start(labJob('w-lab-2-1', 'finishes.sh'))
  expect((await ended).end).toEqual({ kind: 'interrupted', reason: 'its supervisor died' })
  const supervisor = Number(readFileSync(pidFile, 'utf8'))
  await writeFile(door, 'go\n')
  await expect.poll(() => rowFromProc(supervisor)?.isZombie ?? true).toBe(true)
  expect(existsSync(join(root, 'clones', 'w-lab-2-1', 'done.js'))).toBe(false)
  await agent.close()
})
