/**
 * State roots that earlier builds left, each in the middle of a plan (test/fixtures/state-roots/make.sh made them). The
 * build of today opens them and goes on.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryId } from '../../src/store/sqlite/sqlite-repositories.ts'
import { Lab } from './lab.ts'

const ROOTS = globSync(join(import.meta.dirname, '../fixtures/state-roots/*.tar.gz'))
/** Where they were made. */
const MADE_IN = '/tmp/bosun-earlier'

/** A copy of the state root and its repository, as if they had been made where it is. */
function copyOf(archive: string): Lab {
  const lab = new Lab({ 'README.md': '' })
  onTestFinished(() => lab.dispose())
  rmSync(lab.repo, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', lab.folder])
  const { id: before } = repositoryId(`${MADE_IN}/repo`)
  const { id } = repositoryId(realpathSync(lab.repo))
  renameSync(join(lab.home, 'repos', before), join(lab.home, 'repos', id))
  for (const file of globSync('**/{job.json,alternates}', { cwd: lab.home })) {
    const path = join(lab.home, file)
    const text = readFileSync(path, 'utf8').replaceAll(MADE_IN, lab.folder).replaceAll(before, id)
    writeFileSync(path, text)
  }
  inLog(lab, (db) => {
    db.prepare('update repositories set id = ?, path = ?').run(id, realpathSync(lab.repo))
    db.prepare('update streams set repo = ?').run(id)
    for (const table of ['streams', 'events', 'snapshots', 'checkins', 'claims'])
      db.prepare(`update ${table} set stream = replace(stream, ?, ?)`).run(before, id)
  })
  return lab
}

function inLog<T>(lab: Lab, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(lab.home, 'bosun.db'))
  try {
    return use(db)
  } finally {
    db.close()
  }
}

async function jsonOf(lab: Lab, ...args: readonly string[]): Promise<unknown> {
  const { exit, stdout, stderr } = await lab.bosun(...args, '--json')
  expect(exit, stderr).toBe(0)
  return JSON.parse(stdout)
}

const attempts = (lab: Lab): Promise<readonly (readonly [string, string, number])[]> =>
  jsonOf(lab, 'status').then((status) =>
    (status as { tasks: { id: string; status: string; attempt: number }[] }).tasks.map((task) => [
      task.id,
      task.status,
      task.attempt,
    ]),
  )

const LEFT = [
  ['1', 'completed', 1],
  ['2', 'completed', 2],
  ['3', 'completed', 2],
  ['4', 'completed', 2],
  ['5', 'in_progress', 1],
  ['6', 'pending', 0],
]

test.each(ROOTS.map((path) => [basename(path), path] as const))(
  '%s is read without a daemon, and goes on to its release',
  async (_, archive) => {
    const lab = copyOf(archive)
    expect(await attempts(lab)).toEqual(LEFT)
    const { activity, unreadable } = (await jsonOf(lab, 'log')) as {
      readonly activity: readonly { readonly event: string }[]
      readonly unreadable: number
    }
    const names = new Set(activity.map(({ event }) => event))
    expect(unreadable).toBe(0)
    expect([...names]).toEqual(
      expect.arrayContaining([
        'plan_registered',
        'gate_failed',
        'escalation_opened',
        'escalation_answered',
        'plan_paused',
        'plan_resumed',
        'plan_edited',
        'review_changes_requested',
        'task_committed',
        'instruction_sent',
      ]),
    )

    const { exit, last, stderr } = await lab.deliver()
    expect(exit, stderr).toBe(0)
    expect(last.commits.map(({ task }) => task)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect((await attempts(lab)).slice(4)).toEqual([
      ['5', 'completed', 2],
      ['6', 'completed', 1],
    ])
    expect(lab.activity().map(({ event }) => event)).toContain('worker_interrupted')
    expect(await lab.bosun('release', 'verify', 'earlier')).toMatchObject({ exit: 0 })
  },
)

test.each(ROOTS.map((path) => [basename(path), path] as const))(
  '%s with events in their first versions shows the same tasks',
  async (_, archive) => {
    const lab = copyOf(archive)
    const rewritten = inLog(lab, (db) => {
      const events = db.prepare('select seq, type, data from events where v = 2').all()
      const update = db.prepare('update events set v = 1, data = ? where seq = ?')
      for (const { seq, type, data } of events)
        update.run(
          JSON.stringify(firstVersion(String(type), JSON.parse(String(data)) as Fields)),
          seq as number,
        )
      return new Set(events.map(({ type }) => type))
    })
    expect(rewritten).toEqual(new Set(['plan.baselined', 'task.gated']))
    expect(await attempts(lab)).toEqual(LEFT)
  },
)

type Fields = Readonly<Record<string, unknown>>

/** As the first builds wrote it. */
function firstVersion(type: string, fields: Fields): Fields {
  if (type === 'plan.baselined') {
    const { start: _start, audits: _audits, branches: _branches, ...kept } = fields
    return { ...kept, existing: [] }
  }
  const verdicts = (fields['verdicts'] as readonly Fields[]).map(({ gate, outcome, summary }) => ({
    gate,
    outcome,
    evidence: summary,
  }))
  return { ...fields, verdicts }
}
