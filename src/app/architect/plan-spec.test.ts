import { afterEach, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { NoBrain } from '../../brain/no-brain.ts'
import { NO_CONTEXT } from '../../core/intake/project-context.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { architectRequest } from '../../core/spec/architect-messages.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { specText } from '../../core/spec/write-spec.ts'
import { planFromText } from '../plans/read-plan.ts'
import { planSpec, rolesFor } from './plan-spec.ts'

let testing: TestHost | null = null
afterEach(() => testing?.dispose())

const brain = new NoBrain()
const call = { about: {}, signal: new AbortController().signal, outage: 'throw' } as const

async function planned(spec: Spec) {
  testing = await new TestHost().open()
  const codeBase = {
    brain,
    project: { ...NO_CONTEXT, architecture: 'Node.js; no layers' },
    files: ['src/a.js'],
  }
  const request = architectRequest(specText(spec), null)
  return planSpec(testing.host, codeBase, { repository: 'r', request, round: 0, call })
}

describe('a submitted spec', () => {
  test('becomes the text of a plan when it is approved', async () => {
    const { result, planText } = await planned(aSpec([aRequirement('R-001')]))
    expect(result.status).toBe('approved')
    const plan = await planFromText('p.yaml', planText ?? '', defaultSettings())
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
  const codeBase = { brain, project: NO_CONTEXT, files: null }
  const request = architectRequest(specText(aSpec([aRequirement('R-001')])), null)
  const repository = plan.home.repository.id
  expect(await planSpec(testing.host, codeBase, { repository, request, round: 0, call })).toMatchObject({
    result: { status: 'approved' },
    planText: expect.stringContaining('plan: "export-of-reports-2"'),
  })
})

describe('who takes part', () => {
  const many = (count: number): Spec =>
    aSpec(Array.from({ length: count }, (_, at) => aRequirement(`R-${String(at + 1).padStart(3, '0')}`)))

  test('is the developer alone for small work, a designer too for large work', () => {
    expect(rolesFor(many(1), null)).not.toContain('architect')
    expect(rolesFor(many(3), null)).not.toContain('designer')
    expect(rolesFor(many(6), null)).toContain('designer')
  })

  test('is everybody for a new project', () => {
    expect(rolesFor(many(1), '# Set up')).toEqual(expect.arrayContaining(['designer', 'developer', 'tester']))
  })
})
