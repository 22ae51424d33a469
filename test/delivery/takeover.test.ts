/** A person takes a worker over and hands the work back, with the real program. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const ACP_WORKER = join(import.meta.dirname, '../fixtures/agents/acp-worker.mjs')
const WORKER = 'w-small-1-1'
/** It begins and does not finish; a later attempt does all of it. */
const NEVER_ENDS = 'if [ "$BOSUN_ATTEMPT" = 1 ]; then echo begun > begun.txt; sleep 600; fi; work; report'
const WORK =
  'mkdir -p src/m1; echo 1 > src/m1/value; echo "test -e src/m1/value" > test/m1.t; rm -f begun.txt'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** A command as an agent. */
function commandProject(): Lab {
  lab = smallProject({ agent: NEVER_ENDS })
  return lab
}

/** An agent named goose: over the protocol it never finishes; at a terminal it does the work. */
function gooseProject(): Lab {
  const made = smallProject({ agent: NEVER_ENDS })
  const goose = join(made.folder, 'bin', 'goose')
  mkdirSync(join(made.folder, 'bin'))
  writeFileSync(
    goose,
    `#!/bin/sh
if [ "$1" = session ]; then echo "resumed $* with $MODEL in $PWD"; ${WORK}; exit 0; fi
exec ${process.execPath} ${ACP_WORKER} - sh ${made.repo}/tools/agent.sh ${made.repo}
`,
  )
  chmodSync(goose, 0o755)
  const env = `{ SESSIONS: ${join(made.folder, 'sessions')}, MODEL: small }`
  made.write({
    'bosun.yaml': `agents: { mine: { protocol: acp, command: [${goose}, acp], env: ${env} } }\nbrain: { provider: none }\n`,
  })
  lab = made
  return made
}

const happened = (lab: Lab, event: string) =>
  expect
    .poll(() => lab.activity().some((line) => line.event === event), { timeout: 60_000, interval: 200 })
    .toBe(true)
const begun = async (lab: Lab): Promise<void> => {
  await happened(lab, 'worker_registered')
  const { workspace } = lab.jobOf(WORKER)
  await expect.poll(() => existsSync(join(workspace, 'begun.txt')), { timeout: 60_000 }).toBe(true)
}
const dispatched = (lab: Lab): number =>
  lab.activity().filter(({ event }) => event === 'task_dispatched').length
const opened = async (lab: Lab, ...flags: readonly string[]) => {
  const { exit, stdout, stderr } = await lab.bosun('worker', 'open', WORKER, '--json', ...flags)
  expect([exit, stderr.includes('rror')]).toEqual([0, false])
  expect(documentProblems(JSON.parse(stdout), ['worker open'])).toEqual([])
  return JSON.parse(stdout) as {
    readonly workspace: string
    readonly session: string | null
    readonly command: readonly string[] | null
    readonly variables: readonly string[]
  }
}

test('a worker is taken over by command, through the death of the daemon, and its work is proven as its own', async () => {
  const lab = gooseProject()
  const running = lab.deliver()
  await begun(lab)
  const { workspace, session, command, variables } = await opened(lab)
  const goose = join(lab.folder, 'bin', 'goose')
  expect(command).toEqual([goose, 'session', '--resume', '--session-id', session])
  expect(variables).toEqual(expect.arrayContaining(['MODEL', 'SESSIONS']))
  expect(lab.processes().filter((line) => line.includes('acp-worker'))).toEqual([])
  const { exit, last } = await running
  expect([exit, last.outcome, last.inbox.map(({ problem }) => problem)]).toEqual([
    10,
    'needs_person',
    [`Ann has taken over ${WORKER} at task 1 (Add value 1)`],
  ])
  process.kill(lab.daemon().pid, 'SIGKILL')
  expect((await opened(lab)).workspace).toBe(workspace)
  mkdirSync(join(workspace, 'src/m1'), { recursive: true })
  writeFileSync(join(workspace, 'src/m1/value'), '1\n')
  writeFileSync(join(workspace, 'test/m1.t'), 'test -e src/m1/value\n')
  rmSync(join(workspace, 'begun.txt'))
  const again = await lab.bosun('worker', 'open', WORKER, '--return', '--json')
  expect(documentProblems(JSON.parse(again.stdout), ['worker open --return'])).toEqual([])
  expect(JSON.parse(again.stdout)).toMatchObject({ id: WORKER, handed_back: 'gates' })
  expect((await lab.bosun('worker', 'open', WORKER, '--return')).exit).toBe(4)
  const { last: done } = await lab.deliver()
  expect([done.outcome, done.commits.length, dispatched(lab)]).toEqual(['released', 1, 1])
  expect(lab.activity().map(({ event }) => event)).toContain('worker_taken_over')
})

test('at a terminal the session of the agent is resumed in its clone, and then handed to the gates', async () => {
  const lab = gooseProject()
  const running = lab.deliver()
  await begun(lab)
  const sitting = lab.sit(['worker', 'open', WORKER])
  await sitting.until('you work in its place now')
  await sitting.until(`resumed session --resume --session-id session-${WORKER} with small in `)
  await sitting.type('[g] ', 'g')
  expect(await sitting.end()).toBe(0)
  await running
  const { last } = await lab.deliver()
  expect([last.outcome, last.commits.length, dispatched(lab)]).toEqual(['released', 1, 1])
  expect(lab.git('show', 'feat/small/working:docs/reviews/small/task-1-review.md')).toContain(
    '## By hand\n\nAnn worked on it in the place of the worker.',
  )
})

test('a plain command is taken over in a shell; kept, it can be opened again and continued by the agent', async () => {
  const lab = commandProject()
  const running = lab.deliver()
  await begun(lab)
  const sitting = lab.sit(['worker', 'open', WORKER])
  await sitting.type('this is a shell in its folder', 'echo half > half.txt; exit')
  await sitting.type('[g] ', 'k')
  expect(await sitting.end()).toBe(0)
  await running
  const { workspace, command } = await opened(lab)
  expect([command, readFileSync(join(workspace, 'half.txt'), 'utf8')]).toEqual([null, 'half\n'])
  const shown = await lab.bosun('worker', 'show', WORKER)
  expect(shown.stdout).toContain('taken over by Ann')
  const back = await lab.bosun('worker', 'open', WORKER, '--continue', '--feedback', 'remove half.txt')
  expect(back.stdout).toContain('its agent continues the work')
  await expect.poll(() => dispatched(lab), { timeout: 60_000 }).toBe(2)
  const registered = () => lab.activity().filter(({ event }) => event === 'worker_registered').length
  await expect.poll(registered, { timeout: 60_000 }).toBe(2)
  expect(lab.briefOf('w-small-1-2')).toContain('remove half.txt')
})
