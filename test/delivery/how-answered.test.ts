/** Every answer says how it came and from which process, as the daemon saw it itself. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

const tokenOf = (lab: Lab): string => readFileSync(join(lab.home, 'token'), 'utf8').trim()

async function post(lab: Lab, path: string, body: object, token = tokenOf(lab)): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${lab.daemon().port}${path}`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.ok, await answer.clone().text()).toBe(true)
  return answer.json()
}

async function pageToken(lab: Lab): Promise<string> {
  const { code } = (await post(lab, '/api/session/codes', {})) as { code: string }
  const { session } = (await post(lab, '/api/session', { code })) as { session: string }
  return session
}

const ABLE = existsSync('/proc/self/fd')

test.runIf(ABLE)('a terminal, the page and a program with the token are told apart', async () => {
  const lab = smallProject({
    tasks: 2,
    sideBySide: true,
    agent: 'work; report',
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  onTestFinished(() => lab.dispose())
  const { last } = await lab.deliver()
  expect(last.inbox).toHaveLength(2)
  const answered = (): readonly Readonly<Record<string, unknown>>[] =>
    lab
      .activity()
      .filter(({ event }) => event.endsWith('_answered') || event === 'release_signed')
      .map(({ data }) => data)
  expect(await lab.bosun('answer', 'A-1', 'approve', '--by', 'ann')).toMatchObject({ exit: 0 })
  const by = { choice: 'approve', by: 'ann', feedback: '' }
  await post(lab, '/api/inbox/A-2/answer', by, await pageToken(lab))
  await lab.deliver()
  await post(lab, '/api/plans/small/sign', { by: 'ann' })
  const ours = { pid: process.pid, program: expect.any(String) as string }
  await expect.poll(answered).toMatchObject([
    { id: 'A-1', by: 'ann', via: 'terminal', process: { program: 'bosun' } },
    { id: 'A-2', by: 'ann', via: 'page', process: ours },
    { by: 'ann', via: 'program', process: ours },
  ])
  const log = (await lab.bosun('log')).stdout
  expect(log).toMatch(/ann answered A-1: approve, in a terminal \(bosun, process \d+\)/)
  expect(log).toMatch(/ann answered A-2: approve, on the page \(\S+, process \d+\)/)
})
