import { Refusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

export const initCommand: CommandDefinition = {
  name: 'init',
  summary: 'write a bosun.yaml of what was found in this repository',
  examples: [
    { line: 'bosun init', what: 'how it is set up, tested, checked and built; never over another file' },
    { line: 'bosun init --json', what: 'what was found, as JSON' },
  ],
  async run(call) {
    const { cwd, env } = call.terminal
    const [{ initSettings }, { KNOWN_AGENTS }, { repositoryListing }, { findWorkTree }, { initText }] =
      await Promise.all([
        import('../../app/init-settings.ts'),
        import('../../app/doctor.ts'),
        import('../../config/repository-listing.ts'),
        import('../../config/repository.ts'),
        import('../init-view.ts'),
      ])
    const root = await findWorkTree(cwd)
    if (root === null) {
      throw new Refusal({
        code: 'usage',
        message: 'this is not inside a git repository',
        remedy: 'Change to the repository Bosun is to work in, or make one: git init',
      })
    }
    const machine = await call.parts.machine()
    const looked = await Promise.all(
      KNOWN_AGENTS.map(async (name) => ({ name, path: await machine.find(name) })),
    )
    const agents = looked.flatMap(({ name, path }) => (path === null ? [] : [{ name, path }]))
    const listing = await repositoryListing(root, env)
    const { text: written, ...done } = await initSettings({ root, listing, agents })
    return { exit: 'ok', document: done, text: (style) => initText({ ...done, text: written }, style) }
  },
}
