/** What happens in the user's repository while a worker runs. */
import { expect, onTestFinished, test } from 'vitest'
import { smallProject } from './small-project.ts'

test('what a worker does in the repository of the user is named at once, and what Bosun publishes is not', async () => {
  const lab = smallProject({
    tasks: 2,
    agent: `work; report
if [ $id = 2 ]; then
  git -C "$repo" branch aside; echo "exit 0" > "$repo/.git/hooks/pre-commit"; git -C "$repo" config core.editor spy
fi`,
    settings: 'sandbox: { mode: off }\n',
  })
  onTestFinished(() => lab.dispose())
  const run = await lab.bosun('run', 'plan.yaml', '--no-input')
  expect(run.exit).toBe(0)
  const line =
    'the repository changed while w-small-2-1 ran: .git/config was changed, .git/hooks/pre-commit was added, refs/heads/aside was added; Bosun did not do that'
  expect(`${run.stdout}${run.stderr}`).toContain(line)
  const told = lab.activity().filter(({ event }) => event === 'repository_changed')
  expect(told).toMatchObject([{ worker_id: 'w-small-2-1', task_id: '2' }])
  expect((await lab.bosun('log')).stdout).toContain(line)
})
