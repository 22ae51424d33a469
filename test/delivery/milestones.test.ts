/** A layer with a numeric milestone: a task that moves the value is found and mended, or the plan pauses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Lab } from './lab.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/** The energy is the product of all factors, and has to stay 1. */
const ENERGY = `#!/bin/sh
cat factors/* | awk 'BEGIN { e = 1 } { e = e * $1 } END { printf "energy = %.6f\\n", e }'
`
const SUITE = `#!/bin/sh
echo 1..1
test -s factors/0 && echo 'ok 1 - factors' || { echo 'not ok 1 - factors'; exit 1; }
`

const agent = (mend: string): string => `#!/bin/sh
id=$BOSUN_TASK_ID
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"; exit 0
fi
case $id in
  3) echo 1.02 > factors/3 ;;
  diagnose-*) ${mend} ;;
  *) echo 1 > factors/$id ;;
esac
echo '{"explanation":"a factor","review_note":{"summary":"adds a factor","risks":[],"rollback":"revert"}}' > "$BOSUN_REPORT"
`

const PLAN = `plan: physics
title: Factors
environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }
tasks:
${['1', '2', '3', '4']
  .map(
    (id) =>
      `  - { id: "${id}", title: Add factor ${id}, tier: low, layer: core, ownership: factors/${id}, acceptance_criteria: ["factor ${id} is there"], files: { create: [factors/${id}] }, tests_to_run: ["sh suite.sh"], gates: [unit] }`,
  )
  .join('\n')}
integration:
  - { id: it-energy, after_layer: core, tasks_covered: ["1", "2", "3", "4"], description: the energy is conserved, command: "sh energy.sh", reference: { energy: { value: 1, abs: 0.001 } } }
`

function aLab(mend: string): Lab {
  const made = new Lab({
    'energy.sh': ENERGY,
    'suite.sh': SUITE,
    'factors/0': '1\n',
    'plan.yaml': PLAN,
  })
  made.write({
    'tools/agent.sh': agent(mend),
    'bosun.yaml': `agents: { crew: { protocol: command, command: [sh, ${JSON.stringify(join(made.repo, 'tools/agent.sh'))}] } }\nscheduling: { parallel_tiers: [] }\n`,
  })
  return made
}

describe('a milestone that fails', () => {
  test('is traced to the task that moved the value, fixed, and released with the measured values', async () => {
    lab = aLab('echo 1 > factors/3')
    const { exit, last, stderr } = await lab.deliver()
    expect([exit, last.outcome], stderr).toEqual([0, 'released'])
    const events = lab.activity().filter(({ event }) => event.startsWith('integration_'))
    expect(events.map(({ event }) => event)).toEqual([
      'integration_failed',
      'integration_diagnosed',
      'integration_passed',
    ])
    expect(events[1]?.data).toMatchObject({
      culprit: '3',
      why: expect.stringMatching(/^passes at task 2 .* and fails since task 3 .*: energy 1 → 1.02$/),
    })
    expect(lab.briefOf('w-physics-diagnose-core-1-1')).toContain('fails since task 3')
    lab.git('checkout', '-q', 'feat/physics/working')
    const manifest = readFileSync(join(lab.repo, 'docs/releases/physics-release.yaml'), 'utf8')
    expect(manifest).toContain('test: it-energy')
    expect(manifest).toMatch(/value: 1, reference: 1, abs: 0.001/)
    const proof = await lab.bosun('release', 'verify', 'physics', '--rerun')
    expect([proof.exit, proof.stdout]).toEqual([
      0,
      expect.stringContaining('it-energy: passes on the released tree'),
    ])
  })

  test('lands no fix that does not fix it, and asks a person', async () => {
    lab = aLab('echo 1.01 > factors/3')
    const { exit, last } = await lab.deliver()
    expect([exit, last.outcome]).toEqual([11, 'gate_failed'])
    expect(last.inbox[0]?.problem).toContain('it-energy')
    expect(lab.git('show', 'feat/physics/working:factors/3')).toBe('1.02')
  })
})
