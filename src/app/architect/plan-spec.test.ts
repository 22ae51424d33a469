import { afterEach, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { noBrain } from '../../../test/helpers/no-brain.ts'
import { DEFAULT_WORKFLOWS } from '../../core/intake/workflows.ts'
import type { BegunWith } from '../../core/interview/events/schemas.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { architectRequest } from '../../core/spec/architect-messages.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { specText } from '../../core/spec/spec-markdown.ts'
import { planFromText } from '../plans/read-plan.ts'
import { planSpec, processFor } from './plan-spec.ts'

let testing: TestHost | null = null
afterEach(() => testing?.dispose())

const brain = noBrain()
const call = { about: {}, signal: new AbortController().signal, outage: 'throw' } as const

async function planned(spec: Spec, begun: BegunWith | null = null) {
  testing = await new TestHost().open()
  const codeBase = {
    workflows: DEFAULT_WORKFLOWS,
    brain,
    project: { ...NO_CONTEXT, architecture: 'Node.js; no layers' },
    files: ['src/a.js'],
  }
  const request = architectRequest(specText(spec), null)
  return planSpec(testing.host, codeBase, { repository: 'r', request, begun, round: 0, call })
}

describe('a submitted spec', () => {
  test('becomes the text of a plan when it is approved', async () => {
    const { result, planText } = await planned(aSpec([aRequirement('R-001')]))
    expect(result.status).toBe('approved')
    const plan = planFromText('p.yaml', planText ?? '', defaultSettings())
    expect(plan.problems).toEqual([])
    // What was found in the code base is in every brief; as the plan's word it would be one of its principles.
    expect(plan.header.architecture).toBeNull()
    expect(plan.tasks.map(({ id, role }) => [id, role])).toEqual([['S-001.1', 'developer']])
  })

  test('has no plan while changes are needed', async () => {
    const { result, planText, stories } = await planned(aSpec([aRequirement('R-001', { criteria: ['TBD'] })]))
    expect([result.status, planText, stories]).toEqual(['needs_changes', null, []])
  })
})

test('a spec with the title of a plan that was made otherwise becomes a plan beside it', async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')], { id: 'export-of-reports' })
  const codeBase = { brain, project: NO_CONTEXT, files: null, workflows: DEFAULT_WORKFLOWS }
  const request = architectRequest(specText(aSpec([aRequirement('R-001')])), null)
  const repository = plan.home.repository.id
  expect(
    await planSpec(testing.host, codeBase, { repository, request, begun: null, round: 0, call }),
  ).toMatchObject({
    result: { status: 'approved' },
    planText: expect.stringContaining('plan: export-of-reports-2'),
  })
})

const BEGUN: BegunWith = {
  type: 'feature_request',
  scope: 'large',
  workflow: 'planned',
  title: null,
  understood: null,
}

describe('what the user saw before the interview', () => {
  const planOf = async (begun: BegunWith | null) => {
    const { planText } = await planned(aSpec([aRequirement('R-001', { type: 'documentation' })]), begun)
    return planFromText('p.yaml', planText ?? '', defaultSettings())
  }

  test('decides the plan: a large feature of one requirement has a design and full review', async () => {
    const plan = await planOf(BEGUN)
    expect(plan.problems).toEqual([])
    expect(plan.tasks.map(({ id, role, tier }) => [id, role, tier])).toEqual([
      ['D-001.1', 'designer', 'normal'],
      ['S-001.1', 'developer', 'normal'],
    ])
    expect(plan.header.design).toBe('docs/plans/export-of-reports-design.md')
    expect(plan.tasks[1]?.dependsOn).toEqual(['D-001.1'])
  })

  test('decides that its tasks are repairs', async () => {
    const plan = await planOf({ ...BEGUN, type: 'bug_fix', scope: 'small', workflow: 'light' })
    expect(plan.tasks.map(({ id, type }) => [id, type])).toEqual([['S-001.1', 'bug_fix']])
  })
})

describe('who takes part', () => {
  const many = (count: number): Spec =>
    aSpec(Array.from({ length: count }, (_, at) => aRequirement(`R-${String(at + 1).padStart(3, '0')}`)))
  const rolesFor = (spec: Spec, setUp: string | null, begun: BegunWith | null = null) =>
    processFor({ spec, setUp }, begun, DEFAULT_WORKFLOWS).roles

  test('is the developer alone for small work, a designer too for large work', () => {
    expect(rolesFor(many(1), null)).not.toContain('architect')
    expect(rolesFor(many(3), null)).not.toContain('designer')
    expect(rolesFor(many(6), null)).toContain('designer')
  })

  test('is everybody for a new project', () => {
    expect(rolesFor(many(1), '# Set up')).toEqual(expect.arrayContaining(['designer', 'developer', 'tester']))
  })

  test('is as the user decided, whatever the size of the spec', () => {
    expect(rolesFor(many(1), null, BEGUN)).toContain('designer')
    expect(rolesFor(many(9), null, { ...BEGUN, scope: 'medium', workflow: null })).not.toContain('designer')
  })
})
