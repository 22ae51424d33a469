/** A plan that is edited while it runs: what the edit does not touch is not touched. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ended, Lab } from './lab.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

/**
 * Waits for `go-<task>` beside the repository where there is a `hold-<task>`, after it has written something. Where
 * there is an `idle-<task>`, it does nothing.
 */
const AGENT = `#!/bin/sh
id=$BOSUN_TASK_ID
if [ "$BOSUN_ROLE" = reviewer ]; then
  echo '{"verdict":"approved","summary":"fine","critical":[],"major":[],"minor":[]}' > "$BOSUN_REPORT"; exit 0
fi
test -e "$1/idle-$id" && exit 0
mkdir -p src
grep -o 'the colour is [a-z]*' "$BOSUN_CONTRACT" | head -1 | cut -d' ' -f2- > src/$id.txt
test -s src/$id.txt || echo "$id" > src/$id.txt
echo '{"explanation":"wrote it","review_note":{"summary":"s","risks":[],"rollback":"revert"}}' > "$BOSUN_REPORT"
if [ -e "$1/hold-$id" ] && [ ! -e "$1/go-$id" ]; then
  touch "$1/waits-$id"
  while [ ! -e "$1/go-$id" ]; do sleep 0.05; done
fi
`
const SUITE = `echo 1..1; test -d lib && echo 'ok 1 - lib' || { echo 'not ok 1 - lib'; exit 1; }\n`

const task = (id: string, needs: readonly string[], criterion = `${id} is there`): string =>
  `  - { id: "${id}", title: Add ${id}, tier: low, ownership: src/${id}, depends_on: ${JSON.stringify(needs)}, acceptance_criteria: ["${criterion}"], files: { create: [src/${id}.txt] }, tests_to_run: ["sh suite.sh"], gates: [unit] }`

const planOf = (...tasks: readonly string[]): string =>
  [
    'plan: edits',
    'title: Colours',
    'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }',
    'tasks:',
    ...tasks,
    '',
  ].join('\n')

const BEFORE = planOf(
  task('a', []),
  task('b', ['a'], 'the colour is red'),
  task('c', ['b']),
  task('d', []),
  task('e', ['d']),
)
/** `b` is another one, `e` is gone, `f` is new. */
const AFTER = planOf(
  task('a', []),
  task('b', ['a'], 'the colour is blue'),
  task('c', ['b']),
  task('d', []),
  task('f', ['d']),
)

function aLab(parallel = 1): Lab {
  const made = new Lab({ 'suite.sh': SUITE, 'lib/base': '1\n', 'plan.yaml': BEFORE })
  made.write({
    'tools/agent.sh': AGENT,
    'bosun.yaml': `agents: { crew: { protocol: command, command: [sh, ${JSON.stringify(join(made.repo, 'tools/agent.sh'))}, ${JSON.stringify(made.folder)}] } }\npm: { max_parallel_agents: ${parallel} }\n`,
  })
  return made
}

const dispatched = (made: Lab): readonly string[] =>
  made.activity().flatMap((line) => (line.event === 'task_dispatched' ? [line.worker_id ?? ''] : []))

const untilEdited = (made: Lab): Promise<true> =>
  vi.waitUntil(() => made.activity().some(({ event }) => event === 'plan_edited') || null, {
    timeout: 60_000,
    interval: 50,
  })

/** Lets all land but `e`, whose worker waits, then edits what `b` is to be. A reviewer reads `c`. */
async function editAfterLanding(made: Lab, idle: readonly string[] = []) {
  made.write({ '../hold-e': '' })
  const first = ended(made.spawn('run', 'plan.yaml', '--no-input', '--json'))
  const hasLanded = (id: string): boolean =>
    made.activity().some(({ event, task_id }) => event === 'task_committed' && task_id === id)
  await vi.waitUntil(() => existsSync(join(made.folder, 'waits-e')) && hasLanded('c'), {
    timeout: 60_000,
    interval: 50,
  })
  for (const id of idle) made.write({ [`../idle-${id}`]: '' })
  made.write({ 'plan.yaml': BEFORE.replace('is red', 'is blue') })
  const edited = made.deliver()
  await untilEdited(made)
  made.write({ '../go-e': '' })
  const done = await edited
  await first
  return done
}

test('landed work that still fits after an edit is verified again without asking a person', async () => {
  lab = aLab(2)
  const here = lab
  const { exit, last, stderr } = await editAfterLanding(here)
  expect([exit, last.outcome], stderr).toEqual([0, 'released'])
  expect(dispatched(here).filter((worker) => worker.includes('-c-'))).toEqual(['w-edits-c-1', 'w-edits-c-2'])

  expect(here.briefOf('w-edits-c-2')).toContain('Keep what still fits')
  expect(here.briefOf('w-edits-c-2-review-2')).toContain(
    'Nothing was changed: the author left the tree as it was',
  )

  // Its commit is the tree that was proven again, and brings the review that says so, and nothing else.
  const commits = here.git('log', '--format=%H', '--grep=Refs: task-c$', 'feat/edits/working').split('\n')
  const [sha = '', before = ''] = commits
  expect(commits).toHaveLength(2)
  expect(here.git('show', '--format=', '--name-only', sha)).toBe('docs/reviews/edits/task-c-review.md')
  expect(here.git('show', '-s', '--format=%s', sha)).toBe('docs(c): reviewed, nothing to change: add c')
  expect(here.git('show', `${sha}:src/c.txt`)).toBe('c')
  const review = here.git('show', `${sha}:docs/reviews/edits/task-c-review.md`)
  expect(review).toMatch(/\| plan_alignment +\| passed +\| nothing was changed; the earlier work still holds/)
  const manifest = here.git('show', `feat/edits/working:${last.manifest ?? ''}`)
  expect(manifest).toContain(sha)
  expect(manifest.slice(manifest.indexOf('superseded:'))).toContain(before)
  const proof = await here.bosun('release', 'verify', 'edits')
  expect([proof.exit, proof.stderr], proof.stdout).toEqual([0, ''])
})

