/** A dry run as a user starts it: the real program, and everything outside of it scripted. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Activity, LastLine } from './lab.ts'
import { Lab } from './lab.ts'

const PLAN = `plan: shop
tasks:
  - { id: "1", title: Add a cart, tier: low, layer: core, files: { create: [src/cart.js] }, tests_to_add: [test/cart.test.js], acceptance_criteria: [a cart is there] }
  - { id: "2", title: Add prices, tier: low, depends_on: ["1"], files: { modify: [src/prices.js] }, acceptance_criteria: [prices are there] }
integration:
  - { id: it-1, after_layer: core, tasks_covered: ["1"], description: the cart works, command: "false", reference: {} }
`
/** It would fail, were it asked. */
const SETTINGS = `agents: { mine: { protocol: command, command: [sh, -c, "touch ran; exit 1"] } }
roles: { developer: mine, fixer: mine, reviewer: mine }
environment: { setup: "touch ran", test: "touch ran; exit 1", lint: "exit 1" }
approval: each_task
`
const SCRIPT = `
gates: { tasks: { "1": { unit: 2 } }, release: { build: 1 } }
integration: { it-1: 1 }
person:
  - { choice: revise, feedback: use a map }
  - { choice: approve }
  - { choice: reject, feedback: too wide }
  - { choice: rescope, feedback: only the net prices }
  - { choice: approve }
  - { choice: approve }
  - { choice: approve }
brain: { replan: [{ recommend: rescope, note: half of it first }] }
`

interface DryRun extends LastLine {
  readonly dry_run: { readonly folder: string; readonly repository: string; readonly home: string }
}

let lab: Lab
let made: DryRun['dry_run'] | null = null
afterEach(async () => {
  if (made !== null) rmSync(made.folder, { recursive: true, force: true })
  made = null
  await lab.dispose()
})

async function dryRun(script: string) {
  lab = new Lab({ 'plan.yaml': PLAN, 'bosun.yaml': SETTINGS, 'src/prices.js': 'export {}\n' })
  // It counts as it is in the work tree, committed or not.
  lab.write({ 'script.yaml': script })
  const before = { refs: lab.refs(), status: lab.git('status', '--porcelain') }
  const done = await lab.bosun('run', 'plan.yaml', '--dry-run', 'script.yaml', '--no-input', '--json')
  expect({ refs: lab.refs(), status: lab.git('status', '--porcelain') }).toEqual(before)
  expect(existsSync(lab.home)).toBe(false)
  const last = JSON.parse(done.stdout.trimEnd().split('\n').at(-1) ?? '{}') as DryRun
  if (last.dry_run !== undefined) made = last.dry_run
  return { ...done, last }
}

const inClone = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: made?.repository, encoding: 'utf8' }).trimEnd()

function activity(): readonly Activity[] {
  const bosun = join(import.meta.dirname, '../../bin/bosun')
  const env = { ...process.env, BOSUN_HOME: made?.home }
  const text = execFileSync(bosun, ['log', '--json'], { cwd: made?.repository, env, encoding: 'utf8' })
  execFileSync(bosun, ['stop'], { cwd: made?.repository, env })
  return (JSON.parse(text) as { readonly activity: readonly Activity[] }).activity
}

describe('a dry run', () => {
  test('follows its script from the first worker to the release, and does not change the user’s repository', async () => {
    const { exit, last } = await dryRun(SCRIPT)
    expect([exit, last.outcome]).toEqual([0, 'released'])
    expect(inClone('log', '--format=%s', 'feat/shop/working').split('\n')).toEqual([
      'docs(release): manifest of shop',
      'fix: make build pass on the whole tree',
      'fix: find and fix why it-1 fails',
      'feat(prices): add prices',
      'feat(cart): add a cart',
      'Start',
    ])
    // Gates failed twice, then the person revised it: every attempt repeats its feedback.
    const cart = inClone('show', 'feat/shop/working:src/cart.js').split('\n')
    expect(cart).toEqual([
      'dry run: task 1 (Add a cart), attempt 1',
      expect.stringMatching(/attempt 2 \[revised\] .*unit/),
      expect.stringMatching(/attempt 3 \[revised\] .*unit/),
      expect.stringMatching(/attempt 4 \[revised\] use a map/),
    ])
    expect(existsSync(join(made?.repository ?? '', 'ran'))).toBe(false)
    const [contract = ''] = globSync('repos/*/workers/w-shop-2-1/desk/contract.json', { cwd: made?.home })
    const { context } = JSON.parse(readFileSync(join(made?.home ?? '', contract), 'utf8')) as {
      readonly context: { readonly task_delta: string }
    }
    expect(context.task_delta).toContain('+dry run: task 1 (Add a cart), attempt 1')
    const events = activity()
    const count = (event: string, task?: string): number =>
      events.filter((one) => one.event === event && (task === undefined || one.task_id === task)).length
    expect(count('gate_failed', '1')).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(events)).toContain('half of it first')
    expect(JSON.stringify(events)).toContain('it-1')
  })

  test('asks the script what a brain would be asked about failures and low work', async () => {
    const { last } = await dryRun(`
specialist:
  tasks:
    "2":
      - steps: [{ write: { src/prices.js: "export const net = 1\\n" } }]
        report:
          self_assessment: confident
          criteria: [{ criterion: 1, file: src/prices.js, line: 1 }]
          review_note: { summary: prices, risks: [], rollback: revert }
gates: { tasks: { "2": { unit: 1 } } }
person: [{ choice: approve }, { choice: approve }]
brain:
  handle_failure: [{ move: retry, note: the second look helps, advice: null }]
  review_artifact:
    - { verdict: approve, summary: a cart is there, issues: [] }
    - { verdict: approve, summary: net prices are there, issues: [] }
`)
    expect(last.outcome).toBe('released')
    const answered = activity().filter(({ data }) => data['by'] === 'the script')
    expect(
      answered.map(({ event, data }) => [event, data['summary'] ?? data['proposal'] ?? data['choice']]),
    ).toEqual([
      ['review_approved', 'a cart is there'],
      ['approval_answered', 'approve'],
      ['failure_assessed', 'retry'],
      ['review_approved', 'net prices are there'],
      ['approval_answered', 'approve'],
    ])
  })

  test('pauses after the last scripted decision', async () => {
    const { exit, last } = await dryRun('person: []')
    expect([exit, last.outcome]).toEqual([10, 'needs_person'])
    expect(last.inbox).toMatchObject([{ kind: 'approval', task: '1' }])
  })

  test('pauses with the reason when a scripted decision is refused', async () => {
    const { exit, stdout } = await dryRun('person: [{ choice: retry }]')
    expect(exit).toBe(10)
    expect(stdout).toContain('the scripted decision was refused: A-1 cannot be answered with retry')
  })

  test('names an error in its file, and creates nothing', async () => {
    const { exit, stdout, last } = await dryRun('gates: { all: { unit: often } }')
    expect([exit, last.dry_run]).toEqual([1, undefined])
    expect(stdout).toContain('script.yaml:1: gates.all.unit: expected a number of failures, or always')
  })
})
