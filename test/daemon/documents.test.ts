/** What commands print with `--json`, each against its own row of the table of documents. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentName } from '../helpers/documents/documents.ts'
import { documentProblems, objectsIn } from '../helpers/json-documents.ts'
import { ended } from '../delivery/lab.ts'
import { Home, printed } from './program.ts'

let home: Home
beforeAll(async () => {
  home = new Home({ SCRIPT: 'endless' })
  const run = home.spawn(['run', 'shop-plan.md'])
  const over = ended(run)
  await printed(run, 'stdout', /dispatched/)
  run.kill('SIGINT')
  await over
})
afterAll(() => home.dispose())

/** In this order: the later ones change something. */
const CALLS: readonly (readonly [DocumentName, string])[] = [
  ['status', 'status'],
  ['status', 'status --progress'],
  ['inbox', 'inbox'],
  ['inbox --remembered', 'inbox --remembered'],
  ['log', 'log'],
  ['worker list', 'worker list'],
  ['worker show', 'worker show w-shop-1-1'],
  ['task show', 'task show 1'],
  ['overview', ''],
  ['crew', 'crew'],
  ['doctor', 'doctor --quick'],
  ['plan', 'plan shop-plan.md'],
  ['simulate', 'simulate shop-plan.md --faults all'],
  ['spec check', 'spec check shop-plan.md'],
  ['open --print', 'open --print'],
  ['open --revoke', 'open --revoke'],
  ['service install --print', 'service install --print'],
  ['service status', 'service status'],
  ['export', 'export log.jsonl'],
  ['clean', 'clean'],
  ['help', '--help'],
  ['version', '--version'],
  ['mcp', 'mcp'],
  ['error', 'worker show w-none'],
  ['worker instruct', 'worker instruct w-shop-1-1 faster'],
  ['worker nudge', 'worker nudge w-shop-1-1'],
  ['worker extend', 'worker extend w-shop-1-1 --minutes 5'],
  ['pause', 'pause shop'],
  ['resume', 'resume shop'],
  ['worker kill', 'worker kill w-shop-1-1'],
]
const READING: ReadonlySet<DocumentName> = new Set([
  'status',
  'inbox',
  'log',
  'worker list',
  'worker show',
  'task show',
  'overview',
])

async function problemsOf(name: DocumentName, line: string): Promise<readonly string[]> {
  const words = line.split(' ').filter((word) => word !== '')
  const { stdout } = await home.run([...words, '--json'])
  const [document, ...more] = objectsIn(stdout)
  return [...documentProblems(document, [name]), ...more.map(() => 'more than one document')]
}

test.each(CALLS)('%s: bosun %s prints what its schema says', async (name, line) => {
  expect(await problemsOf(name, line)).toEqual([])
})

test('commands that read print the same documents without a daemon', async () => {
  const { stdout } = await home.run(['stop', '--json'])
  expect(documentProblems(JSON.parse(stdout), ['stop'])).toEqual([])
  for (const [name, line] of CALLS.filter(([one]) => READING.has(one)))
    expect(await problemsOf(name, line), line).toEqual([])
})

test('commands that change something without a daemon print their documents', async () => {
  const changes: readonly (readonly [DocumentName, string])[] = [
    ['import', 'import log.jsonl'],
    ['cancel', 'cancel shop'],
  ]
  for (const [name, line] of changes) expect(await problemsOf(name, line), line).toEqual([])
})

/** Interrupts a call that goes on once its first line is there. */
async function linesUntilInterrupted(line: string): Promise<readonly unknown[]> {
  const child = home.spawn([...line.split(' '), '--json'])
  const over = ended(child)
  await printed(child, 'stdout', /^\{/)
  child.kill('SIGINT')
  return objectsIn((await over).stdout)
}

test('commands that go on print a line per object, and how they ended last', async () => {
  const served = await linesUntilInterrupted('serve')
  expect(served.slice(0, -1).flatMap((one) => documentProblems(one, ['serve line']))).toEqual([])
  expect(documentProblems(served.at(-1), ['serve'])).toEqual([])
  const followed = await linesUntilInterrupted('log --follow')
  expect(followed.slice(0, -1).flatMap((one) => documentProblems(one, ['log --follow line']))).toEqual([])
  expect(documentProblems(followed.at(-1), ['log --follow'])).toEqual([])
  expect([served.length > 1, followed.length > 1]).toEqual([true, true])
})

test('what a person decides, and what comes of a plan, are documents too', async () => {
  const red = new Home({ SCRIPT: 'red' })
  try {
    const { stdout } = await red.run(['run', 'shop-plan.md', '--no-input', '--json'])
    const lines = objectsIn(stdout)
    expect(lines.slice(0, -1).flatMap((one) => documentProblems(one, ['run line']))).toEqual([])
    expect(documentProblems(lines.at(-1), ['run'])).toEqual([])
    const calls: readonly (readonly [DocumentName, readonly string[]])[] = [
      ['inbox ID', ['inbox', 'E-1']],
      ['error', ['release', 'show', 'shop']],
      ['answer', ['answer', 'E-1', 'pause']],
    ]
    for (const [name, words] of calls) {
      const [document] = objectsIn((await red.run([...words, '--json'])).stdout)
      expect(documentProblems(document, [name]), words.join(' ')).toEqual([])
    }
  } finally {
    await red.dispose()
  }
})
