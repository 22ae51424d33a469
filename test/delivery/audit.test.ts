/** Existing work is found, reported and not built again; so are concurrent branches. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Ended, Lab, LastLine } from './lab.ts'
import { smallProject } from './small-project.ts'

const task = (id: number, more: string): string =>
  `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, acceptance_criteria: ["value ${id} is there"], ` +
  `tests_to_run: ["sh suite.sh"], tests_to_add: [test/m${id}.t], gates: [unit], ${more} }`

const PLAN = [
  'plan: small',
  'title: Small values',
  'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }',
  'tasks:',
  task(1, 'files: { create: [src/m1/value] }'),
  task(2, 'files: { create: [src/m2/value], modify: [lib/tools.js] }'),
  task(3, 'files: { create: [src/m3/value] }'),
  '',
].join('\n')

const NAME = 'wip-`value`-{{x}}'

let lab: Lab
let run: Ended & { readonly last: LastLine }
let watched: Ended
beforeAll(async () => {
  lab = smallProject({
    // A test that passes on what is there already would show nothing.
    agent: `work
if [ "$id" = 2 ]; then echo 'export const more = 2' >> lib/tools.js; echo 'grep -q more lib/tools.js' > test/m2.t; fi
report`,
    files: {
      'plan.yaml': PLAN,
      'src/m1/value': '1\n',
      'test/m1.t': '# value 1 is there\ntest -e src/m1/value\n',
      'src/m2/value': 'half\n',
      'lib/tools.js': 'export const cut = 1\nexport function glue() {}\n',
    },
  })
  lab.git('checkout', '-q', '-b', NAME)
  lab.write({ 'src/m3/value': 'begun\n' })
  lab.git('add', 'src/m3/value')
  lab.git('commit', '-q', '-m', 'Begin value 3')
  lab.git('checkout', '-q', 'main')
  // The first run ends at once, so that people are shown the rest of it as it happens.
  watched = await lab.bosun('run', 'plan.yaml', '--no-input')
  run = await lab.deliver()
})
afterAll(() => lab.dispose())

test('an existing task gets no worker and no commit, and the log has the evidence', () => {
  expect(run).toMatchObject({ exit: 0, last: { outcome: 'released' } })
  expect(run.last.commits.map((commit) => commit.task)).toEqual(['2', '3'])
  const seen = lab.activity()
  expect(seen.some(({ event, task_id }) => event === 'task_dispatched' && task_id === '1')).toBe(false)
  expect(seen.filter(({ event }) => event === 'task_exists')).toMatchObject([
    {
      task_id: '1',
      data: {
        evidence: 'src/m1/value, test/m1.t exist, test/m1.t passes, and the tests mention each criterion',
      },
    },
  ])
})

test('the start commit is examined once, with its files and tests', () => {
  const taken = lab.activity().filter(({ event }) => event === 'baseline_taken')
  const files = lab.git('ls-tree', '-r', '--name-only', 'main').split('\n').length
  expect(taken).toMatchObject([
    { data: { sha: lab.git('rev-parse', 'main'), files, tests: 'passed', existing: ['1'], partial: ['2'] } },
  ])
})

test('the run and the status report existing work and concurrent branches', async () => {
  expect(watched.stdout).toMatch(
    /^\d\d:\d\d:\d\d baseline taken at [0-9a-f]{12}: \d+ files, 2 of 2 tests pass$/m,
  )
  const exists =
    'task 1 already exists and is skipped: src/m1/value, test/m1.t exist, test/m1.t passes, and the tests mention each criterion'
  const partly =
    'task 2 partly exists: src/m2/value exists, but test/m2.t is missing; lib/tools.js is to be modified'
  const branch =
    "branch `wip-'value'-{{x}}` is 1 commit ahead of the start commit and touches `src/m3/value` (task 3); it is left alone"
  for (const line of [exists, partly, branch]) expect(watched.stdout).toContain(`  ↳ ${line}\n`)
  const status = await lab.bosun('status')
  expect(status.stdout).toContain(`  ${exists}\n`)
  const { plans } = JSON.parse((await lab.bosun('status', '--json')).stdout) as { readonly plans: object[] }
  expect(Object.keys(plans[0] ?? {})).toEqual([
    'id',
    'title',
    'repo',
    'state',
    'why',
    'branch',
    'counts',
    'notes',
    'trouble',
    'usage',
    'thinking',
    'record',
  ])
  // A concurrent branch cannot conflict with existing work.
  expect(status.stdout).not.toContain('branch `wip')
})

test('a concurrent branch is in the activity log, and left alone', () => {
  expect(lab.activity().filter(({ event }) => event === 'branch_noticed')).toMatchObject([
    {
      data: {
        branch: NAME,
        ahead: 1,
        subject: 'Begin value 3',
        touches: [{ task_id: '3', files: ['src/m3/value'] }],
      },
    },
  ])
  const working = lab.git('rev-list', 'feat/small/working').split('\n')
  expect(working).not.toContain(lab.git('rev-parse', NAME))
  expect(lab.git('show', 'feat/small/working:src/m3/value')).toBe('3')
})

test('the brief lists what to extend, and concurrent branches', () => {
  const second = lab.briefOf('w-small-2-1')
  expect(second).toContain(
    'found this task PARTIAL: src/m2/value exists, but test/m2.t is missing; lib/tools.js is to be modified.',
  )
  expect(second).toContain('- `src/m2/value`\n')
  expect(second).toContain('- `lib/tools.js`: `cut`, `glue`\n')
  expect(second).not.toContain('Branches with related work')
  const third = lab.briefOf('w-small-3-1')
  expect(third).toContain('found this task MISSING: none of its new files exist.')
  expect(third).toContain("- branch `wip-'value'-{{x}}` is 1 commit ahead of the start commit")
})

test('the release lists existing work, and can be verified', async () => {
  const manifest = parse(lab.git('show', `feat/small/working:${run.last.manifest ?? ''}`)) as {
    readonly tasks: readonly Readonly<Record<string, unknown>>[]
  }
  expect(manifest.tasks[0]).toMatchObject({
    task_id: '1',
    commit_sha: null,
    review_artifact: null,
    exists: 'src/m1/value, test/m1.t exist, test/m1.t passes, and the tests mention each criterion',
  })
  expect(manifest.tasks[1]).not.toHaveProperty('exists')
  const shown = JSON.parse((await lab.bosun('release', 'show', 'small', '--json')).stdout) as {
    readonly summary: string
  }
  expect(shown.summary).toContain(
    'Tasks: 3/3 completed\nExisting: 1 (existed already, not built)\nCommits: 2 ',
  )
  const verified = await lab.bosun('release', 'verify', 'small')
  expect(verified).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('existed already: src/m1/value'),
  })
})
