/** Agents, gates and users that misbehave in one way each, end to end, each with its defined outcome. */
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ended, type Lab, type LastLine } from './lab.ts'
import { smallProject, type SmallProject } from './small-project.ts'

interface Fault extends SmallProject {
  readonly name: string
  readonly exit: number
  readonly outcome?: LastLine['outcome']
  /** What the first thing that waits for a person says. */
  readonly problem?: RegExp
  readonly before?: (lab: Lab) => void
  readonly after?: (lab: Lab, last: LastLine) => void | Promise<void>
  /** Refs of the user's that the user moves meanwhile. */
  readonly moves?: readonly string[]
}

const GOOD = 'work; report'
const attempts = (lab: Lab): readonly string[] =>
  lab.activity().flatMap((line) => (line.event === 'task_dispatched' ? [line.worker_id ?? ''] : []))
const ignored = (lab: Lab): readonly unknown[] =>
  lab.activity().flatMap(({ event, data }) => (event === 'word_ignored' ? [[data['from'], data['why']]] : []))

const AGENTS: readonly Fault[] = [
  {
    name: 'an agent that changes nothing is restarted twice, then a person is asked',
    agent: 'exit 0',
    exit: 10,
    outcome: 'needs_person',
    problem: /ended and changed nothing/,
    after: (lab) => expect(attempts(lab)).toEqual(['w-small-1-1', 'w-small-1-2', 'w-small-1-3']),
  },
  {
    name: 'a missing agent is reported before anything is written',
    agent: '',
    command: '[no-such-agent]',
    exit: 14,
    after: (lab) => expect(lab.activity()).toEqual([]),
  },
  {
    name: 'an agent that is not executable is reported before anything is written',
    agent: '',
    command: '[./tools/agent.sh]',
    before: (lab) => chmodSync(join(lab.repo, 'tools/agent.sh'), 0o644),
    exit: 14,
    after: (lab) => expect(lab.activity()).toEqual([]),
  },
  {
    name: 'garbage on stdout and in the report does not hide good work',
    agent: 'work; head -c 100000 /dev/urandom; head -c 2000 /dev/urandom > "$BOSUN_REPORT"',
    exit: 0,
    outcome: 'released',
    after: (lab) =>
      expect(ignored(lab)).toEqual([['w-small-1-1', expect.stringContaining('it is not JSON')]]),
  },
  {
    name: 'invalid fields of a report count as absent, and are logged',
    agent: `work; echo '{"explanation":7,"risks":"many","review_note":{"summary":[]}}' > "$BOSUN_REPORT"`,
    exit: 0,
    outcome: 'released',
    after: (lab) =>
      expect(ignored(lab)).toEqual([
        [
          'w-small-1-1',
          expect.stringMatching(/^(?=.*\bexplanation: \w)(?=.*\brisks: \w)(?=.*\breview_note\.summary: \w)/),
        ],
      ]),
  },
  {
    name: 'commits and moved refs in a clone are read as changes and do not land',
    agent: [
      GOOD,
      'git add -A; git -c user.name=X -c user.email=x@example.org commit -qm "mine"',
      'git branch -f main HEAD; git checkout -q -b feat/small/working; git tag kept; git push -q origin HEAD:main; true',
    ].join('\n'),
    exit: 0,
    outcome: 'released',
    after: (lab) => expect(lab.git('log', '--format=%s', 'feat/small/working')).not.toContain('mine'),
  },
  {
    name: 'hooks, filters and settings in a clone are never run by Bosun',
    agent: [
      GOOD,
      'trap_="touch $repo/../pwned; cat"',
      'git config core.fsmonitor "touch $repo/../pwned"; git config filter.x.clean "$trap_"; git config filter.x.smudge "$trap_"',
      'mkdir -p .git/hooks .git/info; echo "* filter=x" > .git/info/attributes',
      'for h in post-checkout post-index-change pre-commit reference-transaction; do printf "#!/bin/sh\\ntouch $repo/../pwned\\n" > .git/hooks/$h; chmod +x .git/hooks/$h; done',
    ].join('\n'),
    exit: 0,
    outcome: 'released',
    after: (lab) => expect(existsSync(join(lab.folder, 'pwned'))).toBe(false),
  },
  {
    name: 'an agent that deletes its workspace lands nothing',
    agent: 'd=$PWD; cd /; rm -rf "$d"',
    settings: 'sandbox: { mode: off }\n',
    exit: 10,
    problem: /its workspace is gone/,
  },
  {
    name: 'an agent that empties its workspace, which its sandbox does not let it remove, lands nothing',
    agent: 'd=$PWD; cd /; rm -rf "$d" 2> /dev/null; exit 0',
    exit: 11,
    problem: /task 1/,
  },
  {
    name: 'a nested repository may not land',
    agent: `${GOOD}; git init -q src/m1/inner; echo x > src/m1/inner/x`,
    exit: 10,
    problem: /cannot land: src\/m1\/inner/,
  },
  {
    name: 'a link that leaves the tree may not land',
    agent: `${GOOD}; ln -s /etc/hostname src/m1/link`,
    exit: 10,
    problem: /cannot land: src\/m1\/link/,
  },
]

