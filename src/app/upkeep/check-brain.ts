/** What `bosun doctor` says about who answers questions. */
import { brainText, NO_AGENT } from '../../core/settings/brain-description.ts'
import { KEY_VARIABLES, type BrainFinding, type BrainProvider } from '../../core/settings/brain-settings.ts'
import type { BrainFound, SettingsFinding } from '../../ports/machine.ts'
import { ok, warning, type Check } from './check.ts'

/** Who answers questions: an agent, or a model with its key. */
export function checkBrain(settings: SettingsFinding, found: BrainFound | null): readonly Check[] {
  if (found === null) return []
  const provider = settings.kind === 'valid' ? settings.brain.provider : 'auto'
  if (provider === 'none') return []
  return settings.kind !== 'valid' || provider === 'auto' || provider === 'agent'
    ? checkAsked(found, provider)
    : checkModel(settings.brain)
}

/** Without any agent, which another check says, there is nothing to add. */
function checkAsked({ description, health }: BrainFound, provider: BrainProvider): readonly Check[] {
  if (description.who === null) {
    const { why } = description
    if (provider === 'auto' && why === NO_AGENT) return []
    const [, command] = /: (bosun crew install \S+)$/.exec(why) ?? []
    const remedy =
      command === undefined ? 'See brain.provider in docs/brain.md.' : `Fetch its adapter: ${command}`
    const message = `nobody judges: ${why}`
    return [
      provider === 'auto' && command === undefined ? ok('brain', message) : warning('brain', message, remedy),
    ]
  }
  const message = brainText(description)
  if (health === null) return [ok('brain', message)]
  if (health.ok) return [ok('brain', `${message}; a session with it opens`)]
  const remedy = `Run it once by hand, and sign in (bosun crew shows how); or name another agent for roles.architect.`
  return [
    warning('brain', `${message}, but it cannot be asked: ${health.why ?? 'it did not answer'}`, remedy),
  ]
}

function checkModel({ provider, models, key }: BrainFinding): readonly Check[] {
  const names = models === null ? 'its own model' : [...new Set([models.large, models.small])].join(' and ')
  const message = `${provider} with ${names}`
  if (key !== null) return [ok('brain', `${message}, key from ${key}`)]
  const [variable = ''] = KEY_VARIABLES[provider]
  if (provider === 'compatible') return [ok('brain', `${message}, without a key (${variable} is not set)`)]
  return [
    warning(
      'brain',
      `${message}, but there is no key: nobody judges anything`,
      `Set ${variable} where you run bosun, or name a command that prints the key under brain.key_command.`,
    ),
  ]
}
