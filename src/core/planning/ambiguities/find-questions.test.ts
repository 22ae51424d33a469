import { describe, expect, test } from 'vitest'
import { aTask } from '../../../../test/helpers/plan-builder.ts'
import type { Plan, TaskSpec } from '../plan.ts'
import { questionsOf, withQuestionLines } from './find-questions.ts'

const found = (fields: Partial<TaskSpec>, constraints: readonly string[] = []) =>
  questionsOf(aTask('1', { title: 'Add the store', acceptanceCriteria: [], ...fields }), constraints)
const inText = (description: string) => found({ description }).map(({ kind, choices }) => [kind, ...choices])
const inCriterion = (criterion: string) =>
  found({ acceptanceCriteria: [criterion] }).map(({ kind, choices }) => [kind, ...choices])

describe('a point that the author marks as not decided is asked', () => {
  test.each([
    ['Database: TBD', []],
    ['- [ ] Session timeout: tbd', []],
    ['The retention period is TBD.', []],
    ['Limit of uploads (TBD)', []],
    ['TBD: how errors are shown', []],
    ['The format is still to be decided.', []],
    ['Name of the flag: to be defined', []],
    ['Timeout: ???', []],
    ['Auth via [NEEDS CLARIFICATION: which provider, OAuth or SAML?]', []],
    ['The provider is not yet decided.', []],
    ['We still need to decide which queue it uses.', []],
    ['Open question: who may delete an order?', []],
    ['Should we keep the old endpoint?', []],
    ['Not sure yet whether guests may comment.', []],
    ['Retention period TBD', []],
    ['A key lives for TBD hours', []],
    ['The cache holds at most TBD entries', []],
    ['retry TBD times', []],
    ['tbd', []],
    ['At most N items (TODO: ask Ann)', []],
    ['The format is still open.', []],
    ['The price list is not yet final.', []],
    ['The limits will be defined later.', []],
    ['Colours: to be provided by design', []],
    ['Maximum size: ?', []],
    ['Locked after xx failed attempts', []],
    ['Clarify with legal how long data is kept', []],
    ['Cache: Redis or Memcached (TBD)', ['Redis', 'Memcached']],
  ])('%s', (text, choices) => {
    expect(inText(text)).toEqual([['undecided', ...choices]])
  })
})

describe('a mark that the work is about is not asked', () => {
  test.each([
    'Replace every TBD in the docs',
    'Ensure no TBD values remain',
    'Search for TBD entries and list them',
    'The connection is still open',
    'Lists TODO: comments',
    '- [ ] capability matrix populated (no TBD values)',
    'Grep for "TBD", "TODO" and "fill in"',
    'Flag TODO/TBD markers in specs',
    'The linter rejects `TBD` in a heading',
    'TBD markers are listed with their line',
    'Render "???" for unknown keys',
    'The status shows TBD.',
    'Mark the section as TBD.',
    'cells without a value print TBD',
    'empty cells are filled with TBD',
    'prints TBD for empty cells',
    'the status of a match without an opponent is TBD',
    'reports XXX markers with their line',
    'Rechnungen, die noch offen sind, werden gelistet',
    'users who have not been confirmed yet see a hint',
    'values that are not yet known are shown as a dash',
    'The order waits for the payment to be confirmed.',
    'The list of plugins to be defined by the user is empty by default',
    'Which fields are shown depends on the role.',
    'Is the response cached?',
    'Does it return null or throw?',
    'What happens when the token expires?',
  ])('%s', (text) => {
    expect(inText(text)).toEqual([])
    expect(inCriterion(text)).toEqual([])
  })
})

