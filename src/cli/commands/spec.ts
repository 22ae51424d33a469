import { usageRefusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

export const specCommand: CommandDefinition = {
  name: 'spec',
  summary: 'check a specification: front matter, sections, requirements; runs nothing',
  arguments: [
    { syntax: '<action>', help: 'check' },
    { syntax: '<file>', help: 'the spec in Markdown; - for stdin' },
  ],
  examples: [
    {
      line: 'bosun spec check docs/specs/export.md',
      what: 'every mistake with its line and what to do; exits 1 if any',
    },
    { line: 'cat spec.md | bosun spec check - --json', what: 'the same as JSON, from a pipe' },
  ],
  insideWorker: true,
  async run(call) {
    const [action = '', path = ''] = call.args
    if (action !== 'check') {
      throw usageRefusal(`unknown action "${action}"`, 'Use: bosun spec check FILE')
    }
    const [{ checkSpecFile }, view] = await Promise.all([
      import('../../app/architect/check-spec.ts'),
      import('../views/spec-view.ts'),
    ])
    const { cwd, width } = call.terminal
    const { reading } = await checkSpecFile({ path, cwd, readInput: (most) => call.terminal.readInput(most) })
    return {
      exit: reading.spec === null ? 'failed' : 'ok',
      document: view.specDocument(path, reading),
      text: (style) => view.specReport(path, reading, { style, width }),
    }
  },
}
