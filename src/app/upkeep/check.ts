/** What `bosun doctor` found out about one thing; its rows about who answers questions, and about commands that it ran once. */
import { brainText, NO_AGENT } from '../../core/settings/brain-description.ts'
import { KEY_VARIABLES, type BrainFinding, type BrainProvider } from '../../core/settings/brain-settings.ts'
import type { BrainFound, SettingsFinding } from '../../ports/machine.ts'
import type { TriedCommand } from '../../ports/command-trial.ts'

/** What `bosun doctor` found out about one thing. */
export interface Check {
  readonly id: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do; empty when all is well. */
  readonly remedy: string
}

export function ok(id: string, message: string): Check {
  return { id, status: 'ok', message, remedy: '' }
}

export function warning(id: string, message: string, remedy: string): Check {
  return { id, status: 'warning', message, remedy }
}

export function problem(id: string, message: string, remedy: string): Check {
  return { id, status: 'problem', message, remedy }
}

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

/** One row a command: a plan asks about failing ones before work begins. */
export function checkCommands(tried: readonly TriedCommand[]): readonly Check[] {
  return tried.map(({ check, command, outcome, why, insteadOf, byExitCode }) => {
    switch (outcome) {
      case 'passed':
        if (byExitCode !== undefined) return checkExitCode(command, byExitCode.failsWith)
        return ok(
          check,
          `${command}: works at the newest commit${insteadOf === undefined ? '' : ` (${insteadOf})`}`,
        )
      case 'failed':
        return warning(
          check,
          `red at the newest commit: ${why}`,
          check === 'test' || check === 'setup'
            ? 'A plan asks about it before work begins, unless it names the failing tests: those do not count against the work.'
            : 'Only new findings will count; where bosun.yaml sets the command, a plan asks first.',
        )
      case 'unnamed':
        return warning(
          check,
          `passes at the newest commit without naming a test: ${why}`,
          `Set environment.test to a command whose report can be read ({ command, report: tap }, say), or ${
            (byExitCode?.failsWith ?? null) === null
              ? 'decide when a plan asks: the exit code alone counts, or it is left out.'
              : 'to { command, report: exit }, as `bosun init` does: the exit code alone counts then.'
          }`,
        )
      case 'cannot_run':
        return warning(
          check,
          `cannot run: ${why}`,
          `Install what is missing, or set environment.${check} in bosun.yaml: another command, or null for none.`,
        )
      case 'not_tried':
        return warning(check, `${command}: not tried, since ${why}`, 'Fix the set-up first.')
    }
  })
}

function checkExitCode(command: string, failsWith: string | null): Check {
  const message = `${command}: works at the newest commit, and counts by its exit code alone (report: exit)`
  return failsWith === null
    ? warning(
        'test',
        `${message}; no broken test was seen to make it fail, so it proves nothing`,
        'Correct the command so that a failing test ends it with another code than 0, or set one whose report can be read.',
      )
    : ok('test', `${message}; ${failsWith}, broken, makes it fail`)
}
