import type { CommandDefinition } from '../command.ts'

export const openCommand: CommandDefinition = {
  name: 'open',
  summary: 'open the page in your browser',
  options: [
    { syntax: '--print', help: 'print the link instead (it works once, within 60 s)' },
    { syntax: '--revoke', help: 'end every page session instead: open pages need a new link' },
  ],
  examples: [
    { line: 'bosun open', what: 'starts the daemon if none runs' },
    { line: 'bosun open --print', what: 'for a browser elsewhere, through ssh -L' },
    { line: 'bosun open --revoke', what: 'sign every browser out' },
  ],
  async run(call) {
    const { runOpen } = await import('../open-page.ts')
    return runOpen(call)
  },
}