describe('a choice that the author leaves open is asked, with what there is to choose from', () => {
  test.each([
    ['Use either Redis or Memcached for the cache.', ['Redis', 'Memcached']],
    ['Store the sessions in either Redis or Postgres.', ['Redis', 'Postgres']],
    ['Either extend the old form or write a new one.', ['extend the old form', 'write a new one']],
    [
      'Update the page to either (a) link the guide, or (b) describe the order.',
      ['link the guide', 'describe the order'],
    ],
    ['We could use either webhooks or polling.', ['webhooks', 'polling']],
    ['Redis or Postgres?', ['Redis', 'Postgres']],
    ['Use PostgreSQL or MySQL.', ['PostgreSQL', 'MySQL']],
    ['Data is stored in either Redis or Postgres', ['Redis', 'Postgres']],
    ['Orders are kept in SQLite or Postgres', ['SQLite', 'Postgres']],
    ['the cache uses Redis or Memcached', ['Redis', 'Memcached']],
    ['Uses either Redis or Memcached', ['Redis', 'Memcached']],
    ['The worker uses either polling or webhooks.', ['polling', 'webhooks']],
    ['settings are stored as JSON or as CSV', ['JSON', 'CSV']],
    ['show a toast or a banner', ['a toast', 'a banner']],
    ['Should names use PascalCase or kebab-case?', ['PascalCase', 'kebab-case']],
    ['Cache: Redis or Memcached?', ['Redis', 'Memcached']],
    ['Store the token (cookie or header?)', ['cookie', 'header']],
    ['Decide between SQLite and Postgres for the store', ['SQLite', 'Postgres']],
    ['Decide whether to use REST or GraphQL', ['REST', 'GraphQL']],
  ])('%s', (text, choices) => {
    expect(inText(text)).toEqual([['alternatives', ...choices]])
  })
})

describe('behaviour with two cases is not asked', () => {
  test.each([
    'Accepts either a path or a URL',
    'Returns either the user or null.',
    'Accept either `--json` or `--yaml`.',
    'Fails if either the name or the id is missing.',
    'The result is either a number or an error.',
    'The xfail is investigated and either fixed or re-documented',
    'Atomic rename ensures either old or new state, never partial',
    'Verify that it uses either the cache or the store',
    'Use `npm` or `yarn` to install it',
    'Requests with one or more items are accepted',
    'Either flag enables it',
    'Use Tab or Enter.',
    'The client uses either the cache or the network, depending on its age',
    'The parser uses either quotes or backticks, whichever comes first',
    'A reader uses either mouse or keyboard',
    'Each box of a task is either checked or unchecked',
    'The list can be sorted by name or by price',
    'Data is stored in either Redis or Postgres, depending on the setting',
    'filter by Status and/or Owner',
    'a value is kept in Memory or Disk according to its size',
    'A user can pick either a colour or an image.',
    'Log either success or failure',
    'Tests added or updated?',
    'Users should be able to use either email or phone',
    'A guest signs in and can use either email or phone',
    'Allow callers to use either JSON or YAML',
  ])('%s', (text) => {
    expect(inText(text)).toEqual([])
    expect(inCriterion(text)).toEqual([])
  })
})

describe('a criterion that no check can decide is asked', () => {
  test.each([
    'The page is fast',
    'Search should be fast and user-friendly.',
    'The UI looks nice',
    'It should be nice',
    'The app feels snappy on all devices',
    'Good performance',
    'The settings page is intuitive and easy to use',
    'The import works well',
    'Pages load quickly',
    'User-friendly interface',
  ])('%s', (text) => {
    expect(inCriterion(text)).toEqual([['unmeasurable']])
  })

  test.each([
    'The page loads in under 200 ms',
    'Search is faster than before',
    'Fast path is used on a cache hit',
    '`npm test` is fast',
    'Works well with screen readers',
    'The code is well-tested',
    'The working tree is clean',
    'Errors are logged',
    'lookup is O(1)',
    'The layout is responsive',
    'Returns 404 for unknown ids',
    'No test is slow',
    'Smooth scrolling is enabled',
    'All tests pass',
    'The quick filter is shown',
    'it works',
  ])('and one that can be checked is not: %s', (text) => {
    expect(inCriterion(text)).toEqual([])
  })

  test.each([
    'The first page loads in a reasonable time',
    'High performance',
    'The app has low memory usage',
    'Performance is improved',
    'Improves the usability of the form',
    'The form should not take too long',
    'The page scrolls without noticeable lag',
    'Errors are handled properly',
    'Reports are easy to read',
    'The import is faster',
    'Supports many users',
    'The list looks good on mobile',
    'Follows best practices',
  ])('%s', (text) => {
    expect(inCriterion(text)).toEqual([['unmeasurable']])
  })

  test.each([
    'export to PDF if possible',
    'the list is cached, maybe for an hour',
    'uses Redis or something similar',
    'it could also send a mail',
  ])('a criterion that leaves open whether it holds is asked: %s', (text) => {
    expect(inCriterion(text)).toEqual([['undecided']])
  })

  test.each([
    'uses HTTP/2 if possible, else HTTP/1.1',
    'Maybe.of(undefined) is Nothing',
    'a value that could also be a date is kept as text',
    'the session cookie is secure',
    'a name that is too long is rejected',
    'Error messages are clear and actionable',
    'Handles missing files gracefully',
    'Circular dependencies are detected with a clear error message',
    'Pages change without noticeable delay (under 500 ms)',
    'shows the fast lane',
    'the sort is stable',
  ])('and what says when it holds is not: %s', (text) => {
    expect(inCriterion(text)).toEqual([])
  })

  test('the title is asked about where it is the whole task', () => {
    const only = { title: 'Make search faster', inferred: ['acceptance_criteria'] } as const
    expect(found({ ...only, description: '' }).map(({ kind }) => kind)).toEqual(['unmeasurable'])
    expect(found({ ...only, description: 'Cache the index in memory; drop the join.' })).toEqual([])
  })

  test('inferred criteria are not judged', () => {
    expect(found({ acceptanceCriteria: ['The page is fast'], inferred: ['acceptance_criteria'] })).toEqual([])
  })
})

