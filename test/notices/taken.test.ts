/** What acts as the user is what the plan was started with, also where a worker writes bosun.yaml meanwhile. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { smallProject } from '../delivery/small-project.ts'

test('a notify.command that comes into bosun.yaml while a plan runs is not run', async () => {
  const lab = smallProject({
    agent: `work; report; echo "{ notify: { command: [touch, ../stolen] }, sandbox: { mode: off } }" > "$repo/bosun.yaml"`,
    settings:
      'approval: each_task\nsandbox: { mode: off }\nnotify: { desktop: false, command: [touch, ../told] }\n',
  })
  onTestFinished(() => lab.dispose())
  const { last } = await lab.deliver()
  expect(last.inbox).toHaveLength(1)
  await expect.poll(() => existsSync(join(lab.folder, 'told')), { timeout: 30_000 }).toBe(true)
  // What was owed is done with before the daemon ends.
  await lab.stop()
  expect(existsSync(join(lab.folder, 'stolen'))).toBe(false)
})
