import { afterEach, describe, expect, test } from 'vitest'
import { aRequirement, aSpec, facts } from '../../../test/helpers/specs.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { noBrain } from '../../../test/helpers/no-brain.ts'
import { DEFAULT_WORKFLOWS } from '../../core/intake/workflows.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import { comparePlans } from '../../core/planning/compare-plans.ts'
import { planFigures } from '../../core/planning/plan-figures.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { architectRequest } from '../../core/spec/architect-messages.ts'
import { planRecord } from '../../core/spec/plan-of-stories.ts'
import { yamlOf } from '../../lib/files/yaml-text.ts'
import { storiesByRules } from '../../core/spec/stories-by-rules.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { specText } from '../../core/spec/spec-markdown.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { planFromText } from '../plans/read-plan.ts'
import { registerPlan } from '../plans/register-plan.ts'
import { steerPlan } from '../plans/steer-plan.ts'
import { traceRequirement } from '../plans/trace-requirement.ts'
import { traceAnswer } from '../../protocol/plan-views.ts'
import { describeSpecChange, planRecordFor } from './change-spec.ts'
import { planSpec } from './plan-spec.ts'
import { reviewSpec } from './review-spec.ts'

let testing: TestHost
afterEach(() => testing.dispose())

const brain = noBrain()
const call = { about: {}, signal: new AbortController().signal, outage: 'throw' } as const
const settings = defaultSettings()

const SPEC = aSpec([
  aRequirement('R-001'),
  aRequirement('R-002', { dependsOn: ['R-001'] }),
  aRequirement('R-003'),
])
const EDITED: Spec = {
  ...SPEC,
  requirements: [
    aRequirement('R-001'),
    aRequirement('R-002', { dependsOn: ['R-001'], criteria: ['R-002 returns 2'] }),
    aRequirement('R-004', { dependsOn: ['R-002'] }),
  ],
}

async function readingOf(text: string) {
  const plan = planFromText('export.yaml', text, settings)
  return { plan, figures: planFigures(plan, ['low']), text }
}

const planText = (...given: Parameters<typeof planRecord>): string => yamlOf(planRecord(...given))

async function registered(text = planText(SPEC, storiesByRules({ ...facts(), spec: SPEC, setUp: null }))) {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const reading = await readingOf(text)
  const repository = testing.repository()
  const { plan: hosted } = await registerPlan(testing.host, { reading, settings, repository })
  return { hosted, repository, reading, id: hosted.home.repository.id }
}

const review = (spec: Spec) =>
  reviewSpec({ brain, context: { ...facts(), round: 0 } }, architectRequest(specText(spec), null), call)

/** The plan that a spec becomes once the architect has approved it. Nothing is written. */
const planned = async (id: string, spec: Spec) =>
  readingOf(yamlOf(await planRecordFor(testing.host, id, await review(spec))))

const described = (id: string, spec: Spec) =>
  describeSpecChange(testing.host, { repository: id, markdown: specText(spec) })

const tasksOf = ({ state }: HostedPlan): readonly string[] =>
  [...state.tasks.values()].filter(({ dropped }) => !dropped).map(({ spec }) => spec.id)