describe('statements that exclude each other are asked', () => {
  test('one negates the other', () => {
    const acceptanceCriteria = ['Passwords are stored in the log', 'Passwords must not be stored in the log']
    expect(found({ acceptanceCriteria })).toEqual([
      { kind: 'contradiction', words: acceptanceCriteria.join(' / '), line: 1, choices: acceptanceCriteria },
    ])
  })

  test('they set different limits', () => {
    const acceptanceCriteria = ['The token expires after 15 minutes', 'The token expires after 1 hour']
    expect(found({ acceptanceCriteria }).map(({ kind }) => kind)).toEqual(['contradiction'])
  })

  test.each([
    ['User names are case-sensitive', 'User names are case-insensitive'],
    ['Orders are sorted by date, ascending', 'Orders are sorted by date, descending'],
    ['The phone number is required', 'The phone number is optional'],
    ['Only admins can delete posts', 'Every user can delete posts'],
    ['At most 5 items are shown', 'At least 10 items are shown'],
    ['An unknown id answers 404', 'An unknown id answers 400'],
    ['Entries are never deleted', 'Entries are deleted after 90 days'],
    ['Logs are kept for ever', 'Logs are removed after 30 days'],
    ['No login is needed to read posts', 'A login is needed to read posts'],
    ['The limit is 10 items', 'The limit is 20 items'],
    ['Default is 20', 'Default is 25'],
    ['The timeout is 30 s', 'The timeout is 2 min'],
    ['At most 3 attempts', 'At most 10 attempts'],
    ['The import needs a header', 'The import needs no header'],
  ])('%s, %s', (one, other) => {
    expect(found({ acceptanceCriteria: [one, other] }).map(({ kind }) => kind)).toEqual(['contradiction'])
  })

  test('a criterion contradicts a constraint of the plan', () => {
    const acceptanceCriteria = ['The server stores session data on disk']
    expect(found({ acceptanceCriteria }, ['The server never stores session data on disk'])).toHaveLength(1)
  })

  test('a non-goal forbids a file that the task changes', () => {
    const files = { create: [], modify: ['src/api.ts'], delete: [] }
    expect(found({ files, nonGoals: ['Do not change `src/api.ts`'] }).map(({ kind }) => kind)).toEqual([
      'contradiction',
    ])
    expect(found({ files, nonGoals: ['Do not change the public API of src/api.ts'] })).toEqual([])
  })

  test.each([
    [['add(1, 2) returns 3', 'add(2, 2) returns 4']],
    [['fizz(3) returns Fizz', 'fizz(6) returns Fizz']],
    [['Guests can read posts', 'Guests cannot write posts']],
    [['It retries at most 3 times', 'It waits at most 10 seconds']],
    [['Returns 404 for unknown ids', 'Returns 400 for malformed ids']],
    [['The default is 10 for lists', 'The default is 20 for search']],
    [['It is shown', 'It is not shown when empty']],
    [['The list can be sorted ascending', 'The list can be sorted descending']],
    [['It retries after 1 second', 'It retries after 2 seconds', 'It retries after 4 seconds']],
    [['At least 2 items are shown', 'At most 10 items are shown']],
    [['The list is sorted by name', 'The list is sorted by price']],
    [['Sort by name', 'Sort by price']],
    [['The token expires after 60 minutes', 'The token expires after 1 hour']],
    [['Up to 5 files', 'Up to 10 MB']],
    [['Up to 5 s', 'Up to 10 s']],
    [['The limit is 10 for guests', 'The limit is 100 for members']],
    [['The cart shows items', 'The cart shows no items when it is empty']],
    [['The report has no total', 'The report has a total per month']],
  ])('two rules beside each other are not: %s', (acceptanceCriteria) => {
    expect(found({ acceptanceCriteria })).toEqual([])
  })
})

