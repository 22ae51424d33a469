/** One plan of two has an event that cannot be read. */
import { DatabaseSync } from 'node:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { StatusAnswer } from '../../src/protocol/answers.ts'
import { Home, PLAN } from './program.ts'

async function withDamage(change = "data = '{'"): Promise<Home> {
  const home = new Home({ SCRIPT: 'endless' })
  onTestFinished(() => home.dispose())
  writeFileSync(join(home.repo, 'blog-plan.md'), PLAN.replace('Shop', 'Blog'))
  for (const plan of ['shop-plan.md', 'blog-plan.md']) {
    const run = home.spawn(['run', plan, '--no-input', '--json'])
    await new Promise((resolve) => run.stdout?.once('data', resolve))
    run.kill('SIGINT')
  }
  await home.run(['stop'])
  const db = new DatabaseSync(join(home.root, 'bosun.db'))
  const { stream } = db.prepare("select stream from streams where stream like '%/shop'").get() ?? {}
  db.prepare(`update events set ${change} where seq = (select max(seq) from events where stream = ?)`).run(
    String(stream),
  )
  db.close()
  return home
}

test('a damaged plan is shown as damaged, keeps no other plan from working, and can be ended', async () => {
  const home = await withDamage()
  const { plans } = await home.json<StatusAnswer>(['status'])
  expect(plans.map(({ id, state }) => [id, state])).toEqual(
    expect.arrayContaining([
      ['shop', 'damaged'],
      ['blog', 'running'],
    ]),
  )
  const status = await home.run(['status'])
  expect(status).toMatchObject({ exit: 0, stderr: '' })
  expect(status.stdout).toMatch(/shop {2}damaged/)

  const { stdout: inbox } = await home.run(['inbox', '--no-input'])
  expect(inbox).toMatch(/Problem: +plan shop is damaged: event \d+ of .* is not valid JSON/)
  expect(inbox).toContain('bosun answer plan:shop cancel')

  const cancelled = await home.run(['cancel', 'shop'])
  expect(cancelled.exit).toBe(4)
  expect(cancelled.stderr).toContain('bosun cancel --damaged shop')
  expect((await home.run(['cancel', '--damaged', 'blog'])).stderr).toContain('plan blog is not damaged')

  const file = join(home.folder, 'log.jsonl')
  const exported = await home.run(['export', file])
  expect(exported.exit).toBe(1)
  expect(exported.stderr).toContain('is not valid JSON')

  expect(await home.run(['cancel', '--damaged', 'shop'])).toMatchObject({ exit: 0, stderr: '' })
  expect((await home.run(['inbox', '--no-input'])).stdout).toBe('Nothing needs you.\n')
  await home.run(['stop'])
  expect((await home.json<StatusAnswer>(['status'])).plans.map(({ id }) => id)).toEqual(['blog'])
})

test('a plan whose events were changed by hand is shown as damaged, and its export says where it ends', async () => {
  const home = await withDamage('at = at - 1')
  const { plans } = await home.json<StatusAnswer>(['status'])
  expect(plans.map(({ id, state }) => [id, state])).toEqual(
    expect.arrayContaining([
      ['shop', 'damaged'],
      ['blog', 'running'],
    ]),
  )
  const { stdout: inbox } = await home.run(['inbox', '--no-input'])
  expect(inbox).toMatch(/Problem: +plan shop is damaged: event \d+ of .*: the database was changed by hand/)
  const exported = await home.run(['export', join(home.folder, 'log.jsonl')])
  expect(exported.exit).toBe(1)
  expect(exported.stderr).toContain('the database was changed by hand')
  await home.run(['stop'])
})
