/** Real commits of a small repository, replayed by the real program. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { Replayed } from '../../bench/lib/replay/replayed.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const BENCH = join(import.meta.dirname, '../../bench/replay.ts')
const folder = tempFolder('replay-test')
const repository = join(folder, 'sums')

/** Each file of tests/ is a test: it passes where it exits with 0. */
const RUNNER = `#!/bin/bash
n=0; failed=0
for file in tests/*.sh; do
  n=$((n+1))
  if bash "$file"; then echo "ok $n - $file"; else echo "not ok $n - $file"; failed=1; fi
done
echo "1..$n"
exit $failed
`

beforeAll(() => {
  mkdirSync(repository)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ann')
  git('config', 'user.email', 'ann@example.org')
  commit('Start', {
    'run-tests.sh': RUNNER,
    'lib/sum.sh': 'sum() { echo $(($1 + $2)); }\n',
    'tests/sum.sh': '. lib/sum.sh\n[ "$(sum 1 2)" = 3 ]\n',
    '.gitattributes': 'tests/sum.sh export-ignore\n',
  })
  commit('feat: add product\n\nIt multiplies two numbers.', {
    'lib/product.sh': 'product() { echo $(($1 * $2)); }\n',
    'tests/product.sh': '. lib/product.sh\n[ "$(product 2 3)" = 6 ]\n',
  })
  const parts = Array.from({ length: 20 }, (_, at) => [`lib/part-${at}.sh`, `part_${at}() { echo ${at}; }\n`])
  commit('Add twenty parts', Object.fromEntries(parts) as Record<string, string>)
  commit('Break the sum', { 'lib/sum.sh': 'sum() { echo $(($1 - $2)); }\n' })
})

it('a replay lands what a real commit did, and tells a commit whose own suite is red apart', async () => {
  const [good, bad] = [git('rev-parse', '--short', 'HEAD~2'), git('rev-parse', '--short', 'HEAD')]
  const record = join(folder, 'record.jsonl')
  const keep = join(folder, 'kept')
  const test = ['--test', 'bash run-tests.sh', '--record', record, '--keep', keep]
  const printed = await bench(repository, good, bad, '--at-once', '2', '--json', ...test)
  const results = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed)

  const landed = results.find(({ commits }) => commits[0]?.startsWith(good))
  expect(landed).toMatchObject({ repository: 'sums', outcome: 'landed', attempts: 1, cause: null })
  expect(landed?.bare).toMatchObject({ suite: 'green', setup_seconds: 0 })
  expect(landed?.suite_runs).toBeGreaterThan(0)

  const refused = results.find(({ commits }) => commits[0]?.startsWith(bad))
  expect(refused?.bare.suite).toBe('red')
  expect(refused?.outcome).toBe('refused')
  expect(refused?.cause).toContain('unit: ')
  expect(existsSync(join(keep, `sums-${refused?.commits[0]?.slice(0, 8)}`, 'log.jsonl'))).toBe(true)

  const summary = JSON.parse(printed.split('\n').findLast((line) => line.startsWith('{')) ?? '{}') as object
  expect(summary).toMatchObject({ bench: 'replay', commits: 2, green: 1, landed: 1, share: 1 })
  // The repository itself is only read.
  expect(git('status', '--short')).toBe('')
  expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
})

it('a commit with more files than one task may have lands in parts', async () => {
  const record = join(folder, 'parts.jsonl')
  await bench(repository, git('rev-parse', 'HEAD~1'), '--test', 'bash run-tests.sh', '--record', record)
  expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({
    outcome: 'landed',
    attempts: 1,
    cause: null,
  })
})

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trimEnd()
}

function commit(message: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
    if (text.startsWith('#!')) chmodSync(join(repository, path), 0o755)
  }
  git('add', '-A')
  git('commit', '-qm', message)
}

/** What it prints; a missed mark is no error here. */
const bench = (...args: readonly string[]): Promise<string> =>
  new Promise((resolve) =>
    execFile(process.execPath, [BENCH, ...args], { encoding: 'utf8' }, (_, stdout) => resolve(stdout)),
  )
