/** Plans whose agent speaks the Agent Client Protocol, configured as any other. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { programPath } from '../helpers/program-path.ts'
import type { Lab } from './lab.ts'
import { smallProject, type SmallProject } from './small-project.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const AGENT = join(import.meta.dirname, '../fixtures/agents/acp-worker.mjs')

const PATIENCE = { timeout: 60_000, interval: 300 }

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** The agent of a small project, by the protocol. */
function project(asks: string, more: Partial<SmallProject> = {}): Lab {
  const made = smallProject({ agent: 'work; report', ...more })
  const command = JSON.stringify([process.execPath, AGENT, asks, 'sh', 'tools/agent.sh', made.repo])
  made.write({
    'bosun.yaml': `agents: { crew: { protocol: acp, command: ${command} } }\n${more.settings ?? ''}`,
  })
  return made
}

test('an agent of three lines delivers a plan, and its tokens are counted', async () => {
  // A brain keeps its session for a while; here every process counts.
  const settings = 'brain: { provider: none }\nreview: { low: quick }\nbudgets: { plan_tokens: 1000000 }\n'
  lab = project('-', { tasks: 2, settings })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome, last.commits.length]).toEqual([0, 'released', 2])
  // The brain's session is kept for further questions, and ends with the daemon.
  await lab.bosun('stop')
  expect(lab.processes().filter((line) => line.includes('acp-worker'))).toEqual([])
})

test('small work of an agent whose small models are not known is done on its own, and the log says so', async () => {
  lab = project('-', {
    agent: 'echo two >> value; report',
    files: { value: 'one\n' },
    task: 'files: { modify: [value] }, ',
  })
  await lab.deliver()
  const [opened] = lab.activity().filter(({ event }) => event === 'session_opened')
  expect(opened?.data).toMatchObject({
    note: 'which of its models are small is not known, so it works with its own',
  })
})

test.each(['allow', 'deny'])('a permission that the settings %s needs no person', async (decision) => {
  lab = project('curl https://example.org', { settings: `permissions: { network: ${decision} }\n` })
  const { last } = await lab.deliver()
  expect([last.outcome, last.inbox.map(({ kind }) => kind)]).toEqual(['released', ['release']])
  expect(lab.activity().filter(({ event }) => event === 'task_dispatched')).toHaveLength(1)
})

test('a permission to ask for is an item in the inbox, and the answer reaches the agent', async () => {
  lab = project('curl https://example.org')
  const running = lab.deliver()
  const inbox = async () =>
    JSON.parse((await lab?.bosun('inbox', '--json'))?.stdout ?? '{}') as { readonly inbox?: readonly Item[] }
  await expect.poll(async () => (await inbox()).inbox?.length ?? 0, PATIENCE).toBe(1)
  const [item] = (await inbox()).inbox ?? []
  expect(item).toMatchObject({ id: 'P-1', kind: 'permission', recommended: 'deny' })
  expect(item?.problem).toContain('run `curl https://example.org` (uses the network: curl)')
  expect((await lab.bosun('answer', 'P-1', 'allow')).exit).toBe(0)
  expect((await running).last.outcome).toBe('released')
  expect(lab.activity().map(({ event }) => event)).toContain('message_delivered')
})

test('a permission for the plan is listed, outlives the daemon, and is asked again once it is revoked', async () => {
  const made = project('curl https://example.org', {
    tasks: 2,
    agent: 'while [ "$id" = 1 ] && [ ! -e "$repo/../go" ]; do sleep 0.1; done; work; report',
  })
  lab = made
  made.spawn('run', 'plan.yaml', '--no-input')
  const read = async (...more: string[]): Promise<string> => (await made.bosun('inbox', ...more)).stdout
  const asked = (): Promise<string> => read('--no-input')
  await expect.poll(asked, PATIENCE).toContain('bosun answer P-1')
  expect((await made.bosun('answer', 'P-1', 'allow', '--scope', 'plan', '--by', 'Ann')).exit).toBe(0)
  expect(await asked()).toBe('Nothing needs you.\n')
  expect((await made.bosun('stop')).exit).toBe(0)
  expect(await read('--remembered')).toMatch(/^P-1 {2}allowed for the whole plan small by Ann/)
  expect((await made.bosun('inbox', 'P-9', '--revoke')).exit).toBe(3)
  const revoked = await made.bosun('inbox', 'P-1', '--revoke', '--by', 'Bea', '--json')
  expect(documentProblems(JSON.parse(revoked.stdout), ['inbox --revoke'])).toEqual([])
  expect(await read('--remembered')).toContain('No permission is remembered')
  writeFileSync(join(made.folder, 'go'), '')
  await expect.poll(asked, PATIENCE).toContain('w-small-2-1 at task 2 (Add value 2) asks for permission')
  expect(made.activity().map(({ event }) => event)).toContain('permission_revoked')
})

test.each([
  ['takes_images', ['text', 'image', 'image']],
  ['works', ['text']],
])(
  'an agent that %s gets the path of each image of its task, and the image where it takes any',
  async (behaviour, types) => {
    const made = smallProject({
      agent: '',
      task: 'description: "Like ![the mock](docs/mock.png), ![shot](shot.gif) and ![fake](docs/fake.png)"',
    })
    lab = made
    const agent = programPath('test/agents/misbehaving-acp-agent.ts')
    const log = join(made.folder, 'agent.log')
    const script = join(made.folder, 'script.json')
    const writes = [
      { path: 'src/m1/value', text: '1\n' },
      { path: 'test/m1.t', text: 'test -e src/m1/value\n' },
    ]
    writeFileSync(script, JSON.stringify({ behaviours: [behaviour], log, writes }))
    const command = JSON.stringify([process.execPath, agent, script])
    made.write({
      'bosun.yaml': `agents: { crew: { protocol: acp, command: ${command} } }\nroles: { reviewer: rules }\n`,
      'docs/fake.png': 'no image',
    })
    writeFileSync(join(made.repo, 'docs/mock.png'), Buffer.from('\u0089PNG\r\n\u001A\nmock', 'latin1'))
    made.git('add', '-A')
    made.git('commit', '-qm', 'Mock')
    // Beside the plan, and not committed.
    writeFileSync(join(made.repo, 'shot.gif'), 'GIF89a shot')
    await made.deliver()
    const prompts = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Recorded)
      .filter((one) => one.in?.method === 'session/prompt')
    const prompt = prompts[0]?.in?.params?.prompt ?? []
    expect(prompt.map(({ type }) => type)).toEqual(types)
    expect(prompt[0]?.text).toContain('open `docs/mock.png`')
    expect(prompt[0]?.text).toContain('open `.bosun/images/2-shot.gif`')
    expect(prompt[0]?.text).toContain('`docs/fake.png` is left out: it is not a PNG, JPEG, GIF or WebP file')
    if (types.length === 1) return
    expect(prompt.slice(1)).toMatchObject([{ mimeType: 'image/png' }, { mimeType: 'image/gif' }])
    expect(Buffer.from(prompt[2]?.data ?? '', 'base64').toString()).toBe('GIF89a shot')
  },
)

interface Recorded {
  readonly in?: {
    readonly method?: string
    readonly params?: { readonly prompt?: readonly Readonly<Record<'type' | 'text' | 'data', string>>[] }
  }
}

interface Item {
  readonly id: string
  readonly kind: string
  readonly problem: string
  readonly recommended: string
}