describe('a changed spec of a plan', () => {
  test('changes the tasks of changed requirements alone, and nothing before it is registered', async () => {
    const { hosted, id, reading } = await registered()
    const { version } = hosted.state
    const { plan } = await planned(id, EDITED)
    expect(comparePlans(reading.plan.tasks, plan.tasks)).toMatchObject({
      added: ['S-004.1'],
      changed: [{ id: 'S-002.1', fields: ['acceptanceCriteria'] }],
      removed: ['S-003.1'],
      untouched: ['S-001.1'],
    })
    expect(hosted.state.tasks.get('S-002.1')?.spec.acceptanceCriteria).toEqual(['R-002 returns 1'])
    expect(hosted.state.version).toBeGreaterThanOrEqual(version)
    expect(tasksOf(hosted)).toEqual(['S-001.1', 'S-002.1', 'S-003.1'])
  })

  test('becomes an edit of the plan', async () => {
    const { id, repository } = await registered()
    const { how, plan } = await registerPlan(testing.host, {
      reading: await planned(id, EDITED),
      settings,
      repository,
      by: 'Ann',
    })
    expect(how).toBe('edited')
    expect(tasksOf(plan)).toEqual(['S-001.1', 'S-002.1', 'S-004.1'])
    expect(plan.state.tasks.get('S-002.1')?.spec.acceptanceCriteria).toEqual(['R-002 returns 2'])
    expect(plan.state.tasks.get('S-004.1')?.spec.dependsOn).toEqual(['S-002.1'])
    expect(await described(id, EDITED)).toMatchObject({
      requirements: { added: [], changed: [], removed: [], fields: [] },
      tasks: [],
    })
  })

  test('is merged into the text that the plan has by then', async () => {
    const { id, repository } = await registered()
    const other = await planned(id, { ...EDITED, vision: 'Other.' })
    await registerPlan(testing.host, { reading: other, settings, repository })
    const { plan, text } = await planned(id, { ...EDITED, requirements: [aRequirement('R-001')] })
    expect(plan.tasks.map((task) => task.id)).toEqual(['S-001.1'])
    expect(text).not.toContain('Other.')
  })

  test('keeps what the user wrote into the plan: commands, gates, checks and tasks of their own', async () => {
    const text =
      planText(SPEC, storiesByRules({ ...facts(), spec: SPEC, setUp: null })).replace(
        '    story: S-001\n',
        '    story: S-001\n    held_out: ["node check.js"]\n    gates: [unit, lint, secrets]\n',
      ) +
      '  - { id: own, title: Mine, depends_on: [S-003.1] }\nenvironment: { test: "npm run mine" }\nconstraints: [No globals]\n'

    const { id } = await registered(text)
    const { plan } = await planned(id, EDITED)
    expect(plan.problems).toEqual([])
    expect(plan.environment).toEqual({ test: 'npm run mine' })
    expect(plan.header.constraints).toEqual(['No globals'])
    expect(plan.tasks.find((task) => task.id === 'S-001.1')).toMatchObject({
      heldOut: ['node check.js'],
      gates: ['unit', 'lint', 'secrets'],
    })
    expect(plan.tasks.find((task) => task.id === 'own')?.dependsOn).toEqual([])
  })

  test('needs changes first where the architect objects', async () => {
    const { id } = await registered()
    const unclear = { ...EDITED, requirements: [aRequirement('R-001', { criteria: ['the limit is TBD'] })] }
    const submitted = {
      repository: id,
      request: architectRequest(specText(unclear), null),
      begun: null,
      round: 0,
      call,
    }
    const { result, planText: text } = await planSpec(
      testing.host,
      { brain, project: NO_CONTEXT, files: null, workflows: DEFAULT_WORKFLOWS },
      submitted,
    )
    expect([result.status, text]).toEqual(['needs_changes', null])
    expect(result.feedback).toContain('undecided')
  })

  test('is a new plan under another title', async () => {
    const { id } = await registered()
    expect(await described(id, { ...EDITED, title: 'Import' })).toBeNull()
    expect(
      await planRecordFor(testing.host, id, { spec: { ...SPEC, title: 'Import' }, stories: [], setUp: [] }),
    ).toMatchObject({ plan: 'import' })
  })

  test('of another title with the same first words is a plan beside it', async () => {
    const { id } = await registered()
    const other = { ...SPEC, title: 'Export of reports to paper' }
    expect(await described(id, other)).toBeNull()
    expect(await planRecordFor(testing.host, id, { spec: other, stories: [], setUp: [] })).toMatchObject({
      plan: 'export-of-reports-2',
    })
  })

  test('is refused for a plan that has ended, unless it is the same spec', async () => {
    const { id } = await registered()
    await steerPlan(testing.host, {
      what: 'cancel',
      plan: 'export-of-reports',
      by: 'ann',
      reason: 'no',
      now: false,
    })
    await expect(described(id, EDITED)).rejects.toMatchObject({
      code: 'conflict',
      message: 'plan export-of-reports was cancelled and cannot be changed',
    })
    await expect(
      planRecordFor(testing.host, id, { spec: EDITED, stories: [], setUp: [] }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(await described(id, SPEC)).toMatchObject({ tasks: [] })
  })

  test('is described before anything is thought about it', async () => {
    const { id } = await registered()
    expect(await described(id, EDITED)).toEqual({
      plan: 'export-of-reports',
      requirements: {
        added: ['R-004'],
        changed: [{ id: 'R-002', fields: ['acceptance criteria'] }],
        removed: ['R-003'],
        unchanged: ['R-001'],
        fields: [],
      },
      tasks: [
        { id: 'S-002.1', requirements: ['R-002'] },
        { id: 'S-003.1', requirements: ['R-003'] },
      ],
    })
    expect(await describeSpecChange(testing.host, { repository: id, markdown: 'no spec' })).toBeNull()
  })
})

describe('the trace of a requirement', () => {
  test('has its title from the spec, and its tasks with tests, criteria and commit', async () => {
    await registered()
    const answer = await traceRequirement(testing.host, { requirement: 'r-002' })
    expect(traceAnswer.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({
      plan: 'export-of-reports',
      requirements: [
        {
          id: 'R-002',
          title: 'Title of R-002',
          tasks: [
            {
              id: 'S-002.1',
              story: 'S-002',
              status: 'pending',
              commit_sha: null,
              criteria_total: 1,
              criteria_confirmed: 0,
            },
          ],
        },
      ],
    })
    const all = await traceRequirement(testing.host, { plan: 'export-of-reports' })
    expect(all.requirements.map(({ id, tasks }) => [id, tasks.length])).toEqual([
      ['R-001', 1],
      ['R-002', 1],
      ['R-003', 1],
    ])
  })

  test('is that of the plan which was not cancelled', async () => {
    const { repository } = await registered()
    const spec = { ...SPEC, title: 'Import' }
    const text = planText(spec, storiesByRules({ ...facts(), spec, setUp: null }))
    const plan = planFromText('import.yaml', text, settings)
    const reading = { plan, figures: planFigures(plan, ['low']), text }
    await registerPlan(testing.host, { reading, settings, repository })
    const cancel = (id: string) =>
      steerPlan(testing.host, { what: 'cancel', plan: id, by: 'ann', reason: 'not needed', now: false })
    const traced = () => traceRequirement(testing.host, { requirement: 'R-001' })
    await expect(traced()).rejects.toMatchObject({ code: 'conflict' })
    await cancel('export-of-reports')
    expect(await traced()).toMatchObject({ plan: 'import' })
    await cancel('import')
    await expect(traced()).rejects.toMatchObject({ code: 'conflict' })
  })

  test('of another repository counts only where this one has no plan of a spec', async () => {
    await registered()
    const spec = { ...SPEC, title: 'Import', requirements: [aRequirement('R-001')] }
    const text = planText(spec, storiesByRules({ ...facts(), spec, setUp: null }))
    const plan = planFromText('import.yaml', text, settings)
    const reading = { plan, figures: planFigures(plan, ['low']), text }
    const { plan: hosted } = await registerPlan(testing.host, {
      reading,
      settings,
      repository: testing.repository('other'),
    })
    const repository = hosted.home.repository.id
    expect(await traceRequirement(testing.host, { requirement: 'R-001', repository })).toMatchObject({
      plan: 'import',
    })
    await expect(traceRequirement(testing.host, { requirement: 'R-003', repository })).rejects.toMatchObject({
      message: 'plan import has no requirement R-003',
    })
    expect(
      await traceRequirement(testing.host, { requirement: 'R-003', repository: 'elsewhere' }),
    ).toMatchObject({ plan: 'export-of-reports' })
  })

  test('says which requirement was probably meant', async () => {
    await registered()
    await expect(
      traceRequirement(testing.host, { requirement: 'R-020', plan: 'export-of-reports' }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: 'plan export-of-reports has no requirement R-020',
    })
    await expect(traceRequirement(testing.host, { requirement: 'R-020' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
