import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MANDATORY_GATES } from '../../src/core/planning/gates.ts'
import { aBench, aRequest, aSpec, BASE, NODE_TEST, OLD_TEST, WORK } from './gate-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const quiet = new AbortController().signal
/** A test command that does one thing, in the words of `sh`. */
const saying = (
  script: string,
  more: Record<string, string> = {},
  overrides: Parameters<typeof aBench>[1] = {},
) =>
  aBench(
    { base: { ...BASE, ...more }, tree: { ...WORK, ...more } },
    { environment: { test: script }, ...overrides },
  )

describe('honest work passes', () => {
  test('every gate that is asked for answers once, in that order', async () => {
    const { runner, trees } = aBench()
    const gates = ['unit', ...MANDATORY_GATES, 'integrity', 'build'] as const
    const verdicts = await runner.run(aRequest({ gates }), quiet)
    expect(verdicts.map(({ gate, outcome }) => `${gate}: ${outcome}`)).toEqual([
      'unit: passed',
      'plan_alignment: passed',
      'tests_to_add: passed',
      'tests_to_run: passed',
      'lint_typecheck: not_applicable',
      'no_orphan_todo: passed',
      'review_note: passed',
      'integrity: passed',
      'build: not_applicable',
    ])
    expect(trees.open.size).toBe(0)
  })

  test('evidence names command, tree, exit, counts and where the whole output is', async () => {
    const { gate, evidenceDir } = aBench()
    const { evidence, summary } = await gate('unit')
    expect(summary).toBe('3 of 3 tests passed')
    const [run] = evidence.runs
    expect(run).toMatchObject({
      tree: 'tree',
      on: 'tree',
      ending: { kind: 'exited', code: 0 },
      counts: { run: 3, passed: 3, failed: 0, skipped: 0 },
    })
    const stored = readFileSync(join(evidenceDir, run?.storedAt ?? ''))
    expect(createHash('sha256').update(stored).digest('hex')).toBe(run?.outputSha256)
  })

  test('new tests are shown to be red on the base', async () => {
    const { summary, evidence } = await aBench().gate('tests_to_add')
    expect(summary).toBe('1 test file present and passing; red on the base')
    expect(evidence.runs.map(({ on, tree }) => `${on} ${tree}`)).toEqual([
      'tree tree',
      'tree tree',
      'base base',
    ])
  })

  test('the suite of a base is run once for all that start from it', async () => {
    const { runner, trees } = aBench()
    await runner.run(aRequest(), quiet)
    await runner.run(aRequest(), quiet)
    expect(trees.given.filter(({ purpose }) => purpose === 'base')).toHaveLength(1)
  })
})

