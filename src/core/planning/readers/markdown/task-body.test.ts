import { describe, expect, test } from 'vitest'
import { readLines } from './lines.ts'
import { MAX_DESCRIPTION_CHARS, readTaskBody } from './task-body.ts'

const read = (text: string) => readTaskBody('7', readLines(text).lines)
const steps = (text: string) => read(text).fields.steps.map((step) => step.title)

test('items below a line of files that name no file belong to the task', () => {
  const { fields } = read('**Files:** Modify: `a.ts`\n\n- Zero is kept\n- `b.ts` stays as it is')
  expect(fields.files?.modify).toEqual(['a.ts'])
  expect(fields.description).toBe('- Zero is kept\n- `b.ts` stays as it is')
})

describe('steps', () => {
  test.each([
    ['**Step 1: Write it**', 'Write it'],
    ['- [ ] **Step 1: Write it** — in `a.ts`:', 'Write it — in `a.ts`'],
    ['- [x] **Step 2:** Write it', 'Write it'],
    ['#### Step 3: Write it', 'Write it'],
    ['Step 4. Write it', 'Write it'],
    ['**Step 1a: Write it**', 'Write it'],
    ['- [ ] Write it', 'Write it'],
    ['1. Write it', 'Write it'],
    ['**Check:** it stands', 'Check: it stands'],
  ])('%s', (text, title) => {
    expect(steps(text)).toEqual([title])
  })

  test('a numbered list inside a step is prose', () => {
    expect(steps('**Step 1: A**\n\nFor each:\n1. x\n2. y')).toEqual(['A'])
  })

  test('a red step expects its command to fail', () => {
    const [red, green] = read(
      '**Step 1: A**\nRun: `npm test`\nExpected: FAIL\n**Step 2: B**\n```bash\nnpm test\n```\n\nExpected: PASS',
    ).fields.steps
    expect(red?.runs).toEqual([{ line: 2, command: 'npm test', expects: 'fail', expected: 'FAIL' }])
    expect(green?.runs).toEqual([{ line: 6, command: 'npm test', expects: 'pass', expected: 'PASS' }])
  })

  test('a title can state the expected result', () => {
    expect(
      read('**Step 1: Run the tests to verify they fail**\n```bash\nnpm test\n```').fields.steps[0]?.runs,
    ).toMatchObject([{ expects: 'fail', expected: null }])
  })

  test('one Expected applies to all commands since the last one', () => {
    const runs = read('**Step 1: A**\nRun: `npm test`\nRun: `npm run lint`\nExpected: PASS\nRun: `npm run x`')
      .fields.steps[0]?.runs
    expect(runs?.map((run) => run.expects)).toEqual(['pass', 'pass', null])
  })

  test('a fence after an empty Expected is output, not a command', () => {
    const [step] = read('**Step 1: A**\nRun: `ls a`\nExpected:\n```bash\nnpm test\n```').fields.steps
    expect(step?.runs).toMatchObject([{ command: 'ls a', expected: 'npm test' }])
  })

  test('a fence without a language is run where every line calls a program', () => {
    const found = read(
      '**Step 1: A**\n```\nnpm test\n```\n**Step 2: B**\n```\nsrc/\n  a.ts\n```\n**Step 3: Commit**\n```\ngit add a.ts\ngit commit -m "feat: a"\n```',
    )
    expect(found.fields.steps.map(({ runs }) => runs.length)).toEqual([1, 0])
    expect(found.fields).toMatchObject({ commitSubject: 'feat: a', addedPaths: ['a.ts'] })
  })

  test('a script to write is not run', () => {
    expect(read('**Step 1: Create `run.sh`**\n```bash\nnpm start\n```').fields.steps[0]?.runs).toEqual([])
    expect(read('**Step 1: A**\n```sh\n#!/bin/sh\nnpm start\n```').fields.steps[0]?.runs).toEqual([])
  })

  test('a command outside steps is a step', () => {
    expect(read('Words.\n\n**Run:**\n\n```bash\nnpm test\n```').fields.steps).toMatchObject([
      { title: 'Run', runs: [{ command: 'npm test' }] },
    ])
    expect(read('```bash\nnpm test\n```').fields.steps).toMatchObject([{ title: 'Run `npm test`' }])
  })
})

