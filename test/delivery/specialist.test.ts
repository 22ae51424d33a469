/** A worker that asks for help, and a specialist that answers before a person is asked. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Lab } from './lab.ts'
import { smallProject } from './small-project.ts'

const BIN = join(import.meta.dirname, '../../bin/bosun')

/** It asks in the middle of its work, and goes on when it has the answer. */
const ASKER = `
mkdir -p src/m1; echo half > src/m1/half
"${BIN}" request need_help "which table?" > /dev/null
answer=$repo/../answer-$BOSUN_WORKER_ID
until bosun-checkin in_progress 50 > $answer && grep -q 'second table' $answer; do sleep 0.2; done
rm src/m1/half; work; report
`
const SPECIALIST = `
if [ "$BOSUN_ROLE" = architect ]; then
  grep -q half src/m1/half || exit 3
  echo changed > src/m1/half
  echo '{"explanation":"use the second table","self_assessment":"confident"}' > "$BOSUN_REPORT"; exit 0
fi`

let lab: Lab
afterEach(() => lab.dispose())

test('the answer reaches the worker marked as from a specialist, and the artifact has both', async () => {
  lab = smallProject({ agent: `${SPECIALIST}${ASKER}` })
  const done = await lab.deliver()
  expect(done.last, done.stderr).toMatchObject({ outcome: 'released', inbox: [{ kind: 'release' }] })
  const artifact = lab.git('show', 'feat/small/working:docs/reviews/small/task-1-review.md')
  expect(artifact).toContain('## Questions that a specialist answered')
  expect(artifact).toMatch(/`w-small-1-1` asked: which table\?\n {2}- \w+ answered: use the second table/)
  const log = await lab.bosun('log', '--event', 'specialist_answered', '--json')
  expect(log.stdout).toContain('use the second table')
  expect(readFileSync(join(lab.folder, 'answer-w-small-1-1'), 'utf8')).toContain(
    'from a specialist, not from a person',
  )
})

test('a specialist that cannot answer leaves the question to a person', async () => {
  const cannot = SPECIALIST.replace('"confident"', '"blocked"')
  lab = smallProject({ agent: `${cannot}${ASKER}`, settings: 'watch: { specialist: 2m }' })
  lab.spawn('run', 'plan.yaml', '--no-input')
  await expect
    .poll(async () => (await lab.bosun('inbox')).stdout, { timeout: 60_000 })
    .toContain('needs help')
  const log = await lab.bosun('log', '--event', 'specialist_answered', '--json')
  expect(log.stdout).toContain('"outcome":"none"')
})
