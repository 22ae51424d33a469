import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractOf } from '../core/planning/brief/contract.ts'
import { completePlan } from '../core/planning/complete-plan.ts'
import { NO_FACTS } from '../core/planning/task-files.ts'
import { defaultSettings } from '../core/settings/settings.ts'
import { aChange } from '../../test/helpers/a-change.ts'
import { aDraft, aTask, someFiles } from '../../test/helpers/plan-draft.ts'
import { aJob } from '../../test/helpers/requests.ts'
import { reviewerBrief } from './worker-brief.ts'

const plan = completePlan(
  aDraft([
    aTask('7', {
      title: 'Parse numbers',
      acceptanceCriteria: ['1e400 is refused'],
      files: someFiles({ create: ['src/number.rs'] }),
    }),
  ]),
  NO_FACTS,
  defaultSettings(),
)

test('the brief of a reviewer is this text', async () => {
  const [spec = aJob('w').spec] = plan.tasks
  const contract = contractOf(plan, spec, {
    shared: '',
    taskDelta: '',
    commands: {},
    retryBudget: 2,
    patchSizeLimit: 15,
  })
  const { context } = aJob('w')
  const draft = {
    worker: 'w',
    tree: 'tree',
    changed: [],
    salvage: '',
    report: null,
    patch: null,
    agents: [],
    ended: 'reported done',
    people: [],
    base: null,
  }
  const review = { round: 1, tier: 'normal' as const, verdicts: [], earlier: [] }
  const job = aJob('w-shop-7-1-review-1', {
    spec,
    role: 'reviewer',
    context: { ...context, draft, review },
  })
  const text = await reviewerBrief(job, contract, {
    changes: { changeOf: () => Promise.resolve(aChange({ 'src/number.rs': [null, 'fn parse() {}\n'] })) },
    readText: () => Promise.resolve(null),
    design: null,
    plan: { header: { specFile: null } },
    reporting: {
      reportPath: '.bosun/report.json',
      briefPath: '.bosun/brief.md',
      checkin: { command: 'bosun-checkin' },
      hasMcp: false,
    },
  })
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../test/fixtures/briefs/reviewer.txt'))
})