describe('removal', () => {
  test('a commit step is removed, and its subject and paths are kept', () => {
    const { fields, removed } = read(
      '**Step 1: A**\nwork\n**Step 2: Commit**\n```bash\nnpm run lint\ngit add a.ts\ngit commit -m "feat: a"\n```',
    )
    expect(fields.steps.map((step) => step.title)).toEqual(['A'])
    expect(fields).toMatchObject({ commitSubject: 'feat: a', addedPaths: ['a.ts'] })
    expect(removed).toMatchObject([{ task: '7', line: 3, reason: expect.stringContaining('commits') }])
  })

  test('a mixed step loses only the forbidden command', () => {
    const { fields, removed } = read('**Step 1: Build**\n```bash\nnpm run build\ngit push\n```')
    expect(fields.steps).toMatchObject([{ title: 'Build', runs: [{ command: 'npm run build' }] }])
    expect(removed).toMatchObject([{ line: 4, text: 'git push' }])
  })

  test('a step with only forbidden commands is removed', () => {
    const { fields, removed } = read('Words.\n**Step 1: Make a folder**\n```bash\nmkdir -p /tmp/x\n```')
    expect(fields.steps).toEqual([])
    expect(fields.description).toBe('Words.')
    expect(removed).toMatchObject([{ line: 2, text: 'Make a folder\nmkdir -p /tmp/x' }])
  })

  test('a step is removed for its title alone', () => {
    expect(read('- [ ] Write it\n- [ ] Commit any lint changes.')).toMatchObject({
      fields: { steps: [{ title: 'Write it' }] },
      removed: [{ text: 'Commit any lint changes.' }],
    })
  })

  test('git commands that only read are kept', () => {
    expect(read('**Step 1: Look**\nRun: `git status`').removed).toEqual([])
  })

  test('files outside the repository are dropped and reported with their line', () => {
    const { fields, removed } = read('**Files:**\n- Create: `a.ts`\n- Modify: `~/.bashrc`')
    expect(fields.files).toMatchObject({ create: ['a.ts'], modify: [] })
    expect(removed).toMatchObject([{ line: 3, text: 'modify ~/.bashrc' }])
  })

  test('a task without remaining work is reported', () => {
    expect(read('- [ ] Push to origin').notes).toMatchObject([
      { message: expect.stringContaining('has no work left') },
    ])
  })
})

describe('fields', () => {
  test('a field ends with the paragraph after its list', () => {
    const { fields } = read('**Acceptance criteria:**\n- a\n- b\n\nMore words.')
    expect(fields.acceptanceCriteria).toEqual(['a', 'b'])
    expect(fields.description).toBe('More words.')
  })

  test('criteria with boxes are criteria, not steps', () => {
    const { fields } = read('**Acceptance criteria:**\n- [x] a\n- [x] b')
    expect(fields).toMatchObject({ acceptanceCriteria: ['a', 'b'], steps: [] })
  })

  test('an unreadable value is reported, not guessed', () => {
    const { fields, notes } = read(
      'Tier: purple\nTime budget: soon\nSecurity flags: auth, magic\nDepends on: the moon',
    )
    expect(fields).toMatchObject({
      tier: undefined,
      timeBudgetMs: undefined,
      securityFlags: ['auth'],
      dependsOn: undefined,
    })
    expect(notes).toHaveLength(4)
  })

  test('labels on one line and on adjacent lines are separate fields', () => {
    const { fields } = read(
      '**Tier:** low | **Layer:** core · **Depends on:** 1\n**Ownership:** src/a\n**Estimate:** 2h',
    )
    expect(fields).toMatchObject({
      tier: 'low',
      layer: 'core',
      dependsOn: { ids: ['1'] },
      ownership: 'src/a',
      description: '**Estimate:** 2h',
    })
    expect(read('Ownership: src/a\nEstimate: 2h').fields.ownership).toBe('src/a')
  })

  test('a label that begins a sentence stays prose', () => {
    const text =
      '**Risk:** the table could lock\n\n**Security:** tokens are hashed\n\n**Update:** we agreed on this'
    expect(read(text)).toMatchObject({
      fields: {
        tier: undefined,
        securityFlags: undefined,
        files: undefined,
        description: text.replaceAll('\n\n', '\n'),
      },
      notes: [],
    })
  })

  test('commands to run may be in a fence', () => {
    expect(read('**Tests to run:**\n```bash\nnpm test\ngit push\n```')).toMatchObject({
      fields: { testsToRun: ['npm test'] },
      removed: [{ text: 'git push' }],
    })
  })

  test('a missing field is absent, Files: none is an empty list', () => {
    expect(read('Words.').fields).toMatchObject({
      files: undefined,
      dependsOn: undefined,
      acceptanceCriteria: undefined,
    })
    expect(read('**Files:** none').fields.files).toEqual({
      create: [],
      modify: [],
      delete: [],
      test: [],
      read: [],
    })
  })
})

test('the description has prose and titles, no code, and a limit', () => {
  expect(read('Words.\n\n```js\ncode\n```\n**Step 1: A**\nmore').fields.description).toBe('Words.\n- A\nmore')
  const long = read('word '.repeat(10) + '\n\n'.concat('x '.repeat(100).concat('\n\n').repeat(200)))
  expect(long.fields.description).toHaveLength(MAX_DESCRIPTION_CHARS)
  expect(long.notes).toMatchObject([{ message: expect.stringContaining('was cut') }])
})

describe('files without a label', () => {
  test('are read from items that name an action and paths, and the items below them are not', () => {
    const { fields } = read(
      '- Create: src/a.ts\n- Modify: `b.ts`, src/c.ts\n- Test: test/a.test.ts\n- a is 1',
    )
    expect(fields.files).toMatchObject({
      create: ['src/a.ts'],
      modify: ['src/c.ts', 'b.ts'],
      test: ['test/a.test.ts'],
    })
    expect(fields).toMatchObject({ description: '- a is 1', steps: [] })
  })

  test.each([
    ['- Create: a new user in the database', 'a sentence'],
    ['**Acceptance criteria:**\n- Create: src/a.ts', 'another field'],
    ['**Step 1: A**\n- Create: src/a.ts', 'a step'],
  ])('are not read from %j, which is %s', (text) => {
    expect(read(text).fields.files).toBeUndefined()
  })
})