const CONTRACT: readonly Fault[] = [
  {
    name: 'a file outside the contract that a fixer, told its name, leaves there goes to a person',
    agent: `${GOOD}; echo extra > stray.txt`,
    exit: 11,
    outcome: 'gate_failed',
    problem: /plan alignment still failing for the same reasons after 1 fix attempt/,
    after: (lab) => {
      expect(attempts(lab)).toEqual(['w-small-1-1', 'w-small-1-2'])
      const brief = lab.briefOf('w-small-1-2')
      expect(brief).toContain('plan_alignment')
      expect(brief).toContain('stray.txt')
    },
  },
  {
    name: 'a fixer continues the previous draft, with the lines of the failed gate',
    agent: [
      'if [ -e src/m1/value ]; then echo 1 > src/m1/value; report; exit 0; fi',
      'work; report; echo 0 > src/m1/value; echo "test \\"\\$(cat src/m1/value)\\" = 1 || { echo expected 1 but got 0; exit 1; }" > test/m1.t',
    ].join('\n'),
    exit: 0,
    outcome: 'released',
    after: (lab) => {
      expect(attempts(lab)).toEqual(['w-small-1-1', 'w-small-1-2'])
      const brief = lab.briefOf('w-small-1-2')
      expect(brief).toContain('tests_to_run')
      expect(brief).toContain('not ok')
      expect(lab.briefOf('w-small-1-1')).not.toContain('tests_to_run failed')
    },
  },
  {
    name: 'the second fixer has a tighter scope than the first',
    agent: `${GOOD}; echo "later $BOSUN_ATTEMPT # TODO" >> src/m1/value`,
    exit: 11,
    problem: /TODO check still failing after 2 fix attempts/,
    after: (lab) => {
      const scopes = attempts(lab).map((worker) => lab.briefOf(worker).includes('Tighter scope'))
      expect(scopes).toEqual([false, false, true])
    },
  },
  {
    name: 'a broken test of the base fails',
    agent: `${GOOD}; echo 2 > lib/base`,
    task: 'files: { create: [src/m1/value], modify: [lib/base] }',
    exit: 11,
    problem: /unit/,
  },
  {
    name: 'a deleted test of the base fails',
    agent: `${GOOD}; rm -f test/base.t`,
    task: 'files: { create: [src/m1/value], modify: [test/base.t] }',
    exit: 11,
    problem: /unit/,
  },
  {
    name: 'a skipped test of the base fails',
    agent: `${GOOD}; echo "# skip" > test/base.t`,
    task: 'files: { create: [src/m1/value], modify: [test/base.t] }',
    exit: 11,
    problem: /unit/,
  },
  {
    name: 'a TODO without a task fails',
    agent: `${GOOD}; echo "# TODO the rest" >> src/m1/value`,
    exit: 11,
    problem: /TODO check/,
  },
]

