/** Commands by which work begins, is steered and is looked at. */
import type { CommandDefinition } from '../command.ts'

/** By which work begins. */
export const BEGINNING: readonly CommandDefinition[] = [
  {
    name: 'demo',
    summary: 'deliver a demo project with scripted agents: no key, no network',
    options: {
      '--from-sentence': 'start from one sentence instead of a plan',
      '--open': 'open the page to watch it, and to answer what is asked',
    },
    examples: {
      'bosun demo': 'eight tasks in a throw-away repository, in about half a minute',
      'bosun demo --open': 'the same in your browser; at a terminal it stays until Ctrl-C',
      'bosun demo --from-sentence': 'one sentence, understood by rules, as a released branch',
      'bosun demo --json': 'print the result as one JSON document',
    },
    detaches: true,
    run: async (call) => (await import('../demo/run-demo.ts')).runDemo(call),
  },
  {
    name: 'start',
    summary: 'start from anything: a sentence, a bug report, an issue, a brief, a spec or a plan',
    arguments: { '<request>': 'the request in quotes, the path of a file, or - for stdin' },
    options: {
      '--type <type>':
        'new_project, feature_request or bug_fix (default: the model says it, else you are asked)',
      '--scope <scope>': 'trivial, small, medium or large (default: the same)',
      '--workflow <name>': 'fix, direct, light, planned or project (default: by type and scope)',
      '--yes': 'start without asking, with the defaults of questions; a new project gets its first commit',
    },
    examples: {
      'bosun start "fix typo in README"': 'one task for a fixer, gates, a branch',
      'bosun start issue.md --scope medium': 'from a file; you know better how large it is',
      'gh issue view 12 | bosun start -': 'from standard input',
      'bosun start docs/plans/todo.md': 'a plan is run as it is',
    },
    detaches: true,
    lines: true,
    run: async (call) => (await import('../start/start-request.ts')).startRequest(call),
  },
  {
    name: 'spec',
    summary: 'check a specification: front matter, sections, requirements; runs nothing',
    arguments: { '<action>': 'check', '<file>': 'the spec in Markdown; - for stdin' },
    examples: {
      'bosun spec check docs/specs/export.md': 'every mistake with its line and what to do; exits 1 if any',
      'cat spec.md | bosun spec check - --json': 'the same as JSON, from a pipe',
    },
    insideWorker: true,
    run: async (call) => (await import('../plan/spec.ts')).checkSpec(call),
  },
  {
    name: 'interview',
    summary: 'turn an idea into a spec and a plan, by questions',
    options: {
      '--text <text>': 'what you want, in a sentence or more',
      '--expertise <level>': 'how it asks: non_technical, basic (the default) or expert',
      '--resume [session]': 'continue an interview that ended with an error (default: the newest)',
      '--yes': 'create the git repository or the first commit that a new project lacks',
      '--new': 'begin anew; an open or earlier one is dropped',
      '--abandon': 'end the open interview; nothing of it goes on',
    },
    examples: {
      'bosun interview': 'start one, or continue the open one; Ctrl-C leaves it open',
      'bosun interview --text "add a dark mode toggle"': 'start with what you want',
      'bosun interview --no-input': 'print the open question and exit with 10',
      'bosun interview --json': 'the state of the interview as JSON',
      'bosun interview < answers.txt': 'field by field, an empty line after each',
      'bosun interview --abandon': 'end the open one',
    },
    detaches: true,
    run: async (call) => (await import('../interview/run-interview.ts')).runInterview(call),
  },
  {
    name: 'plan',
    summary: 'show the tasks, tiers, order, gates and problems of a plan; runs nothing',
    arguments: { '<file>': 'the plan file: Markdown, YAML or JSON; - for stdin' },
    examples: {
      'bosun plan docs/plans/todo.md': 'the tasks in execution order, and any problems',
      'bosun plan todo.yaml --json': 'the same as JSON; exits 1 if there is an error',
      'cat todo.md | bosun plan -': 'read it from a pipe',
    },
    insideWorker: true,
    run: async (call) => (await import('../plan/show-plan.ts')).showPlan(call),
  },
  {
    name: 'simulate',
    summary: 'simulate a plan with simulated workers on a virtual clock',
    arguments: { '<plan>': 'the plan file, or - for stdin' },
    options: {
      '--seed <number>': 'the same seed repeats the same run (default: 1)',
      '--faults <names>': 'none, all, or a comma-separated list (default: none)',
    },
    examples: {
      'bosun simulate docs/plans/todo.md': 'what would happen and how long it would take',
      'bosun simulate plan.yaml --seed 7 --faults crashing,gate_once,pm_crash':
        'with crashing workers, gates that fail once, and a crashing PM',
      'bosun simulate plan.md --faults all --json': 'with every fault, as JSON',
    },
    busy: true,
    insideWorker: true,
    run: async (call) => (await import('../plan/simulate.ts')).simulate(call),
  },
  {
    name: 'run',
    summary: 'run a plan up to its release',
    arguments: { '<plan>': 'the plan file (- for stdin), or the id of a plan to attach to' },
    options: {
      '--yes': 'start a plan that was made from a spec without asking',
      '--design <file>': 'the design document that reviewers check against',
      '--dry-run <file>':
        'script agents, gates, people and models with this file, in a throw-away clone (docs/dry-run.md)',
    },
    examples: {
      'bosun run docs/plans/todo.md': 'start it or attach to it; Ctrl-C detaches, the plan keeps running',
      'bosun run todo --no-input': 'wait until it is done or needs a person, and print why',
      'bosun run todo.md --dry-run script.yaml':
        'the whole run without agents; your repository is not changed',
      'bosun run todo.md --json': 'one JSON object per line, the outcome last',
    },
    detaches: true,
    lines: true,
    async run(call) {
      const script = call.option('dry-run')
      if (script !== undefined) return (await import('../plan/run-dry.ts')).runDry(call, script)
      return (await import('../plan/run-plan.ts')).runPlan(call)
    },
  },
]

