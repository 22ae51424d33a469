import { expect, test } from 'vitest'
import { formOf, isProjectBrief } from './request-form.ts'
import { readRequest } from './request-text.ts'

const form = (text: string) => formOf(text, readRequest(text))

test.each([
  ['fix typo in README', 'sentence'],
  ['---\nversion: 1\n---\n# Feature: X\n\n## Vision\nY', 'spec'],
  ['plan: x\ntasks:\n  - id: "1"\n    title: A\n', 'plan'],
  ['# Plan\n\n### Task 1: Do it\n\n- [ ] step', 'plan'],
  ['{"tasks": [{"id": 1}]}', 'plan'],
  ['### Steps to reproduce\n1. open\n2. look', 'brief'],
  ['# Waiting list\n\n## Why\nPeople call.\n\n## What\nA list.', 'brief'],
] as const)('%j has the form of a %s', (text, expected) => {
  expect(form(text)).toBe(expected)
})

test('check-boxes of an issue template are no plan', () => {
  expect(form('### Checklist\n- [x] a\n- [x] b\n- [x] c\n\nIt breaks.')).toBe('brief')
})

test('a project brief is one by the name of its file or its title', () => {
  expect(isProjectBrief({ title: 'Tea' }, 'PROJECT-BRIEF.md')).toBe(true)
  expect(isProjectBrief({ title: 'Project brief: tea' }, null)).toBe(true)
  expect(isProjectBrief({ title: 'Tea' }, 'brief.md')).toBe(false)
})
