import { expect, test } from 'vitest'
import {
  deeper,
  WORKFLOW_NAMES,
  WORKFLOWS,
  workflowFor,
  workflowOfType,
  workflowSummary,
  workflowTable,
} from './workflows.ts'

test.each([
  ['new_project', 'small', ['architect', 'designer', 'developer', 'reviewer', 'tester'], 'full'],
  ['feature_request', 'large', ['architect', 'designer', 'developer', 'reviewer'], 'full'],
  ['feature_request', 'medium', ['architect', 'developer', 'reviewer'], 'short'],
  ['feature_request', 'small', ['developer', 'reviewer'], 'none'],
  ['feature_request', 'trivial', ['developer', 'reviewer'], 'none'],
  ['bug_fix', 'trivial', ['fixer', 'reviewer'], 'none'],
  ['bug_fix', 'large', ['fixer', 'reviewer'], 'none'],
] as const)('a %s of scope %s is worked on by %j with the interview: %s', (type, scope, roles, interview) => {
  expect(WORKFLOWS[workflowFor(type, scope)]).toMatchObject({ roles, interview })
})

test('the settings override single pairs of type and scope', () => {
  const table = workflowTable({ feature_request: { small: 'light' } })
  expect(workflowFor('feature_request', 'small', table)).toBe('light')
  expect(workflowFor('feature_request', 'trivial', table)).toBe('direct')
  expect(workflowFor('bug_fix', 'small', table)).toBe('fix')
})

test('a type with one workflow that begins with an interview needs no scope', () => {
  expect(workflowOfType('new_project', workflowTable({}))).toBe('project')
  expect(workflowOfType('bug_fix', workflowTable({}))).toBeNull()
  expect(workflowOfType('new_project', workflowTable({ new_project: { trivial: 'direct' } }))).toBeNull()
})

test('risk deepens a workflow without an interview, and never makes one shallower', () => {
  expect(WORKFLOW_NAMES.map(deeper)).toEqual(['fix', 'light', 'light', 'planned', 'project'])
})

test('the summary names the role that really works, and the agent of the fixer where it does small work', () => {
  const small = { scope: 'small', isRisky: false, hasFixer: false, hasBrain: true } as const
  expect(workflowSummary('direct', small)).toBe('one task for a developer, gates, quick review, a branch')
  expect(workflowSummary('direct', { ...small, hasFixer: true })).toBe(
    "one task for a developer (the fixer's agent), gates, quick review, a branch",
  )
  expect(workflowSummary('fix', small)).toContain('for a fixer, gates, quick review')
  const larger = 'one task for a developer, gates, review, a branch'
  expect(workflowSummary('fix', { ...small, scope: 'medium', hasFixer: true })).toBe(larger)
  expect(workflowSummary('fix', { ...small, isRisky: true })).toBe(larger)
  expect(workflowSummary('light', small)).toContain('a short interview')
})

test('the summary says that nobody reads low work where there is no brain', () => {
  const small = { scope: 'small', isRisky: false, hasFixer: false, hasBrain: false } as const
  const nobody = 'one task for a developer, gates, a branch; no brain, so nobody reads it'
  expect(workflowSummary('direct', small)).toBe(nobody)
  expect(workflowSummary('direct', { ...small, isRisky: true })).toContain('gates, review, a branch')
})