/** Which plan, of `pause`, `resume` and `cancel`. */
const STEERED = { '[plan]': 'the plan (default: the open plans of this repository)' }

/** By which a person steers and looks at work that has begun. */
export const STEERING: readonly CommandDefinition[] = [
  {
    name: 'pause',
    summary: 'start no new workers; with --now also stop running ones, work saved',
    arguments: STEERED,
    options: {
      '--now': 'stop the workers at once; their work is saved',
      '--reason <text>': 'shown with the pause',
    },
    examples: {
      'bosun pause': 'pause the plans of this repository',
      'bosun pause shop --now': 'pause one plan and stop its workers',
    },
    run: async (call) => (await import('../plan/steer.ts')).steer(call, 'pause'),
  },
  {
    name: 'resume',
    summary: 'resume paused plans',
    arguments: STEERED,
    examples: { 'bosun resume': 'resume the plans of this repository; exits 0 if none was paused' },
    run: async (call) => (await import('../plan/steer.ts')).steer(call, 'resume'),
  },
  {
    name: 'cancel',
    summary: 'cancel a plan permanently; its commits stay',
    arguments: STEERED,
    options: {
      '--reason <text>': 'recorded in the log',
      '--damaged': 'cancel a plan whose events cannot be read',
    },
    examples: {
      'bosun cancel shop': 'save the work of its workers and stop them',
      'bosun cancel --damaged shop': 'the same for a plan with unreadable events',
    },
    run: async (call) => (await import('../plan/steer.ts')).steer(call, 'cancel'),
  },
  {
    name: 'worker',
    summary:
      'list workers, show one or its transcript, take it over, nudge, instruct, extend or kill it, or adopt a process',
    arguments: {
      '<action>': 'list, show, log, open, nudge, instruct, extend, kill or adopt',
      '[id]': 'the worker id (for all but list and adopt)',
      '[text]': 'the instruction (instruct)',
    },
    options: {
      '-f, --follow': 'with log: keep printing until it ends',
      '--print': 'with open: print the command instead of running it',
      '--return': 'with open: hand the work back, to the gates',
      '--continue': 'with open: hand the work back, to the agent, which continues it',
      '--feedback <text>': 'with open --continue: for the agent',
      '--by <name>': 'the name to record (default: your git user.name)',
      '--reason <text>': 'with kill: the reason',
      '--minutes <number>': 'with extend: how much more time it gets (1 to 1440)',
      '--type <type>': 'with instruct: continue, pause, revise, abort, expand_scope or reduce_scope',
      '--files <path>':
        'with expand_scope or reduce_scope: a file that its contract gains or loses; repeatable',
      '--criteria <text>': 'the same for an acceptance criterion; to reduce, its number will do; repeatable',
      '--id <id>': 'with instruct: your own id for it; sent twice, it counts once',
      '--pid <number>': 'with adopt: a process that Bosun did not start',
      '--name <id>': 'with adopt: its worker id (default: adopted-PID)',
      '--time-limit <duration>': 'with adopt: such as 90m, from now (default: watch.time_limit)',
    },
    repeatable: ['--files <path>', '--criteria <text>'],
    examples: {
      'bosun worker list': 'all running workers',
      'bosun worker show w-shop-7-1': 'its history, also after it has ended',
      'bosun worker log w-shop-7-1 -f': 'what it says and does, until it ends',
      'bosun worker open w-shop-7-1': 'work in its place, in its own session; then hand it back',
      'bosun worker instruct w-shop-7-1 "use the second schema"':
        'a message; the answer says when it is delivered',
      'bosun worker instruct w-shop-7-1 --type expand_scope --files README.md "name it there"':
        'change its contract as well, which the gates go by',
      'bosun worker extend w-shop-7-1 --minutes 30': 'give it more time',
      'bosun worker kill w-shop-7-1': 'save its work and stop it; the rules decide what happens next',
      'bosun worker adopt --pid 4711 --time-limit 2h':
        'watch only its time limit: warn, then end it at 110 %',
    },
    detaches: ([action]) => action === 'log' || action === 'open',
    lines: ([action]) => action === 'log',
    insideWorker: ([action]) => action === 'list' || action === 'show',
    run: async (call) => (await import('../worker/worker.ts')).runWorker(call),
  },
  {
    name: 'task',
    summary: 'show one task: contract, attempts, gates, decisions, record',
    arguments: { '<action>': 'show', '<id>': 'the task id, or PLAN/ID if several plans use it' },
    examples: {
      'bosun task show 7': 'contract, attempts, gate results and decisions',
      'bosun task show shop/7 --json': 'a task of one plan, as JSON',
    },
    insideWorker: true,
    run: async (call) => (await import('../plan/task.ts')).showTask(call),
  },
  {
    name: 'trace',
    summary: 'follow a requirement of a spec to its story, tasks, tests and commits',
    arguments: { '[requirement]': 'the id in the spec, like R-003; without one, all of them' },
    options: { '--plan <id>': 'the plan, if several trace the requirement' },
    examples: {
      'bosun trace R-003': 'which tasks build it, which tests show it, which commits contain it',
      'bosun trace --plan shop': 'every requirement of one plan',
      'bosun trace R-003 --json': 'the same as JSON',
    },
    insideWorker: true,
    run: async (call) => (await import('../plan/trace.ts')).showTrace(call),
  },
  {
    name: 'release',
    summary: 'show the manifest of a release, verify it, or sign it off',
    arguments: { '<action>': 'show, verify or sign', '<plan>': 'the id of the plan' },
    options: {
      '--rerun': 'with verify: re-run the release evidence in a clean checkout',
      '--by <name>': 'with sign: the name to record (default: your git user.name)',
    },
    examples: {
      'bosun release show shop': 'its summary and the committed manifest',
      'bosun release verify shop': 'check it against the repository alone; exits 1 if a claim is false',
      'bosun release verify shop --rerun': 'and re-run its tests and checks',
      'bosun release sign shop --by "Ann Lee"': 'sign it off; you merge',
    },
    // The checkout must be removed first.
    detaches: ([action]) => action === 'verify',
    insideWorker: ([action]) => action !== 'sign',
    run: async (call) => (await import('../plan/release.ts')).runRelease(call),
  },
]
