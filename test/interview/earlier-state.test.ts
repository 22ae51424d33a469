/**
 * State roots that earlier builds left, each with two open interviews (test/fixtures/interview-roots/make.sh made them).
 * The build of today opens them and goes on.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import * as pm from '../../src/client/interview.ts'
import { repositoryId } from '../../src/store/sqlite/sqlite-repositories.ts'
import { endAll, root, serve, stop, until } from './served.ts'

afterAll(endAll)

const ROOTS = globSync(join(import.meta.dirname, '../fixtures/interview-roots/*.tar.gz'))
/** Where they were made. */
const MADE_IN = '/tmp/bosun-earlier-interview'
const NAMES = ['asked', 'shown'] as const

/** As if the state root and its repositories had been made here. */
function unpack(archive: string): Readonly<Record<(typeof NAMES)[number], string>> {
  const folder = dirname(root)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  const db = new DatabaseSync(join(root, 'bosun.db'), { enableForeignKeyConstraints: false })
  for (const name of NAMES) {
    const path = realpathSync(join(folder, name))
    const { id: before } = repositoryId(`${MADE_IN}/${name}`)
    const { id } = repositoryId(path)
    renameSync(join(root, 'repos', before), join(root, 'repos', id))
    db.prepare('update repositories set id = ?, path = ? where id = ?').run(id, path, before)
    db.prepare('update streams set repo = ? where repo = ?').run(id, before)
    for (const table of ['streams', 'events', 'snapshots'])
      db.prepare(`update ${table} set stream = replace(stream, ?, ?)`).run(before, id)
    db.prepare('update events set data = replace(data, ?, ?)').run(before, id)
    // They only save time, and name the repository.
    db.prepare('delete from snapshots').run()
  }
  db.close()
  return { asked: join(folder, 'asked'), shown: join(folder, 'shown') }
}

test.each(ROOTS.map((path) => [basename(path), path] as const))(
  '%s: an interview goes on with its questions, and a spec in preview becomes a plan',
  async (_, archive) => {
    const { asked, shown } = unpack(archive)
    const served = await serve()
    const { daemon } = served

    const open = await until(served, asked, ['AWAIT_USER'])
    expect(open.open_question?.questions.length).toBeGreaterThan(0)
    const { messages } = await pm.pmConversation(daemon, asked)
    const typed = messages.filter(({ from }) => from === 'user').map(({ text }) => text)
    expect(typed).toEqual(['Show the time of other towns', 'everybody who travels'])
    const session_id = open.session_id ?? ''
    await pm.pmChat(daemon, { repo: asked, session_id, message: "that's all" })
    await until(served, asked, ['PREVIEW'])
    expect((await pm.pmPreview(daemon, asked)).user_spec_md).toContain('Show the time of other towns')

    const { spec_sha, user_spec_md } = await pm.pmPreview(daemon, shown)
    expect(user_spec_md).toContain('# Feature: Alarm')
    await pm.pmAction(daemon, { repo: shown, action: 'submit_to_architect', spec_sha })
    expect(await until(served, shown, ['WAITING'])).toMatchObject({ plan: 'alarm', recoverable: null })
    await stop(served)
  },
  30_000,
)
