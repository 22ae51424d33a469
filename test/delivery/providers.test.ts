/** Real agents whose provider refuses them: until a reset, permanently, or without a reason. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** The first worker sets the reset time; workers before it are refused. */
const LIMITED = `[ -f "$repo/.git/reset" ] || echo $(( $(date +%s) + 4 )) > "$repo/.git/reset"
reset=$(cat "$repo/.git/reset")
if [ "$(date +%s)" -lt "$reset" ]; then echo "Claude AI usage limit reached|$reset"; exit 1; fi
work; report`

test('an agent that is limited for a few seconds restarts at the reset, and uses no attempt', async () => {
  lab = smallProject({ agent: LIMITED, tasks: 2, sideBySide: true })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([0, 'released'])
  const events = lab.activity()
  const reset = Number(readFileSync(join(lab.repo, '.git/reset'), 'utf8')) * 1000
  expect(events.find(({ event }) => event === 'provider_limited')?.data).toMatchObject({ until_ms: reset })
  const sentAgain = events.filter(
    ({ event, data }) => event === 'task_dispatched' && data?.['reason'] !== 'first',
  )
  expect(sentAgain.map(({ data }) => data?.['reason'])).toEqual(['again', 'again'])
  for (const { timestamp } of sentAgain) {
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(reset)
    expect(Date.parse(timestamp)).toBeLessThan(reset + 120_000)
  }
})

test('an agent that exits with 0 because it is not signed in raises one question that names the cause', async () => {
  lab = smallProject({ agent: 'echo "Invalid API key · Please run /login"' })
  const { exit, last } = await lab.deliver()
  expect([exit, last.outcome]).toEqual([10, 'needs_person'])
  expect(last.inbox).toHaveLength(1)
  expect(last.inbox[0]?.problem).toMatch(
    /^crew is not signed in: Invalid API key.* Sign in with its own command/,
  )
  expect(lab.activity().filter(({ event }) => event === 'task_dispatched')).toHaveLength(1)
})
