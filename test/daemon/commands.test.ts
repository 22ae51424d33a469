/** The commands that talk to the daemon, as people and scripts call them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { documentProblems, objectsIn } from '../helpers/json-documents.ts'
import { ended } from '../delivery/lab.ts'
import { Home, PLAN, printed } from './program.ts'

let home: Home
afterEach(() => home.dispose())

interface RunEnd {
  readonly schema: string
  readonly plan: string
  readonly outcome: string
  readonly branch: string | null
  readonly manifest: string | null
  readonly commits: readonly { readonly task: string }[]
  readonly inbox: readonly { readonly id: string; readonly kind: string }[]
}

describe('run', () => {
  test('ends 0 when the plan is released, the outcome last, and again at once', async () => {
    home = new Home()
    for (const plan of ['shop-plan.md', 'shop', 'shop-plan.md']) {
      const end = await home.json<RunEnd>(['run', plan])
      expect(end).toMatchObject({
        schema: 'bosun.run/v1',
        plan: 'shop',
        outcome: 'released',
        branch: 'feat/shop/working',
        manifest: expect.any(String),
        commits: [{ task: '1' }, { task: '2' }],
        inbox: [{ kind: 'release' }],
      })
      expect(Object.keys(end)).toEqual([
        'schema',
        'plan',
        'outcome',
        'branch',
        'manifest',
        'commits',
        'inbox',
      ])
    }
    expect((await home.run(['run', 'shop'])).exit).toBe(0)
  })

  test.each([
    ['normal', /^only low-tier tasks run in parallel; .* allows up to 2$/m],
    ['low', /^$/],
  ])('of %s tasks says what running more of them at once would give, if anything', async (tier, said) => {
    home = new Home()
    const task = (id: string): string =>
      `  - { id: "${id}", title: Add ${id}, tier: ${tier}, acceptance_criteria: [there], files: { create: [src/${id}/v] } }\n`
    const environment = '{ setup: null, test: null, lint: null, typecheck: null, build: null }'
    const plan = `plan: pair\nenvironment: ${environment}\ntasks:\n${task('a')}${task('b')}`
    writeFileSync(join(home.repo, 'pair.yaml'), plan)
    const { exit, stderr } = await home.run(['run', 'pair.yaml'])
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(said) })
  })

  test('ends 11 when all that is left to decide is a gate that failed for good', async () => {
    home = new Home({ SCRIPT: 'red' })
    const run = await home.run(['run', 'shop-plan.md', '--json'])
    expect(run.exit).toBe(11)
    const last = JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? '') as RunEnd
    expect(last.outcome).toBe('gate_failed')
    expect(last.inbox.every(({ kind }) => kind === 'escalation')).toBe(true)
  })

  test('exits with 14 without a usable agent, and starts nothing', async () => {
    home = new Home({ SCRIPT: 'nobody' })
    expect((await home.run(['run', 'shop-plan.md'])).exit).toBe(14)
    expect(await home.json(['status'])).toMatchObject({ plans: [] })
  })

  test('ends 10 when it waits for a person, shows what for, and goes on after the answer', async () => {
    home = new Home()
    writeFileSync(join(home.repo, 'bosun.yaml'), 'approval: each_task\n')
    const run = await home.run(['run', 'shop-plan.md', '--no-input'])
    expect(run.exit).toBe(10)
    expect(run.stdout).toMatch(
      /^APPROVAL\nProblem: {5}.*\nImpact: {6}.*\nOptions: {5}.*\nRecommended: approve\nBlocking: {4}yes$/m,
    )
    expect((await home.run(['answer', 'A-1', 'nonsense'])).exit).toBe(2)
    expect((await home.run(['answer', 'A-1', 'approve'])).stdout).toContain('answered A-1 of shop')
    expect((await home.run(['answer', 'A-1', 'approve'])).exit).toBe(4)
    expect((await home.run(['answer', 'A-9', 'approve'])).exit).toBe(3)
    expect((await home.run(['run', 'shop'])).exit).toBe(10)
    const { inbox } = await home.json<{ inbox: { id: string }[] }>(['inbox'])
    await home.run(['answer', inbox[0]?.id ?? '', 'approve'])
    expect((await home.run(['run', 'shop'])).exit).toBe(0)
  })

  test('the same id with other content is an edit, and what is neither file nor plan is not found', async () => {
    home = new Home({ SCRIPT: 'endless' })
    const run = home.spawn(['run', 'shop-plan.md'])
    await printed(run, 'stdout', /dispatched/)
    run.kill('SIGTERM')
    expect(await ended(run)).toMatchObject({
      exit: 130,
      stderr: expect.stringContaining('detached; shop keeps running'),
    })
    writeFileSync(join(home.repo, 'shop-plan.md'), PLAN.replace('readme', 'manual'))
    const edited = home.spawn(['run', 'shop-plan.md'])
    await printed(edited, 'stderr', /plan edited:/)
    edited.kill('SIGTERM')
    expect((await ended(edited)).exit).toBe(130)
    expect((await home.run(['run', 'nothing.md'])).exit).toBe(3)
    expect((await home.run(['run', 'nothing'])).exit).toBe(3)
  })

  test('a plan with errors is refused, each with its place', async () => {
    home = new Home()
    writeFileSync(
      join(home.repo, 'bad.yaml'),
      'plan: bad\ntasks:\n  - { id: a, title: A, depends_on: [b] }\n',
    )
    const run = await home.run(['run', 'bad.yaml'])
    expect(run.exit).toBe(1)
    expect(run.stderr).toMatch(/^bad\.yaml:\d+: error: /)
  })
})

describe('steering from the command line', () => {
  const begun = async (): Promise<void> => {
    home = new Home({ SCRIPT: 'endless' })
    const run = home.spawn(['run', 'shop-plan.md'])
    await printed(run, 'stdout', /dispatched/)
    run.kill('SIGINT')
    expect((await ended(run)).exit).toBe(130)
  }

  test.each([
    [['pause', 'docs/plans/shop.md']],
    [['cancel', '']],
    [['worker', 'show', 'a/b']],
    [['worker', 'kill', '..']],
    [['answer', 'shop/E-1', 'approve']],
    [['release', 'show', 'a\\b']],
  ])('find nothing under what is no id: %j', async (line) => {
    home = new Home()
    expect(await home.run(line)).toMatchObject({ exit: 3, stderr: expect.stringContaining('bosun status') })
  })

  test('pause, resume, worker, log, status and cancel do what they say', async () => {
    await begun()
    expect((await home.run(['resume'])).stdout).toBe('shop is not paused\n')
    expect((await home.run(['pause'])).stdout).toBe('shop is paused\n')
    const status = await home.json<{ plans: { state: string }[] }>(['status'])
    expect(status.plans[0]?.state).toBe('paused')
    expect(Object.keys(status)).toEqual([
      'schema',
      'daemon',
      'pulse',
      'plans',
      'tasks',
      'workers',
      'inbox',
      'interviews',
      'unreadable',
      'seq',
    ])
    expect((await home.run(['resume', 'shop'])).exit).toBe(0)
    expect((await home.run(['worker', 'list'])).stdout).toContain('w-shop-1-1')
    expect((await home.run(['worker', 'kill', 'w-shop-1-1', '--reason', 'it dreams'])).exit).toBe(0)
    expect((await home.run(['worker', 'show', 'w-shop-1-1'])).stdout).toContain('ann killed it: it dreams')
    expect((await home.run(['worker', 'fly'])).exit).toBe(2)
    expect((await home.run(['release', 'show', 'shop'])).exit).toBe(3)
    const { activity } = await home.json<{ activity: { event: string }[] }>([
      'log',
      '--event',
      'task_dispatched',
    ])
    expect(activity.length).toBeGreaterThan(0)
    expect((await home.run(['log', '--since', 'yesterday'])).exit).toBe(2)
    expect((await home.run(['cancel'])).stdout).toBe('shop is cancelled\n')
    expect((await home.run(['run', 'shop'])).exit).toBe(1)
  })

  test('log --follow and watch tell what happens until they are interrupted', async () => {
    await begun()
    const follow = home.spawn(['log', '--follow', '--event', 'plan_paused'])
    const watch = home.spawn(['watch', '--json'])
    const shown = Promise.all([
      printed(follow, 'stdout', /plan_paused.*paused by .*: lunch/),
      printed(watch, 'stdout', /"schema":"bosun.watch\/v1".*"event":"plan_paused"/),
    ])
    const watched = ended(watch)
    // The first client sees it live, a later one finds it in the log.
    for (let time = 0; time < 40; time++) {
      await home.run(['resume'])
      await home.run(['pause', '--reason', 'lunch'])
      const isTold = await Promise.race([
        shown.then(() => true),
        new Promise<false>((resolve) => setImmediate(resolve, false)),
      ])
      if (isTold) break
    }
    await shown
    const followed = ended(follow)
    for (const child of [follow, watch]) child.kill('SIGINT')
    expect((await followed).exit).toBe(130)
    const { exit, stdout } = await watched
    expect(exit).toBe(130)
    // Every line, and how it ended, is a document of the table.
    const lines = objectsIn(stdout)
    expect(lines.slice(0, -1).flatMap((one) => documentProblems(one, ['watch line']))).toEqual([])
    expect(documentProblems(lines.at(-1), ['watch'])).toEqual([])
  })

  test('log --follow ends when its reader has gone, though nothing happens any more', async () => {
    await begun()
    const follow = home.spawnForOneLine(['log', '--follow', '--event', 'plan_registered'])
    expect((await ended(follow)).stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})
