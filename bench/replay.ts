/**
 * Real commits of any local repository, replayed as plans that a person would write: `node bench/replay.ts PATH SHA…`.
 * The agent applies the commit's own patch and the reviewer approves, so whatever does not land is Bosun's doing. Each
 * commit is also tried without Bosun: those whose suite is red then are listed, and left out of the share.
 *
 * `--chain`: all commits as one plan. `--tier low`, `--setup`, `--test`, `--lint`, `--typecheck`, `--build` (`none` for
 * none) set what a person would have to. `--from FILE`: `PATH SHA… [options]` a line. `--record FILE` appends each
 * result as a line of JSON and skips what is in it. `--keep FOLDER` keeps the evidence of what did not land.
 * `--limit SECONDS` (600) for each command, `--at-once N` (1).
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { median, report, round } from './lib/measure.ts'
import { readCall, readList, type Wanted } from './lib/replay/list.ts'
import { replay, type Replayed } from './lib/replay/replayed.ts'

/** Of the commits whose own suite is green. */
const SHARE = 0.95
/** A plan of one task may take this many times its suite, and these seconds, and one set-up. */
const TIMES_SUITE = 2.5
const EXTRA_SECONDS = 5

const call = readCall(process.argv.slice(2))
const wanted = [...call.wanted, ...(call.list === null ? [] : readList(readFileSync(call.list, 'utf8')))]
if (wanted.length === 0) {
  console.error('replay: name a repository and its commits: node bench/replay.ts PATH SHA… [--json]')
  process.exit(2)
}

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())

const done: Replayed[] = call.record === null ? [] : recorded(call.record)
const open = wanted.filter((one) => !done.some((result) => isOf(result, one)))
await Promise.all(Array.from({ length: call.atOnce }, work))
show(done.filter((result) => wanted.some((one) => isOf(result, one))))

async function work(): Promise<void> {
  for (let next = open.shift(); next !== undefined && !ending.signal.aborted; next = open.shift()) {
    const { repository, commits } = next
    try {
      const result = await replay(next, { ...call, signal: ending.signal })
      done.push(result)
      if (call.record !== null) appendFileSync(call.record, `${JSON.stringify(result)}\n`)
      console.error(`${nameOf(repository)} ${short(commits)} ${result.outcome}: ${result.cause ?? ''}`)
    } catch (error) {
      console.error(`${nameOf(repository)} ${short(commits)} not replayed: ${String(error)}`)
      process.exitCode = 1
    }
  }
}

function recorded(file: string): Replayed[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Replayed)
}

function isOf({ repository, commits }: Replayed, wanted: Wanted): boolean {
  const isSame = commits.every((sha, at) => sha.startsWith(wanted.commits[at] ?? '-'))
  return repository === nameOf(wanted.repository) && commits.length === wanted.commits.length && isSame
}

function show(results: readonly Replayed[]): void {
  const rows = results.map((result) => ({
    repository: result.repository,
    sha: short(result.commits),
    outcome: result.outcome,
    attempts: result.attempts,
    'own suite': result.bare.suite,
    seconds: result.seconds,
    suite: result.bare.suite_seconds,
    ratio: ratioOf(result),
    'suite runs': result.suite_runs,
    'set-up': result.bare.setup_seconds,
    'set-ups': result.setup_runs,
    cause: (result.cause ?? '').slice(0, 120),
  }))
  const names = [...new Set(results.map(({ repository }) => repository))]
  console.table(names.map((name) => summaryOf(name, results)))
  const green = results.filter(({ bare }) => bare.suite === 'green')
  const landed = green.filter(({ outcome }) => outcome === 'landed')
  const share = landed.length / Math.max(green.length, 1)
  const single = landed.filter(({ commits }) => commits.length === 1)
  const times = median(single.map(timesSuite))
  const ok = share >= SHARE && (single.length === 0 || times <= TIMES_SUITE)
  report('replay', rows, {
    ok,
    commits: results.length,
    green: green.length,
    landed: landed.length,
    share: round(share, 3),
    times_suite: round(times),
  })
  console.log(
    `${landed.length} of ${green.length} whose own suite is green landed at the first attempt (mark ${SHARE}); ` +
      `a plan of one task takes ${round(times)} × its suite beside ${EXTRA_SECONDS} s and one set-up (mark ${TIMES_SUITE})`,
  )
  if (!ok) process.exitCode = 1
}

function summaryOf(name: string, results: readonly Replayed[]) {
  const own = results.filter(({ repository }) => repository === name)
  const green = own.filter(({ bare }) => bare.suite === 'green')
  const count = (...outcomes: readonly string[]): number =>
    green.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    repository: name,
    commits: own.length,
    green: green.length,
    landed: count('landed'),
    later: count('landed later'),
    asked: count('asked'),
    waiting: count('waiting'),
    refused: count('refused'),
    other: count('taken as existing', 'not started', 'out of time'),
    'median ratio': round(median(green.map(ratioOf)), 1),
  }
}

function nameOf(path: string): string {
  return basename(path).replace(/\.git$/, '')
}

function short(commits: readonly string[]): string {
  return commits.map((sha) => sha.slice(0, 8)).join(' ')
}

function ratioOf({ seconds, bare }: Replayed): number {
  return round(seconds / Math.max(bare.suite_seconds, 0.1), 1)
}

function timesSuite({ seconds, bare }: Replayed): number {
  return (seconds - EXTRA_SECONDS - bare.setup_seconds) / Math.max(bare.suite_seconds, 0.1)
}