const GATES: readonly Fault[] = [
  {
    name: 'a gate that hangs is ended and never passes',
    agent: GOOD,
    environment:
      'setup: null, test: { command: "sh suite.sh", report: tap }, lint: "test ! -e src/m1/value || sleep 1000", typecheck: null, build: null',
    settings: 'watch: { time_limit: 4s }\n',
    exit: 10,
    outcome: 'needs_person',
    problem: /lint and types could not be checked/,
  },
  {
    name: 'processes that a gate leaves running are ended with it',
    agent: GOOD,
    environment:
      'setup: null, test: { command: "(sleep 1000 &) ; setsid sleep 1001 & sh suite.sh", report: tap }, lint: null, typecheck: null, build: null',
    exit: 0,
    outcome: 'released',
    after: (lab) => expect(lab.processes().filter((line) => line.includes('sleep'))).toEqual([]),
  },
  {
    name: 'PASS in the output with a failing exit code is a failure',
    agent: GOOD,
    task: 'tests_to_run: ["echo PASS; exit 1"]',
    exit: 11,
    problem: /required tests/,
  },
  {
    name: 'a test command that runs no test raises a question before any work',
    agent: GOOD,
    environment:
      'setup: null, test: { command: "true", report: tap }, lint: null, typecheck: null, build: null',
    task: 'tests_to_run: ["true"]',
    exit: 10,
    problem: /before any work started: test names no test/,
  },
  {
    name: 'a test that failed before does not count against the work',
    agent: GOOD,
    files: { 'test/old.t': 'false\n' },
    exit: 0,
    outcome: 'released',
    after: (lab) => {
      expect(JSON.stringify(lab.activity())).toContain('1 failed before and still does')
      const manifest = lab.git('show', 'feat/small/working:docs/releases/small-release.yaml')
      expect(manifest).toMatch(
        /tests_failed_before:\n +tests:\n +- [^\n]*old[^\n]*\n +waved_through: false\n/,
      )
    },
  },
  {
    name: 'a test that failed before is waved through where the user allows it',
    agent: GOOD,
    files: { 'test/old.t': 'false\n' },
    settings: 'review: { require_tests_pass: false }\n',
    exit: 0,
    outcome: 'released',
    after: (lab) =>
      expect(lab.git('show', 'feat/small/working:docs/releases/small-release.yaml')).toContain(
        'waved_through: true',
      ),
  },
]

const WORKING = 'refs/heads/feat/small/working'
/** What the user does between the first task and the second. */
const meanwhile = (what: string): string => `if [ "$id" = 2 ]; then ${what}; fi; ${GOOD}`
const git = 'git -C "$repo"'

/** The user puts the branch back and says so: then it goes on to its end. */
const restoreProtected =
  (undo: (lab: Lab, first: string) => void) =>
  async (lab: Lab, last: LastLine): Promise<void> => {
    undo(lab, last.commits[0]?.sha ?? '')
    await lab.bosun('answer', last.inbox[0]?.id ?? '', 'retry')
    expect(await lab.deliver()).toMatchObject({ exit: 0, last: { outcome: 'released' } })
  }