test('a worker that ignores the edit is refused, however much landed before', async () => {
  lab = aLab(2)
  const { exit, last } = await editAfterLanding(lab, ['b'])
  expect(exit).toBe(11)
  expect(last.inbox).toMatchObject([{ task: 'b', problem: expect.stringContaining('plan alignment') }])
  expect(lab.briefOf('w-edits-b-2')).toContain('otherwise nothing counts as done')
  expect(lab.git('show', 'feat/edits/working:src/b.txt')).toBe('colour is red')
})

test('a task that the edit does not change keeps its commit and gets no further worker', async () => {
  lab = aLab()
  const here = lab
  here.write({ '../hold-c': '' })
  const first = here.spawn('run', 'plan.yaml', '--no-input', '--json')
  const firstEnd = ended(first)
  await vi.waitUntil(() => existsSync(join(here.folder, 'waits-c')), { timeout: 60_000, interval: 50 })
  const before = here.git('log', '--format=%H %s', 'feat/edits/working').split('\n')

  here.write({ 'plan.yaml': AFTER })
  const edited = here.deliver()
  await untilEdited(here)
  // Not before: its work would have landed, and no worker would have been stopped.
  here.write({ '../go-c': '' })
  const { exit, last, stderr } = await edited
  expect([exit, last.outcome], stderr).toEqual([0, 'released'])
  await firstEnd
  expect(stderr).toContain('changed: b (acceptance_criteria)')
  expect(stderr).toMatch(/unchanged: a, d/)
  expect(here.activity().find(({ event }) => event === 'plan_edited')?.data['by']).toBe('Ann')

  const sent = dispatched(here)
  const untouched = sent.filter((worker) => /-[ad]-\d/.test(worker))
  expect(untouched.toSorted()).toEqual(['w-edits-a-1', 'w-edits-d-1'])
  expect(sent).toContain('w-edits-b-2')
  expect(sent).toContain('w-edits-c-2')
  expect(sent).toContain('w-edits-f-1')
  expect(here.git('show', 'feat/edits/working:src/b.txt')).toBe('colour is blue')
  const after = here.git('log', '--format=%H %s', 'feat/edits/working').split('\n')
  expect(after.slice(-before.length)).toEqual(before)
  // What was stopped was saved first.
  expect((await here.bosun('worker', 'show', 'w-edits-c-1')).stdout).toContain('refs/salvage/w-edits-c-1')
  const proof = await here.bosun('release', 'verify', 'edits')
  expect([proof.exit, proof.stderr], proof.stdout).toEqual([0, ''])
})

test.each([
  ['where Bosun puts it', 'docs/specs/edits.md'],
  ['in a file that the plan names', 'requirements/colours.md'],
])(
  'a spec %s that is changed on the way is committed again, and the release is verified',
  async (_, file) => {
    lab = aLab(2)
    const here = lab
    const withSpec = (vision: string): string =>
      `${planOf(task('a', []), task('e', ['a']))}spec_file: ${file}\nspec: "# Feature: Colours\\n\\n${vision}\\n"\n`
    here.write({ 'plan.yaml': withSpec('Red.'), '../hold-e': '' })
    const first = ended(here.spawn('run', 'plan.yaml', '--no-input', '--json'))
    await vi.waitUntil(() => existsSync(join(here.folder, 'waits-e')), { timeout: 60_000, interval: 50 })
    here.write({ 'plan.yaml': withSpec('Blue.') })
    const edited = here.deliver()
    await untilEdited(here)
    here.write({ '../go-e': '' })
    const { exit, last, stderr } = await edited
    await first
    expect([exit, last.outcome], stderr).toEqual([0, 'released'])
    const commits = here.git(
      'log',
      '--reverse',
      '--format=%s%x09%(trailers:key=Refs)',
      'main..feat/edits/working',
    )
    const [spec = '', , again = ''] = commits.split('\n').filter((line) => line !== '')
    expect([spec, again].map((line) => line.trim())).toEqual(['docs(spec): Colours', 'docs(spec): Colours'])
    expect(here.git('show', `feat/edits/working:${file}`)).toContain('Blue.')
    const proof = await here.bosun('release', 'verify', 'edits')
    expect([proof.exit, proof.stderr], proof.stdout).toEqual([0, ''])
  },
)

test('an invalid edit, or one after the release, is refused and changes nothing', async () => {
  lab = aLab()
  expect((await lab.deliver()).last.outcome).toBe('released')
  const tip = lab.git('rev-parse', 'feat/edits/working')
  lab.write({ 'plan.yaml': AFTER })
  const late = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect([late.exit, late.stderr]).toEqual([4, expect.stringContaining('released')])
  lab.write({ 'plan.yaml': planOf(task('a', ['b']), task('b', ['a'])) })
  const cycle = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect([cycle.exit, cycle.stderr]).toEqual([1, expect.stringContaining('cycle')])
  expect(lab.git('rev-parse', 'feat/edits/working')).toBe(tip)
})
