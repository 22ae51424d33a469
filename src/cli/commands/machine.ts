/** Commands about this machine: agents, the daemon, its database, and other programs. */
import type { CommandDefinition } from '../command.ts'

/** In the order of the help. */
export const MACHINE: readonly CommandDefinition[] = [
  {
    name: 'crew',
    summary: 'show the coding agents found here and how each has done, or fetch an adapter',
    arguments: {
      '[action]': 'install: fetch the adapter that lets Bosun talk with an agent',
      '[agent]': 'with install: claude, codex or pi (default: those found here)',
    },
    options: { '--yes': 'with install: fetch without asking' },
    examples: {
      'bosun crew': 'version, path and sign-in of each; tasks, first-pass rate, time and cost',
      'bosun crew --json': 'the same as JSON',
      'bosun crew install claude': 'fetch its adapter from npm into the state folder',
    },
    insideWorker: ([action]) => action === undefined,
    run: async (call) => (await import('../machine/crew.ts')).runCrew(call),
  },
  {
    name: 'serve',
    summary: 'run the daemon in the foreground (other commands start it as needed)',
    options: {
      '--port <number>': 'the port on 127.0.0.1 (default: the usual one, or any free port)',
      '--host <address>': 'only 127.0.0.1; use ssh from other machines',
    },
    examples: {
      'bosun serve': 'until Ctrl-C; workers keep running without it',
      'bosun serve --port 8080': 'on a given port',
    },
    detaches: true,
    lines: true,
    run: async (call) => (await import('../machine/daemon.ts')).runDaemon(call),
  },
  {
    name: 'stop',
    summary: 'stop the daemon; workers keep running',
    options: { '--force': 'also stop an unresponsive daemon: asked first, then killed' },
    examples: {
      'bosun stop': 'stop it; exits 0 also if none is running',
      'bosun stop --force': 'stop a stuck daemon; nothing is lost',
    },
    run: async (call) => (await import('../machine/daemon.ts')).stopDaemon(call),
  },
  {
    name: 'service',
    summary: 'run the daemon as a system service, restarted when it dies',
    arguments: { '<action>': 'install, uninstall or status' },
    options: {
      '--print': 'with install: only print the unit file for systemd or launchd',
      '--force': 'also if the file was edited',
    },
    examples: {
      'bosun service install': 'write, enable and start the unit; workers keep running',
      'bosun service install --print': 'print the unit, change nothing',
      'bosun service status': 'whether it is installed and running',
      'bosun service uninstall': 'stop it and remove the unit; workers keep running',
    },
    run: async (call) => (await import('../machine/service.ts')).runService(call),
  },
  {
    name: 'doctor',
    summary: 'check this machine and repository, and show how to fix problems',
    options: { '--quick': 'run neither the repository’s commands nor an agent' },
    examples: {
      'bosun doctor':
        'check Node, git, state root, repository, bosun.yaml and agents, and run its commands once',
      'bosun doctor --quick': 'skip running set-up, tests, lint, types and build',
      'bosun doctor --json': 'the same as JSON; exits 1 if there is a problem',
    },
    insideWorker: true,
    // The checkout must be removed first.
    detaches: true,
    run: async (call) => (await import('../machine/doctor.ts')).runDoctor(call),
  },
  {
    name: 'init',
    summary: 'write a bosun.yaml with the commands detected in this repository',
    options: {
      '--quick': 'do not run the detected commands',
      '--yes': 'fetch the adapters of the agents found, without asking',
      '--skill': 'instead, write the skill /pm-agent for your coding agents',
    },
    // The checkout must be removed first.
    detaches: true,
    examples: {
      'bosun init': 'detect set-up, test, lint and build commands; never overwrites a file',
      'bosun init --quick': 'the same without running them',
      'bosun init --json': 'print the detected commands as JSON',
      'bosun init --skill':
        'let Claude Code, Codex, OpenCode and Gemini CLI hand a plan to Bosun; never overwrites a file',
    },
    run: async (call) => (await import('../machine/init.ts')).runInit(call),
  },
  {
    name: 'clean',
    summary: 'free the disk space of plans that ended',
    options: {
      '--older-than <duration>': 'how long ago a plan must have ended (default: 7d)',
      '--unknown-workers':
        'stop workers of plans missing from the database, save their work and move their folders away',
    },
    examples: {
      'bosun clean': 'remove work trees, checkouts and caches; work saved nowhere else is kept',
      'bosun clean --older-than 24h': 'include plans that ended yesterday',
    },
    run: async (call) => (await import('../machine/clean.ts')).runClean(call),
  },
  {
    name: 'export',
    summary: 'write the event log to a file or stdout',
    arguments: { '[file]': 'the file to write (default: stdout)' },
    examples: {
      'bosun export backup.jsonl': 'write the whole log; replaces the file once complete',
      'bosun export | gzip > backup.gz': 'the same through a pipe',
    },
    run: async (call) => (await import('../machine/transfer.ts')).runExport(call),
  },
  {
    name: 'import',
    summary: 'import a file written by `bosun export`',
    arguments: { '<file>': 'the file; events already in the log are skipped' },
    examples: {
      'bosun import backup.jsonl': 'validate the whole file, then add missing events',
      'BOSUN_HOME=/tmp/x bosun import backup.jsonl':
        'into another state root; copy repos/ too to continue the plans there',
    },
    run: async (call) => (await import('../machine/transfer.ts')).runImport(call),
  },
  {
    name: 'mcp',
    summary: 'serve MCP on stdin and stdout, for your assistant',
    options: {
      '--worker': "serve a worker's own tools instead, inside a worker",
      '--architect': "serve the architect's tools instead, inside the session that reviews a spec",
    },
    examples: {
      'claude mcp add bosun -- bosun mcp': 'let Claude Code see and steer your plans',
      'bosun mcp --worker': "for a worker's agent that takes no MCP server over HTTP",
    },
    // Its tools are the user's unless it is asked for those of the worker.
    insideWorker: true,
    run: async (call) => (await import('../mcp.ts')).runMcp(call),
  },
]