const USERS: readonly Fault[] = [
  {
    name: 'a commit of the user to the base branch in the meantime is left alone',
    tasks: 2,
    agent: meanwhile(`${git} commit -q --allow-empty -m "Mine meanwhile"`),
    exit: 0,
    outcome: 'released',
    moves: ['refs/heads/main'],
    after: (lab) => {
      expect(lab.git('log', '--format=%s', '-1', 'main')).toBe('Mine meanwhile')
      expect(lab.git('log', '--format=%s', 'feat/small/working')).not.toContain('Mine meanwhile')
    },
  },
  {
    name: 'a working branch that was moved is not moved back; a person is asked at once',
    tasks: 2,
    agent: meanwhile(`${git} branch -f feat/small/working main`),
    exit: 10,
    problem: /feat\/small\/working was moved outside Bosun/,
    after: restoreProtected((lab, first) => lab.git('branch', '-f', 'feat/small/working', first)),
  },
  {
    name: 'a working branch that was deleted is not created again; a person is asked at once',
    tasks: 2,
    agent: meanwhile(`${git} branch -D feat/small/working`),
    exit: 10,
    problem: /feat\/small\/working was deleted outside Bosun/,
    after: restoreProtected((lab, first) => lab.git('branch', 'feat/small/working', first)),
  },
  {
    name: 'a working branch that is checked out is not moved under the user',
    tasks: 2,
    agent: meanwhile(`${git} worktree add -q "$repo/../other" feat/small/working`),
    exit: 10,
    problem: /feat\/small\/working is checked out in .*other/,
    after: restoreProtected((lab) => lab.git('worktree', 'remove', '--force', join(lab.folder, 'other'))),
  },
  {
    name: 'a branch named feat is refused in one line',
    agent: GOOD,
    before: (lab) => lab.git('branch', 'feat'),
    exit: 4,
    after: (lab) => expect(lab.activity()).toEqual([]),
  },
  {
    name: 'uncommitted changes of the user stay as they are and are not part of the work',
    agent: GOOD,
    before: (lab) => {
      lab.write({ 'lib/base': 'half done\n', 'new.txt': 'new\n', 'staged.txt': 'staged\n' })
      lab.git('add', 'staged.txt')
    },
    exit: 0,
    outcome: 'released',
    after: (lab) => {
      expect(lab.git('ls-tree', '-r', '--name-only', 'feat/small/working')).not.toContain('staged.txt')
      expect(lab.git('show', 'feat/small/working:lib/base')).toBe('1')
    },
  },
]

async function prove(fault: Fault): Promise<void> {
  const lab = smallProject(fault)
  try {
    lab.git('branch', 'mine')
    lab.git('tag', 'kept')
    fault.before?.(lab)
    const [refs, status] = [lab.refs(), lab.git('status', '--porcelain')]
    const done = await lab.deliver()
    const output = `${done.stdout.slice(-3000)}${done.stderr}`
    expect(done.exit, output).toBe(fault.exit)
    if (fault.outcome !== undefined) expect(done.last.outcome).toBe(fault.outcome)
    if (fault.problem !== undefined) expect(done.last.inbox[0]?.problem).toMatch(fault.problem)
    if (done.last.outcome === 'released') {
      expect(lab.refs()[WORKING]).toBeDefined()
      expect(lab.heldClones()).toEqual([])
    }
    await fault.after?.(lab, done.last)
    lab.git('fsck', '--strict', '--no-dangling')
    const theirs = ([ref]: readonly [string, string]): boolean =>
      ref !== WORKING && !(fault.moves ?? []).includes(ref)
    expect(Object.entries(lab.refs()).filter(theirs)).toEqual(Object.entries(refs).filter(theirs))
    expect(lab.git('status', '--porcelain')).toBe(status)
    await lab.stop()
    expect(lab.processes()).toEqual([])
  } finally {
    await lab.dispose()
  }
}

/** Hangs before any worker starts, or once the work is there. */
const HANGS = { 'the baseline': 'sleep 1000', 'a gate': 'test ! -e src/m1/value || sleep 1000' }

async function proveStop(lint: string): Promise<void> {
  const environment = `setup: null, test: null, lint: "${lint}", typecheck: null, build: null`
  const lab = smallProject({ agent: GOOD, environment })
  try {
    const run = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
    const over = ended(run)
    await vi.waitUntil(() => lab.processes().some((line) => /^\d+ sleep 1000/.test(line)), {
      timeout: 60_000,
      interval: 300,
    })
    run.kill('SIGTERM')
    await over
    expect((await lab.bosun('stop')).exit).toBe(0)
    expect(lab.processes()).toEqual([])
  } finally {
    await lab.dispose()
  }
}

describe.concurrent('every fault has a defined end', () => {
  for (const fault of [...AGENTS, ...USERS, ...CONTRACT, ...GATES]) test(fault.name, () => prove(fault))
  for (const [what, lint] of Object.entries(HANGS))
    test(`a stopped daemon ends ${what} that hangs`, () => proveStop(lint))
})