describe('commands that misbehave have a defined outcome', () => {
  test('one that prints PASS and exits 1 fails', async () => {
    expect(await saying('echo PASS; exit 1').gate('unit')).toMatchObject({ outcome: 'failed' })
  })

  test('one that exits 0 and runs nothing is inconclusive', async () => {
    expect(await saying('exit 0').gate('unit')).toMatchObject({ outcome: 'inconclusive' })
    expect(await saying('echo all tests passed').gate('unit')).toMatchObject({ outcome: 'inconclusive' })
  })

  test('a runner that finds no tests fails', async () => {
    const { outcome, summary } = await saying("printf 'TAP version 13\\n1..0\\n'").gate('unit')
    expect([outcome, summary]).toEqual(['failed', 'no tests ran'])
  })

  test('tests that pass with an exit code of 3 fail', async () => {
    const { outcome } = await saying("printf 'TAP version 13\\n1..1\\nok 1 - a\\n'; exit 3").gate('unit')
    expect(outcome).toBe('failed')
  })

  test('one that hangs is ended and inconclusive', async () => {
    const bench = aBench(undefined, { environment: { test: 'echo started; sleep 1000' }, timeoutMs: 300 })
    const { outcome, evidence } = await bench.gate('unit')
    expect(outcome).toBe('inconclusive')
    expect(evidence.runs).toMatchObject([{ ending: { kind: 'timed_out' }, keyLines: ['started'] }])
    expect(bench.trees.open.size).toBe(0)
  })

  test('one that is killed is inconclusive', async () => {
    const { evidence, outcome } = await saying('kill -9 $$').gate('unit')
    expect(outcome).toBe('inconclusive')
    expect(evidence.runs).toMatchObject([{ ending: { kind: 'signalled', signal: 'SIGKILL' } }])
  })

  test('one that the machine lets start no more processes is inconclusive, not failed code', async () => {
    const { outcome, summary, evidence } = await saying('echo "sh: 1: Cannot fork" >&2; exit 2').gate('unit')
    expect(outcome).toBe('inconclusive')
    expect(summary).toContain('sh: 1: Cannot fork')
    expect(evidence.runs).toMatchObject([{ ending: { kind: 'not_started' } }])
  })

  test('a missing one is inconclusive', async () => {
    expect(await saying('no-such-program-anywhere').gate('unit')).toMatchObject({ outcome: 'inconclusive' })
    const list = aBench(undefined, { environment: { test: ['no-such-program-anywhere'] } })
    expect(await list.gate('unit')).toMatchObject({
      outcome: 'inconclusive',
      evidence: { runs: [{ ending: { kind: 'not_started' } }] },
    })
  })

  test('children that are left behind do not outlive the gate', async () => {
    const left = join(tempFolder('left'), 'pipe')
    execFileSync('mkfifo', [left])
    // Reading the pipe ends when its last writer has exited. It is opened before any process is left behind.
    const ended = readFile(left, 'utf8')
    // Opened for both, since runs after the first one find no reader.
    const { outcome } = await saying(
      `exec 9<> ${left}; sleep 1000 > /dev/null 2>&1 < /dev/null & exit 1`,
    ).gate('unit')
    expect(outcome).toBe('failed')
    await ended
  })

  test('escape sequences never reach the evidence', async () => {
    const { evidence } = await saying("printf '\\033[31mfailed\\033[0m \\033]0;title\\007\\n'; exit 1").gate(
      'unit',
    )
    expect(evidence.runs[0]?.keyLines).toEqual(['failed'])
  })
})

describe('cheats do not pass', () => {
  const broken = { 'src/slug.mjs': 'export const slugify = () => "x"\n' }

  describe('an existing test in a file that the contract names', () => {
    const spec = aSpec({
      files: { create: ['src/slug.mjs'], modify: ['test/old.test.mjs'], delete: [] },
    })
    const judged = async (text: string, of = spec) => {
      const bench = aBench({ base: BASE, tree: { ...WORK, 'test/old.test.mjs': text } })
      const { outcome, evidence } = await bench.gate('unit', { spec: of })
      const own = evidence.findings.filter((finding) => finding.text.includes('old two'))
      return [outcome, own.map(({ weight }) => weight)]
    }
    const removed = OLD_TEST.replace("test('old two', () => undefined)\n", '')

    test('fails where it is skipped, commented out or not registered', async () => {
      for (const text of [
        OLD_TEST.replace("'old two', ()", "'old two', { skip: true }, ()"),
        OLD_TEST.replace("test('old two'", "// test('old two'"),
        OLD_TEST.replace("test('old two'", "if (process.exitCode) test('old two'"),
      ])
        expect(await judged(text), text).toEqual(['failed', ['blocks']])
    })

    test('is for review where it is removed or renamed, and only there', async () => {
      expect(await judged(removed)).toEqual(['passed', ['review']])
      expect(await judged(OLD_TEST.replace('old two', 'new two'))).toEqual(['passed', ['review']])
      expect((await judged(removed, aSpec()))[0]).toBe('failed')
    })
  })

  test('tests of a file that the contract deletes are not missed', async () => {
    const base = { ...BASE, 'test/legacy.test.mjs': OLD_TEST.replaceAll('old', 'legacy') }
    const bench = aBench({ base, tree: WORK })
    const asked = aSpec({ files: { create: ['src/slug.mjs'], modify: [], delete: ['test/legacy.test.mjs'] } })
    expect(await bench.gate('unit', { spec: asked })).toMatchObject({ outcome: 'passed' })
    expect(await bench.gate('unit')).toMatchObject({ outcome: 'failed' })
  })

  test('new tests that would pass without the work fail', async () => {
    const empty = "import { test } from 'node:test'\ntest('joins', () => undefined)\n"
    const bench = aBench({ base: BASE, tree: { ...WORK, 'test/slug.test.mjs': empty } })
    expect(await bench.gate('tests_to_add')).toMatchObject({ outcome: 'failed' })
  })

  test('new tests that are missing or fail fail', async () => {
    const { 'test/slug.test.mjs': _, ...without } = WORK
    expect(await aBench({ base: BASE, tree: without }).gate('tests_to_add')).toMatchObject({
      outcome: 'failed',
      summary: 'missing: test/slug.test.mjs',
    })
    const bad = aBench({ base: BASE, tree: { ...WORK, ...broken } })
    expect(await bad.gate('tests_to_add')).toMatchObject({ outcome: 'failed' })
  })

  test('a report that lies in the tree is not read', async () => {
    const xml = '<testsuite><testcase name="a"/></testsuite>'
    const bench = aBench(
      { base: BASE, tree: { ...WORK, 'report.xml': xml } },
      { environment: { test: { command: 'exit 0', report: 'junit:report.xml' } } },
    )
    expect(await bench.gate('unit')).toMatchObject({ outcome: 'inconclusive' })
  })

  test('a manifest of the worker does not choose the command', async () => {
    const base = { ...BASE, 'package.json': JSON.stringify({ scripts: { lint: 'exit 1' } }) }
    const tree = { ...WORK, 'package.json': JSON.stringify({ scripts: {} }) }
    const bench = aBench({ base, tree }, { environment: { lint: undefined } })
    expect(await bench.gate('lint')).toMatchObject({
      outcome: 'failed',
      evidence: { runs: [{ command: 'npm run lint' }] },
    })
  })
})

