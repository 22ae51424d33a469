/** Commands that show what happens, and by which people and workers take part in it. */
import type { CommandDefinition } from '../command.ts'

/** `bosun` without a command. */
export const overviewCommand: CommandDefinition = {
  name: 'overview',
  summary: 'what is running here and what needs you',
  examples: { bosun: 'what is running here and what needs you' },
  insideWorker: true,
  run: async (call) => (await import('../status/overview.ts')).showOverview(call),
}

/** What happens, and what needs a person. */
export const LOOKING: readonly CommandDefinition[] = [
  {
    name: 'open',
    summary: 'open the page in your browser',
    options: {
      '--print': 'print the link instead (it works once, within 60 s)',
      '--revoke': 'end every page session instead: open pages need a new link',
    },
    examples: {
      'bosun open': 'starts the daemon if none runs',
      'bosun open --print': 'for a browser elsewhere, through ssh -L',
      'bosun open --revoke': 'sign every browser out',
    },
    run: async (call) => (await import('../machine/open-page.ts')).runOpen(call),
  },
  {
    name: 'status',
    summary: 'show plans, tasks, workers and what needs you',
    options: {
      '--all': 'list every open task, and cancelled plans',
      '--progress': 'a progress report of every open plan',
    },
    examples: {
      'bosun status': 'plans, tasks, workers and inbox, once',
      'bosun status --all': 'every open task (default: 20 per plan, stuck ones first), and cancelled plans',
      'bosun status --progress': 'completed, in progress, blocked, risks and remaining work',
      'bosun status --json': 'the same as JSON',
    },
    insideWorker: true,
    run: async (call) => (await import('../status/status.ts')).showStatus(call),
  },
  {
    name: 'watch',
    summary: 'follow all events live',
    examples: {
      'bosun watch': 'live view until Ctrl-C; plain lines without a terminal',
      'bosun watch --json': 'one JSON object per line',
    },
    detaches: true,
    lines: true,
    insideWorker: true,
    run: async (call) => (await import('../status/status.ts')).watch(call),
  },
  {
    name: 'log',
    summary: 'show the activity log',
    options: {
      '--since <when>': 'newer than this: 30m, 2h, 1d, or a date like 2026-01-05T09:00',
      '--worker <id>': 'only lines about this worker',
      '--event <name>': 'only events with this name, such as gate_failed',
      '-f, --follow': 'keep printing new lines',
    },
    examples: {
      'bosun log --since 1h': 'the last hour',
      'bosun log --event gate_failed --json': 'every failed gate, as JSON',
      'bosun log --follow': 'keep printing until Ctrl-C',
    },
    detaches: true,
    lines: true,
    insideWorker: true,
    run: async (call) => (await import('../status/log.ts')).showLog(call),
  },
  {
    name: 'inbox',
    summary: 'show what needs a person, and decide',
    arguments: { '[id]': 'show one item with its work, gates and diff' },
    options: {
      '--by <name>': 'the name to record (default: your git user.name)',
      '--remembered': 'list permissions that were decided for a task or a plan',
      '--revoke': 'with the id of such a permission: forget it, so that it is asked again',
    },
    examples: {
      'bosun inbox': 'in a terminal: review each item with diff and evidence, and decide',
      'bosun inbox A-2': 'show one item in full',
      'bosun inbox --no-input': 'list items with problem, impact, options and recommendation',
      'bosun inbox --remembered': 'list permissions that are not asked again',
      'bosun inbox P-3 --revoke': 'have a remembered permission asked again',
      'bosun inbox A-2 --json': 'one item as JSON, with diff and evidence',
    },
    insideWorker: true,
    run: async (call) => (await import('../inbox/inbox.ts')).runInbox(call),
  },
  {
    name: 'answer',
    summary: 'answer an inbox item',
    arguments: {
      '<id>': 'the id of the item, see `bosun inbox`; of several with commas between',
      '<choice...>': 'one of its options, or pause; the answer itself where it asks for one',
    },
    options: {
      '--feedback <text>': 'feedback for the next worker',
      '--reason <text>': 'required to override a gate or accept a risk',
      '--scope <scope>': 'of a permission: once (default), task or plan',
      '--by <name>': 'the name to record (default: your git user.name)',
    },
    examples: {
      'bosun answer A-2 approve': 'approve the work',
      'bosun answer E-1 revise --feedback "keep the old route"': 'send it back with feedback',
      'bosun answer E-1 approve --reason "known flake" --by "Ann Lee"':
        'override a failed gate; review, manifest and release record it under your name',
      'bosun answer Q-4 "cents, as in the database"': 'answer a question in words',
      'bosun answer P-3 allow --scope plan': 'allow it to every worker of the plan',
      'bosun answer E-1,E-2 revise': 'answer several items alike',
      'bosun answer E-1 pause': 'pause the plan; the item stays open',
    },
    run: async (call) => (await import('../inbox/answer.ts')).answerItems(call),
  },
]

/** What workers call. */
export const FOR_WORKERS: readonly CommandDefinition[] = [
  {
    name: 'checkin',
    summary: 'for workers: report progress and receive messages',
    arguments: {
      '<status>': 'starting, in_progress, blocked, completed or failed',
      '<percent>': 'from 0 to 100',
    },
    options: {
      '--current-step <text>': 'the current step',
      '--next-step <text>': 'the next step',
      '--time-remaining <text>': 'estimated time remaining',
      '--token-usage <number>': 'tokens used so far',
      '--issue <text>': 'a problem; repeatable',
      '--request <type>': 'a request type; repeatable',
      '--metric <name=number>': 'for example tests_passing=4; repeatable',
      '--tests-passed <number>': 'how many of its tests pass',
      '--tests-failed <number>': 'how many fail',
      '--failing-test <name>': 'one that fails; repeatable',
      '--deliverables <text>': 'what was produced',
      '--failure-reason <text>': 'why it failed',
      '--failure-category <text>': 'the kind of failure',
      '--can-retry <yes|no>': 'whether another worker could succeed',
      '--tool-start <name>': 'a tool call starts; silence until its end does not count as a stall',
      '--tool-end <name>': 'the tool call has ended',
    },
    repeatable: ['--issue <text>', '--request <type>', '--metric <name=number>', '--failing-test <name>'],
    examples: {
      'bosun checkin in_progress 40 --current-step "writing tests"': 'report progress',
      'bosun-checkin in_progress 40': 'the same inside a worker, without starting Node',
    },
    insideWorker: true,
    run: async (call) => (await import('../worker/for-workers.ts')).checkIn(call),
  },
  {
    name: 'report',
    summary: 'for workers: submit the report as JSON',
    arguments: { '[file]': 'the report (default: -, stdin)' },
    examples: { 'bosun report report.json': 'submit it' },
    insideWorker: true,
    run: async (call) => (await import('../worker/for-workers.ts')).submitReport(call),
  },
  {
    name: 'request',
    summary: 'for workers: request time, help, an answer or resources',
    arguments: {
      '<type>': 'need_clarification, need_time, need_resources, blocked or need_help',
      '[text]': 'the question or the reason',
    },
    options: {
      '--minutes <number>': 'for need_time',
      '--tokens <number>': 'for need_resources',
      '--to <role>': 'a role, or human',
    },
    examples: {
      'bosun request need_time "the build is slow" --minutes 20': 'the next check-in returns the answer',
    },
    insideWorker: true,
    run: async (call) => (await import('../worker/for-workers.ts')).sendRequest(call),
  },
]
