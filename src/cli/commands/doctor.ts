import type { CommandDefinition } from '../command.ts'

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  summary: 'say what is missing here and how to fix it',
  examples: [
    { line: 'bosun doctor', what: 'check Node, git, the state root, this repository, bosun.yaml and agents' },
    { line: 'bosun doctor --json', what: 'the same as JSON; exit code 1 only if there is a problem' },
  ],
  insideWorker: true,
  async run(call) {
    const [{ examine }, { doctorText }] = await Promise.all([
      import('../../app/doctor.ts'),
      import('../doctor-view.ts'),
    ])
    const checks = await examine(await call.parts.machine())
    return {
      exit: checks.some((check) => check.status === 'problem') ? 'failed' : 'ok',
      document: { checks },
      text: (style) => doctorText(checks, { style, width: call.terminal.width }),
    }
  },
}
