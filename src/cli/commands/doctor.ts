import type { CommandDefinition } from '../command.ts'

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  summary: 'say what is missing here and how to fix it',
  options: [{ syntax: '--quick', help: 'run none of the commands of the repository' }],
  examples: [
    {
      line: 'bosun doctor',
      what: 'check Node, git, the state root, this repository, bosun.yaml and agents, and run its commands once',
    },
    { line: 'bosun doctor --quick', what: 'the same without running set-up, tests, lint, types and build' },
    { line: 'bosun doctor --json', what: 'the same as JSON; exit code 1 only if there is a problem' },
  ],
  insideWorker: true,
  // The checkout has to be cleared away first.
  detaches: true,
  async run(call) {
    const [{ checkCommands, examine }, { doctorText }] = await Promise.all([
      import('../../app/upkeep/doctor.ts'),
      import('../views/doctor-view.ts'),
    ])
    const found = await examine(await call.parts.machine())
    const { NOT_TRIED, tryWhereWellFound } = await import('../views/tried-commands.ts')
    const { tried, isCut } = call.flag('quick') ? NOT_TRIED : await tryWhereWellFound(call, found)
    const checks = [...found, ...checkCommands(tried)]
    if (isCut) return { exit: 'interrupted', document: { checks }, text: () => 'It was interrupted.\n' }
    return {
      exit: checks.some((check) => check.status === 'problem') ? 'failed' : 'ok',
      document: { checks },
      text: (style) => doctorText(checks, { style, width: call.terminal.width }),
    }
  },
}
