import { describe, expect, it } from 'vitest'
import { architectRequest, feedbackMessage, storySchema, type Story } from './architect-messages.ts'

const STORY: Story = {
  id: 'S-001',
  title: 'Export as CSV',
  requirements: ['R-001'],
  depends_on: [],
  tasks: [
    {
      id: 'S-001.1',
      title: 'Export as CSV',
      description: 'Add the export.',
      kind: 'code',
      role: 'developer',
      area: null,
      depends_on: [],
      files: { create: ['src/export.ts'], modify: [], delete: [] },
      tests_to_add: ['test/export.test.ts'],
      acceptance_criteria: [{ requirement: 'R-001', text: 'one line per row' }],
    },
  ],
}

describe('the messages between interview and architect', () => {
  it('have exactly the keys and words of the protocol', () => {
    expect(architectRequest('# Feature', null)).toEqual({
      approval_type: 'spec',
      content: '# Feature',
      infrastructure_spec: null,
      reason: 'PM has completed spec interview and generated specification for review',
    })
    expect(feedbackMessage('R-001 is unclear')).toBe(
      'The architect provided the following feedback on your spec. Address these issues and resubmit or ask the user for any needed clarifications. The user has not seen the raw feedback. R-001 is unclear',
    )
  })
})

describe('a story', () => {
  it('is read with all its fields', () => {
    expect(storySchema.parse(STORY)).toEqual(STORY)
  })

  it.each([
    ['environment', { test: 'true' }],
    ['gates', []],
    ['held_out', []],
    ['security_flags', []],
    ['tier', 'low'],
    ['tests_to_run', ['true']],
    ['time_budget', '24h'],
    ['integration', []],
    ['breaking_change', false],
    ['layer', 'integration'],
    ['interfaces', []],
  ])('cannot set %s of a task: that is not its to decide', (key, value) => {
    const [task] = STORY.tasks
    expect(storySchema.safeParse({ ...STORY, tasks: [{ ...task, [key]: value }] }).success).toBe(false)
    expect(storySchema.safeParse({ ...STORY, [key]: value }).success).toBe(false)
  })

  it('is bounded in every field', () => {
    const [task] = STORY.tasks
    const long = 'x'.repeat(100_000)
    const many = Array.from({ length: 1_000 }, (_, at) => `R-${at}`)
    const wrong = [
      { ...STORY, title: long },
      { ...STORY, requirements: many },
      { ...STORY, tasks: [] },
      { ...STORY, tasks: Array.from({ length: 100 }, () => task) },
      { ...STORY, tasks: [{ ...task, description: long }] },
      { ...STORY, tasks: [{ ...task, tests_to_add: many }] },
      { ...STORY, tasks: [{ ...task, acceptance_criteria: [] }] },
    ]
    for (const story of wrong) expect(storySchema.safeParse(story).success).toBe(false)
  })
})