describe('reports', () => {
  const written = (xml: string, code: number) => ({
    command: `mkdir -p out; printf '%s' '${xml}' > out/report.xml; exit ${code}`,
    report: 'junit:out/report.xml',
  })

  test('a JUnit file is read, and counts besides the exit code', async () => {
    const ok = '<testsuites><testsuite name="s"><testcase name="a"/></testsuite></testsuites>'
    const bad =
      '<testsuites><testsuite name="s"><testcase name="a"><failure/></testcase></testsuite></testsuites>'
    const outcome = async (xml: string, code: number) =>
      (await aBench(undefined, { environment: { test: written(xml, code) } }).gate('unit')).outcome
    expect(await outcome(ok, 0)).toBe('passed')
    expect(await outcome(ok, 1)).toBe('failed')
    expect(await outcome(bad, 0)).toBe('failed')
    expect(await outcome('<html>', 0)).toBe('inconclusive')
  })

  test('a folder of reports counts together, and one outside the checkout is none', async () => {
    const command =
      'mkdir out; for n in 1 2; do echo "<testsuite><testcase name=\'$n\'/></testsuite>" > out/$n.xml; done'
    const folder = { command, report: 'junit:out' }
    expect(await aBench(undefined, { environment: { test: folder } }).gate('unit')).toMatchObject({
      outcome: 'passed',
      summary: '2 of 2 tests passed',
    })
    const outside = { command, report: 'junit:/etc/hostname' }
    expect(await aBench(undefined, { environment: { test: outside } }).gate('unit')).toMatchObject({
      outcome: 'inconclusive',
    })
  })

  test('a JUnit file of many megabytes is read whole, alone and in a folder', async () => {
    const write = (test: string) =>
      `mkdir -p out; { echo '<testsuite>${test}<system-out>'; yes '0123456789' | head -c 5000000; echo '</system-out></testsuite>'; } > out/report.xml`
    const outcome = async (test: string, report: string) =>
      (await aBench(undefined, { environment: { test: { command: write(test), report } } }).gate('unit'))
        .outcome
    const bad = '<testcase name="a"><failure/></testcase>'
    for (const report of ['junit:out/report.xml', 'junit:out']) {
      expect(await outcome('<testcase name="a"/>', report), report).toBe('passed')
      expect(await outcome(bad, report), report).toBe('failed')
    }
  })

  test('a folder of reports of which not all can be read proves nothing', async () => {
    const command =
      'mkdir out; echo "<testsuite><testcase name=\'a\'/></testsuite>" > out/1.xml; truncate -s 100M out/2.xml'
    const bench = aBench(undefined, { environment: { test: { command, report: 'junit:out' } } })
    expect(await bench.gate('unit')).toMatchObject({
      outcome: 'inconclusive',
      summary: expect.stringContaining('its report at out is too large to read'),
    })
  })
})

