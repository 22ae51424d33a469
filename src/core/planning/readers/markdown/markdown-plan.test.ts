import { expect, test } from 'vitest'
import { readHeader } from './markdown-plan.ts'
import { readLines } from './lines.ts'

const read = (text: string) => readHeader(readLines(text).lines, Number.POSITIVE_INFINITY)

test('header lines may be bold or plain', () => {
  expect(read('# Title\n\n**Goal:** A\nB\n\nArchitecture: C\n**Tech Stack:** D')).toMatchObject({
    title: 'Title',
    goal: 'A B',
    architecture: 'C',
    techStack: 'D',
  })
})

test('a header section yields its first paragraph', () => {
  expect(read('## Goal\n\nA\n\nB\n\n## Architecture\n- C')).toMatchObject({ goal: 'A', architecture: 'C' })
})

test.each([
  ['**Design doc:** `docs/a.md`', 'docs/a.md'],
  ['**Spec:** `docs/a.md` — read this first', 'docs/a.md'],
  ['**Design:** [the design](docs/a.md)', 'docs/a.md'],
  ['Design spec: docs/a.md.', 'docs/a.md'],
  ['**Tech Stack:** Bun. Design spec: `docs/a.md`.', 'docs/a.md'],
])('%s', (text, path) => {
  expect(read(`# T\n\n${text}`).design).toEqual({ path, line: 3 })
})

test('constraints come from a section or a label', () => {
  expect(read('## Global Constraints (binding)\n\n- a\n  b\n- c').constraints).toEqual(['a b', 'c'])
  expect(read('**Global constraints:** x\n- y').constraints).toEqual(['x', 'y'])
})

test('a goal inside a phase is not the plan’s', () => {
  expect(read('# T\n\n## Phase 1: A\n\n**Goal**: only this phase').goal).toBeUndefined()
})

test('a quote above the header is not part of it', () => {
  expect(read('> **Goal:** not this\n\n**Goal:** this').goal).toBe('this')
})
