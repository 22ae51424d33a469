import type { CommandDefinition } from '../command.ts'

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  summary: 'check this machine and repository, and show how to fix problems',
  options: [{ syntax: '--quick', help: 'run neither the repository’s commands nor an agent' }],
  examples: [
    {
      line: 'bosun doctor',
      what: 'check Node, git, state root, repository, bosun.yaml and agents, and run its commands once',
    },
    { line: 'bosun doctor --quick', what: 'skip running set-up, tests, lint, types and build' },
    { line: 'bosun doctor --json', what: 'the same as JSON; exits 1 if there is a problem' },
  ],
  insideWorker: true,
  // The checkout must be removed first.
  detaches: true,
  async run(call) {
    const [{ examine }, { checkCommands }, { doctorFindings }, { doctorText }] = await Promise.all([
      import('../../app/upkeep/doctor.ts'),
      import('../../app/upkeep/check-commands.ts'),
      import('../../app/upkeep/machine-answers.ts'),
      import('../views/doctor-view.ts'),
    ])
    const isQuick = call.flag('quick')
    const found = await examine(await call.services.machine(), { triesBrain: !isQuick })
    const { NOT_TRIED, tryIfUsable } = await import('../views/tried-commands.ts')
    const { tried, isCut } = isQuick ? NOT_TRIED : await tryIfUsable(call, found)
    const checks = [...found, ...checkCommands(tried)]
    const document = { ...doctorFindings(checks), checks }
    if (isCut) return { exit: 'interrupted', document, text: () => 'Interrupted.\n' }
    return {
      exit: checks.some((check) => check.status === 'problem') ? 'failed' : 'ok',
      document,
      text: (style) => doctorText(checks, { style, width: call.terminal.width }),
    }
  },
}