test('the same words are asked about once, and no task asks more than twelve times', () => {
  expect(found({ description: 'Store: TBD\nStore: TBD', acceptanceCriteria: ['Store: TBD'] })).toHaveLength(1)
  const many = Array.from({ length: 40 }, (_, at) => `Value ${at}: TBD`).join('\n')
  expect(found({ description: many })).toHaveLength(12)
})

test('code, quotations, tables and comments are not read', () => {
  const description = '```\nstore: TBD\n```\n> Database: TBD\n| Store | TBD |\n<!-- TBD: later -->\n`x: TBD`'
  expect(found({ description })).toEqual([])
})

test('long and hostile text is read in bounded time', () => {
  const description = `${'either '.repeat(20_000)}\n${'a or '.repeat(20_000)}?\n${'('.repeat(50_000)}TBD`
  expect(found({ description, acceptanceCriteria: ['is very '.repeat(5000)] }).length).toBeLessThan(3)
})

test('a question has the line of its words in the plan, else that of its task', () => {
  const text =
    '# Plan\n\n### Task 1: Add it\n\nSome text.\n\n- **Store:** TBD\n\n### Task 2: Use it\n\n- Store: TBD\n'
  const task = aTask('1', { line: 3, description: 'Some text.\n\n- **Store:** TBD' })
  const tasks = [
    { ...task, questions: questionsOf(task) },
    aTask('2', {
      line: 9,
      questions: [{ kind: 'undecided', words: 'not in the text', line: 9, choices: [] }],
    }),
  ]
  const located = withQuestionLines({ tasks } as unknown as Plan, text)
  expect(located.tasks.map(({ questions }) => questions?.[0]?.line)).toEqual([7, 9])
})

describe('vague words and pairs that people overlook', () => {
  test.each([
    'Proper messages are logged',
    'Suitable icons are shown.',
    'The job logs a suitable message',
    'The form shows proper hints.',
  ])('no check can decide: %s', (criterion) => {
    expect(inCriterion(criterion)).toEqual([['unmeasurable']])
  })

  test.each([
    'A proper subset is rejected',
    'Proper names are capitalised',
    'The suitable size is 40 px',
    'Returns a proper fraction, for example 1/2',
  ])('is left alone: %s', (criterion) => {
    expect(inCriterion(criterion)).toEqual([])
  })

  const pairs = (...acceptanceCriteria: readonly string[]) =>
    found({ acceptanceCriteria }).filter(({ kind }) => kind === 'contradiction').length

  test.each([
    ['The report page is visible to everyone', 'Only managers can see the report page'],
    ['The export is available to all users', 'Only the owner may use the export.'],
    ['It must not use cookies', 'The session id is stored in a cookie'],
    ['It never uses local-storage', 'The theme is kept in local-storage'],
    ['The parser must not use regex', 'The parser uses a regex'],
  ])('contradict each other: %s / %s', (one, other) => {
    expect(pairs(one, other)).toBe(1)
  })

  test.each([
    ['The report page is visible to everyone', 'Only managers can edit the report page'],
    ['It must not use cookies', 'It does not store the id in a cookie'],
    ['It must not use cookies', 'A banner explains cookies'],
    ['The parser must not use regex', 'The tokenizer uses a regex'],
    ['It must not use threads', 'The log names the thread of each line'],
    ['Workers never need passwords', 'The form rejects a password of 3 letters'],
  ])('go together: %s / %s', (one, other) => {
    expect(pairs(one, other)).toBe(0)
  })
})
