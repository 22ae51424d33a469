/** Checks that are held out, looked for by a worker in everything it is given. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

const HIDDEN = `held_out: ["grep -q heron-42 src/m1/value"]`
/** Writes down where it found a word of the check: in its folder, its brief and contract, and in every object of git. */
const AGENT = `
brief=$(cat)
{
  echo looked
  grep -rl heron-42 . && echo in the files
  echo "$brief" | grep -q 'heron-42\\|plan.yaml' && echo in the brief
  grep -q heron-42 "$BOSUN_CONTRACT" && echo in the contract
  git cat-file --batch-all-objects --batch | grep -qa heron-42 && echo in git
} > "$repo/seen"
work; report
`

test('held-out checks in a plan that is in git produce a warning with a remedy', async () => {
  lab = smallProject({ agent: AGENT, task: HIDDEN })
  const read = await lab.bosun('plan', 'plan.yaml')
  expect(read.exit).toBe(0)
  const run = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect(run.stderr).toMatch(/^plan\.yaml:5: warning: task 1 has held-out checks that its worker can read/m)
  expect(`${read.stdout}${read.stderr}`).toContain('git rm --cached plan.yaml')
})

test('a worker sees nothing of a held-out check, and still fails it', async () => {
  lab = smallProject({ agent: AGENT, task: HIDDEN, settings: 'pm: { retry_budget: 0 }\n' })
  // As if it had never been committed.
  lab.git('rm', '-q', '--cached', 'plan.yaml')
  lab.git('commit', '-q', '--amend', '-m', 'Start')
  lab.git('reflog', 'expire', '--expire=now', '--all')
  lab.git('gc', '-q', '--prune=now')
  const { exit, last, stderr } = await lab.deliver()
  expect([exit, last.outcome], stderr).toEqual([11, 'gate_failed'])
  expect(last.inbox[0]?.problem).toContain('held-out checks')
  expect(readFileSync(join(lab.repo, 'seen'), 'utf8')).toBe('looked\n')
  rmSync(join(lab.repo, 'seen'))
  expect(lab.briefOf('w-small-1-1')).not.toContain('plan.yaml')
})
