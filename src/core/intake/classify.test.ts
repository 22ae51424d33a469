import { expect, test } from 'vitest'
import { classifyByRules } from './classify.ts'
import { readRequest } from './request-text.ts'
import { processorMs } from '../../../test/helpers/processor-time.ts'

const EXISTING = { repository: { sources: 40 }, fileName: null }
const classify = (text: string, facts: Parameters<typeof classifyByRules>[1] = EXISTING) =>
  classifyByRules(readRequest(text), facts)

test.each([
  ['Add dark mode toggle to settings page', 'feature_request'],
  ['fix typo in README', 'bug_fix'],
  ['Add error handling to the upload form', 'feature_request'],
  ['The page shows the wrong name', 'bug_fix'],
  ['Die Suche funktioniert nicht mehr', 'bug_fix'],
  ['Bitte füge einen Export hinzu', 'feature_request'],
  ['修复登录页面的错误', 'bug_fix'],
  ['給設定頁面新增深色模式', 'feature_request'],
  ['Refactor the parser', 'feature_request'],
  ['README: "instalation" -> "installation"', 'bug_fix'],
  ['GET /items answers 200, should be 204', 'bug_fix'],
  ['Getting 500 from /tags for a tag with a slash', 'bug_fix'],
  ['have deploy.sh ask "are you sure?" first', 'feature_request'],
  ['We need a page where admins can see failed jobs', 'feature_request'],
  ['It is annoying that the report has no total row', 'feature_request'],
  ['# Feature: Correct the rounding\n\n## Vision\nTotals are right.', 'bug_fix'],
  ['Add a page that lists errors of the last week', 'feature_request'],
  ['Add a route that crashes on purpose to try the error page', 'feature_request'],
  ['Login error', 'bug_fix'],
  ['Error al guardar los ajustes', 'bug_fix'],
  ['Errore durante il salvataggio', 'bug_fix'],
  ['When I press Save nothing happens', 'bug_fix'],
  ['Purge sessions that have expired', 'feature_request'],
] as const)('in a repository with sources, %j is a %s', (text, type) => {
  expect(classify(text)).toMatchObject({ type, isUnsure: false })
})

test('everything is a new project where the repository has no sources, and a project brief is one anywhere', () => {
  expect(classify('add a login page', { repository: { sources: 0 }, fileName: null }).type).toBe(
    'new_project',
  )
  expect(classify('Things', { ...EXISTING, fileName: 'PROJECT-BRIEF.md' }).type).toBe('new_project')
  expect(classify('# Project brief\n\nA tracker for tides.').type).toBe('new_project')
})

test.each(['What does src/price.js do?', 'Where is the tax rate set?', 'Is the theme stored in a cookie?'])(
  'a question about the program is no fault: %s',
  (text) => {
    expect(classify(text)).toMatchObject({ type: 'feature_request', isUnsure: true })
  },
)

test('a question that names a fault is one', () => {
  expect(classify('Why does the cart show the wrong total?')).toMatchObject({ type: 'bug_fix' })
  expect(classify('Is the login broken since the update?')).toMatchObject({ type: 'bug_fix' })
})

test.each(['login', '1234 5678', '🤷🤷🤷', 'qwrtzp sdfgh xcvbn'])(
  '%j says too little: it is a feature request that is unsure',
  (text) => {
    expect(classify(text)).toMatchObject({ type: 'feature_request', isUnsure: true })
  },
)

test('a pasted stack trace is evidence of a bug', () => {
  const text = 'Upload of large files\n\n```\nTypeError: x is undefined\n    at f (a.js:1:1)\n```'
  expect(classify(text)).toMatchObject({ type: 'bug_fix' })
})

test('template text and comments of an issue are no evidence', () => {
  const text =
    "<!-- Please describe the bug -->\n### Describe the solution you'd like\nAdd a column for the owner.\n\n- [x] I have searched existing issues for this bug\n"
  expect(classify(text)).toMatchObject({ type: 'feature_request', isUnsure: false })
})

test.each([
  'Steps to reproduce\n1. Open the cart\n2. Press checkout twice\n\nExpected\nOne order\n\nActual\nTwo orders\n',
  'Steps:\n1. open\n2. close\nExpected result: window gone\nActual result: window stays',
  '**Repro**\n- add a row\n- remove it\n\nThe total stays.',
])('a report that begins with its steps is a bug, whatever the steps do: %j', (text) => {
  const facts = { repository: { sources: 10 }, fileName: null }
  expect(classifyByRules(readRequest(text), facts)).toMatchObject({ type: 'bug_fix', isUnsure: false })
})

test('each answer names its reasons', () => {
  expect(classify('fix typo in README').reasons.join()).toContain('typo')
  expect(classify('login').reasons).not.toEqual([])
})

test('a request of any length is classified in bounded time', () => {
  const long = `Add a button. ${'the page is (broken "or" not/fine, '.repeat(300_000)}`
  const read = (): void => expect(classify(long).type).toBe('feature_request')
  expect(processorMs(read)).toBeLessThan(5000)
})

test('a file of records asks for nothing, and the reason says so', () => {
  const text =
    'root:x:0:0:root:/root:/bin/sh\nsync:x:4:65534:sync:/bin:/bin/sync\nmail:x:8:8:mail:/var:/bin/no\n'
  expect(classify(text)).toEqual({
    type: 'feature_request',
    isUnsure: true,
    reasons: ['the text has no readable request'],
  })
  expect(classify('Accounts\n\nsync:x:4').reasons.join()).not.toContain('add or change')
})

test('the tasks of a plan do not make it a bug fix, whatever errors they speak of', () => {
  const text =
    '# Plan: CSV import\n\n## Task 1: Parser\n- reports the line of an error\n\n## Task 2: Report\n- rows that failed\n'
  expect(classify(text).type).not.toBe('bug_fix')
})
