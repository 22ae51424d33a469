/** Budgets with real workers: stopped in the middle, or not started at all. */
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { programPath } from '../helpers/program-path.ts'
import { linesOf, type Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** Reports what it used with its report, as every agent may. */
const COSTS = (tokens: number): string =>
  `work; printf '{"explanation":"done","review_note":{"summary":"s","risks":[],"rollback":"revert"},"criteria":[{"criterion":1,"file":"src/m%s/value","line":1}],"usage":{"tokens_in":${tokens},"tokens_out":0,"usd":0.5}}' "$id" > "$BOSUN_REPORT"`

/** Checks in over HTTP, each time with more, until it is ended. */
const OVERSPENDS = `work
node -e '
const url = process.env.BOSUN_URL + "/api/workers/" + process.env.BOSUN_WORKER_ID + "/checkins"
const headers = { authorization: "Bearer " + process.env.BOSUN_TOKEN, "content-type": "application/json" }
let used = 0
const tell = async () => {
  used += 400
  const body = JSON.stringify({ status: "in_progress", progress_pct: 10, token_usage: used })
  await fetch(url, { method: "POST", headers, body })
  setTimeout(tell, 50)
}
tell()
'`

/** Spends a tenth of a dollar every 200 ms, over the Agent Client Protocol. */
function spender(settings: string): Lab {
  const made = smallProject({ agent: '' })
  const log = join(made.folder, 'agent.log')
  const agent = programPath('test/agents/misbehaving-acp-agent.ts')
  const command = JSON.stringify([process.execPath, agent, 'spends_on', log])
  made.write({ 'bosun.yaml': `agents: { crew: { protocol: acp, command: ${command} } }\n${settings}` })
  return made
}

interface Noted {
  readonly spent?: number
  readonly in?: { readonly method?: string }
}

const notedBy = ({ folder }: Lab): readonly Noted[] =>
  linesOf(join(folder, 'agent.log')).map((line) => JSON.parse(line) as Noted)
const mostSpent = (made: Lab): number => Math.max(0, ...notedBy(made).map(({ spent = 0 }) => spent))

test.each(['task_usd', 'plan_usd'])(
  'a turn is cancelled in its middle when %s is spent, and its draft is saved',
  async (limit) => {
    lab = spender(`budgets: { ${limit}: 0.95 }\n`)
    const { exit, last } = await lab.deliver()
    expect([exit, last.outcome]).toEqual([13, 'budget'])
    const used = lab
      .activity()
      .flatMap(({ event, data }) => (event === 'usage_noted' ? [data['usd'] as number] : []))
    expect(Math.max(...used)).toBeLessThanOrEqual(1)
    expect(notedBy(lab).some((one) => one.in?.method === 'session/cancel')).toBe(true)
    // Its supervisor cancels at the update that crosses the limit.
    expect(mostSpent(lab)).toBe(1)
    expect((await lab.bosun('worker', 'show', 'w-small-1-1')).stdout).toContain('refs/salvage/w-small-1-1')
    const task = JSON.parse((await lab.bosun('task', 'show', '1', '--json')).stdout) as TaskDocument
    expect(task.attempts.map(({ usage }) => usage?.usd)).toEqual([1])
    expect(task.usage.usd).toBe(1)
  },
)

test('a worker ends at its limit while the daemon is down, and the next daemon asks a person', async () => {
  lab = spender('budgets: { task_usd: 1.95 }\n')
  const made = lab
  const run = made.spawn('run', 'plan.yaml', '--no-input', '--json')
  await expect.poll(() => mostSpent(made), { timeout: 60_000 }).toBeGreaterThan(0)
  // The command would start the daemon again.
  run.kill('SIGKILL')
  process.kill(made.daemon().pid, 'SIGKILL')
  const isDown = (): boolean => !made.processes().some((line) => line.startsWith(`${made.daemon().pid} `))
  await expect.poll(isDown).toBe(true)
  expect(mostSpent(made)).toBeLessThan(1.95)
  await expect.poll(() => made.processes(), { timeout: 60_000, interval: 300 }).toEqual([])
  expect(mostSpent(made)).toBe(2)
  const { exit, last } = await made.deliver()
  expect([exit, last.outcome]).toEqual([13, 'budget'])
  expect(last.inbox[0]?.problem).toContain('it exceeded its budget; it has used $2.00')
  const task = JSON.parse((await made.bosun('task', 'show', '1', '--json')).stdout) as TaskDocument
  expect(task.attempts.map(({ usage }) => usage?.usd)).toEqual([2])
  expect((await made.bosun('worker', 'show', 'w-small-1-1')).stdout).toContain('refs/salvage/w-small-1-1')
})

interface TaskDocument {
  readonly usage: { readonly usd: number | null }
  readonly attempts: readonly { readonly usage: { readonly usd: number | null } | null }[]
}

test('a budget that an agent cannot be held to is warned of before the run, and by doctor', async () => {
  lab = smallProject({ agent: 'work; report', settings: 'budgets: { plan_usd: 5, task_tokens: 9000000 }\n' })
  const { stderr: text } = await lab.deliver()
  expect(text).toContain('crew reports no costs, so a budget in US dollars does not limit it')
  expect(text).toContain('crew reports no tokens: its usage is estimated')
  const doctor = await lab.bosun('doctor')
  expect(doctor.stdout).toContain('crew reports no costs')
  expect(doctor.stdout).toContain('Set prices.crew in bosun.yaml')
})

test('tokens that are not reported are estimated, marked as that, and priced by the settings', async () => {
  const settings = 'prices: { crew: { input: 1000, output: 1000 } }\n'
  lab = smallProject({ agent: 'work; report; echo done', settings })
  expect((await lab.deliver()).last.outcome).toBe('released')
  const status = await lab.bosun('status')
  expect(status.stdout).toMatch(/used \$\d+\.\d\d, [\d,]+ tokens \(estimated\)/)
  const { plans } = JSON.parse((await lab.bosun('status', '--json')).stdout) as StatusDocument
  expect(plans[0]?.usage.tokens_estimated).toBe(plans[0]?.usage.tokens)
  expect(plans[0]?.usage.usd).toBeCloseTo((plans[0]?.usage.tokens ?? 0) / 1000, 3)
  const manifest = (await lab.bosun('release', 'show', 'small')).stdout
  expect(manifest).toMatch(/usage:\n(.*\n)*? +tokens_estimated: [1-9]/)
  expect((await lab.bosun('release', 'verify', 'small')).exit).toBe(0)
})

interface StatusDocument {
  readonly plans: readonly {
    readonly usage: {
      readonly tokens: number
      readonly tokens_estimated: number
      readonly usd: number | null
    }
  }[]
}

test('a plan whose next task would exceed the budget waits, shows its usage, and exits with 13', async () => {
  lab = smallProject({ agent: COSTS(600), tasks: 2, settings: 'budgets: { plan_tokens: 1000 }\n' })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([13, 'budget'])
  expect(last.commits.map(({ task }) => task)).toEqual(['1'])
  const [item] = last.inbox
  expect(item?.problem).toContain('$0.50 and 600 tokens')
  expect((await lab.bosun('answer', item?.id ?? '', 'raise', '--feedback', 'tokens=5000')).exit).toBe(0)
  expect((await lab.deliver()).last.outcome).toBe('released')
})

test('a worker that reports more than its task’s budget is stopped with its work saved, and a person is asked', async () => {
  lab = smallProject({ agent: OVERSPENDS, settings: 'budgets: { task_tokens: 1000 }\n' })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([13, 'budget'])
  expect(last.inbox[0]?.problem).toMatch(/exceeded its budget.*it has used \d,\d00 tokens/)
  const events = lab.activity().map(({ event }) => event)
  expect(events).toContain('budget_exceeded')
  expect((await lab.bosun('worker', 'show', 'w-small-1-1')).stdout).toContain('refs/salvage/w-small-1-1')
  expect(lab.processes().filter((line) => line.includes('node -e'))).toEqual([])
})
