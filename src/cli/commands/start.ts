import type { CommandDefinition } from '../command.ts'

export const startCommand: CommandDefinition = {
  name: 'start',
  summary: 'start from anything: a sentence, a bug report, an issue, a brief, a spec or a plan',
  arguments: [{ syntax: '<request>', help: 'the request in quotes, the path of a file, or - for stdin' }],
  options: [
    {
      syntax: '--type <type>',
      help: 'new_project, feature_request or bug_fix (default: the model says it, else you are asked)',
    },
    { syntax: '--scope <scope>', help: 'trivial, small, medium or large (default: the same)' },
    {
      syntax: '--workflow <name>',
      help: 'fix, direct, light, planned or project (default: by type and scope)',
    },
    {
      syntax: '--yes',
      help: 'start without asking, with the defaults of questions; a new project gets its first commit',
    },
  ],
  examples: [
    { line: 'bosun start "fix typo in README"', what: 'one task for a fixer, gates, a branch' },
    { line: 'bosun start issue.md --scope medium', what: 'from a file; you know better how large it is' },
    { line: 'gh issue view 12 | bosun start -', what: 'from standard input' },
    { line: 'bosun start docs/plans/todo.md', what: 'a plan is run as it is' },
  ],
  detaches: true,
  lines: true,
  async run(call) {
    const { startRequest } = await import('../start/start-request.ts')
    return startRequest(call)
  },
}
