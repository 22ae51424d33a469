import { expect, test } from 'vitest'
import { readRequest } from './request-text.ts'

test('the title is the first line that says something, without the marks around it', () => {
  expect(readRequest('\n## **Sort orders by date**\n\nmore').title).toBe('Sort orders by date')
  expect(readRequest('plan: x\ntitle: Repair the import\ntasks: []').title).toBe('Repair the import')
  expect(readRequest('It hangs.').title).toBe('It hangs')
  expect(readRequest('- [ ] a point').title).toBe('a point')
  expect(readRequest('').title).toBe('')
})

test('code and comments are not prose', () => {
  const { prose } = readRequest('A\n<!-- hidden -->\n```\ncode here\n```\nB')
  expect(prose.split('\n').filter((line) => line !== '')).toEqual(['A', 'B'])
})

test('control sequences of terminals are gone whole', () => {
  expect(readRequest('\u001B[31mfix\u001B[0m typo\u001B[2J').title).toBe('fix typo')
})

test('paths are named once, and addresses of pages are none', () => {
  const { paths } = readRequest('Change src/a.ts and src/a.ts, see https://x.org/a/b.html, and/or README.md')
  expect(paths).toEqual(['src/a.ts', 'README.md'])
})

test('points belong to the heading or the label above them', () => {
  const text = [
    '# Returns',
    '- a wish',
    '  that goes on',
    '- another wish',
    '### Steps to reproduce',
    '1. open the page',
    '**Acceptance criteria**',
    '- a return has a number',
    'Some prose ends what a label began.',
    '- it is said somewhere',
    '#### Out of scope',
    '- gift cards',
  ].join('\n')
  expect(readRequest(text)).toMatchObject({
    points: ['a wish that goes on', 'another wish'],
    criteria: ['a return has a number'],
    outOfScope: ['gift cards'],
  })
})

test('a point or a line that is labelled as out of scope is no criterion', () => {
  expect(readRequest('Do it\n\n- one\n- Out of scope: shipping costs')).toMatchObject({
    points: ['one'],
    outOfScope: ['shipping costs'],
  })
  expect(readRequest('Do it\nNon-goals: speed')).toMatchObject({ outOfScope: ['speed'] })
})