describe('commands of the contract', () => {
  test('each of them has to pass', async () => {
    const good = [...NODE_TEST, 'test/slug.test.mjs'].join(' ')
    const { gate } = aBench()
    expect(await gate('tests_to_run', { spec: aSpec({ testsToRun: [good] }) })).toMatchObject({
      outcome: 'passed',
    })
    const both = aSpec({ testsToRun: [good, 'exit 4'] })
    expect(await gate('tests_to_run', { spec: both })).toMatchObject({
      outcome: 'failed',
      summary: expect.stringMatching(/exit 4 exited with 4/),
    })
  })

  test('lint and types have to be clean, both', async () => {
    const bench = (lint: string | null, typecheck: string | null) =>
      aBench(undefined, { environment: { lint, typecheck } })
    const outcome = async (lint: string | null, typecheck: string | null) =>
      (await bench(lint, typecheck).gate('lint_typecheck')).outcome
    expect(await outcome('exit 0', 'exit 0')).toBe('passed')
    expect(await outcome('exit 0', 'exit 1')).toBe('failed')
    expect(await outcome('exit 0', null)).toBe('passed')
    expect(await outcome('exit 127', 'exit 0')).toBe('inconclusive')
  })
})

describe('failures that were there before', () => {
  const red = "import { test } from 'node:test'\ntest('always red', () => { throw new Error('no') })\n"
  const trees = { base: { ...BASE, 'test/red.test.mjs': red }, tree: { ...WORK, 'test/red.test.mjs': red } }

  test.each(['unit', 'tests_to_run'] as const)('do not fail %s, which names them', async (gate) => {
    const { outcome, summary, evidence } = await aBench(trees).gate(gate)
    expect([outcome, evidence.failedBefore]).toEqual(['passed', ['always red']])
    expect(summary).toContain('1 failed before and still does')
  })
})

describe('the place where gates run', () => {
  test('has leased ports, environment files and a folder for temporary files, and keeps none of them', async () => {
    const user = tempFolder('user')
    writeFileSync(join(user, '.env.test'), 'SECRET=1\n')
    const script =
      'test -f .env.test && test -n "$PORT" && test "$BOSUN_PORT_2" != "$PORT" && echo "$TMPDIR" > "$OUT"; cat "$OUT"'
    const bench = aBench(undefined, {
      envFilesFrom: user,
      environment: {
        lint: script.replaceAll('"$OUT"', 'out.txt'),
        env_files: ['.env.test', '.env.gone', '../x'],
        ports: 2,
      },
    })
    const { outcome, evidence } = await bench.gate('lint')
    expect(outcome).toBe('passed')
    expect(existsSync(evidence.runs[0]?.keyLines[0] ?? '/')).toBe(false)
    expect(bench.trees.given.every(({ path }) => !existsSync(path))).toBe(true)
  })

  test('knows nothing of what Bosun was started with', async () => {
    const processEnv = {
      ...process.env,
      NODE_OPTIONS: '--no-warnings',
      npm_config_x: '1',
      NODE_TEST_CONTEXT: 'child',
      BOSUN_TOKEN: 's',
    }
    const lint = 'test -z "$NODE_OPTIONS$npm_config_x$NODE_TEST_CONTEXT$BOSUN_TOKEN"'
    expect(await aBench(undefined, { processEnv, environment: { lint } }).gate('lint')).toMatchObject({
      outcome: 'passed',
    })
  })

  test('a set-up that does not work leaves the gates inconclusive', async () => {
    const bench = aBench(undefined, { environment: { setup: 'echo no network; exit 1' } })
    const verdicts = await bench.runner.run(
      aRequest({ gates: ['unit', 'tests_to_run', 'plan_alignment'] }),
      quiet,
    )
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive', 'passed'])
  })
})

describe('cut short', () => {
  test('an aborted run never passes, and leaves nothing behind', async () => {
    const { runner, trees } = aBench(undefined, { environment: { test: 'sleep 1000' } })
    const stop = new AbortController()
    const running = runner.run(aRequest({ gates: ['plan_alignment', 'unit', 'build'] }), stop.signal)
    stop.abort()
    const verdicts = await running
    expect(verdicts.map(({ outcome }) => outcome)).not.toContain('passed')
    expect(trees.open.size).toBe(0)
  })
})

test('work on one base may be judged at the same time', async () => {
  const bench = aBench(undefined, {
    environment: { test: { command: 'node test/old.test.mjs', report: 'exit' } },
  })
  const verdicts = await Promise.all(Array.from({ length: 12 }, () => bench.gate('unit')))
  expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
})
