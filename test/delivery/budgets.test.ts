/** Budgets with real workers: stopped in the middle, or not started at all. */
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
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
