import { Refusal } from '../../lib/refusal.ts'
import type { ReleaseAnswer } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const releaseCommand: CommandDefinition = {
  name: 'release',
  summary: 'the release of a plan: show its manifest',
  arguments: [
    { syntax: '<action>', help: 'show' },
    { syntax: '<plan>', help: 'the id of the plan' },
  ],
  examples: [{ line: 'bosun release show shop', what: 'the manifest as it was committed' }],
  async run(call) {
    const [action = '', id = ''] = call.args
    if (action !== 'show') {
      throw new Refusal({
        code: 'usage',
        message: `release cannot ${action}`,
        remedy: 'Use: bosun release show PLAN',
      })
    }
    const { repoHere } = await import('../here.ts')
    const daemon = await call.parts.daemon()
    const repo = await repoHere(call)
    const release = await daemon.get<ReleaseAnswer>(`/api/plans/${encodeURIComponent(id)}/release`, { repo })
    if (release.manifest === null) {
      throw new Refusal({
        code: 'not_found',
        message: `${release.plan} is not released yet (its release gate: ${release.state})`,
        remedy: 'See where it stands: bosun status',
      })
    }
    const head = `${release.plan} ${release.state}: ${release.manifest} at ${release.sha ?? ''}\n`
    return { exit: 'ok', document: { ...release }, text: () => release.text ?? head }
  },
}
