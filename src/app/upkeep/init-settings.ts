/** `bosun init`: writes a bosun.yaml of what was found, and never over another. */
import { lstatSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  detectCommands,
  type CommandName,
  type Detection,
  type Listing,
} from '../../core/repository-facts/detect-commands.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import type { TriedCommand } from '../../ports/command-trial.ts'
import { errorCode } from '../../lib/files/system-error.ts'

export interface Initialized {
  readonly file: string
  readonly commands: Detection['commands']
  readonly agents: readonly FoundAgent[]
  readonly warnings: readonly string[]
  /** How each command did when it was run once; empty where none was. */
  readonly tried: readonly TriedCommand[]
  readonly text: string
}

const NAMES: readonly CommandName[] = ['setup', 'test', 'lint', 'typecheck', 'build']

export async function initSettings(place: {
  readonly root: string
  readonly listing: Listing
  readonly agents: readonly FoundAgent[]
  readonly tried?: readonly TriedCommand[]
}): Promise<Initialized> {
  const { root, listing, agents, tried = [] } = place
  const { commands: detected, warnings: missing } = detectCommands(listing)
  const tests = tried.find(({ check, insteadOf }) => check === 'test' && insteadOf !== undefined)
  const commands = tests === undefined ? detected : { ...detected, test: tests.command }
  const warnings = [...missing, ...tried.flatMap((one) => trialWarning(one) ?? [])]
  const file = join(root, 'bosun.yaml')
  const text = settingsText(commands, agents, tried)
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    throw thereAlready(root)
  }
  return { file, commands, agents, warnings, tried, text }
}

/** The commands as a plan would find them. */
export const detectedCommands = (listing: Listing): Detection['commands'] => detectCommands(listing).commands

/** Before anything is run: a file that is there is never touched. */
export function requireNoSettings(root: string): void {
  if (lstatSync(join(root, 'bosun.yaml'), { throwIfNoEntry: false }) !== undefined) throw thereAlready(root)
}

const thereAlready = (root: string): Refusal =>
  refusal(
    'conflict',
    `bosun.yaml already exists in ${root}`,
    'Change it by hand, or move it away and run this again. `bosun doctor` says whether it is valid.',
  )

/** What is not proven then, and what to do about it. */
const EXIT_CODE_ALONE =
  'a test that is lost goes unnoticed; better is a command that prints TAP or names each test, or report: junit:PATH'

function trialWarning({ check, outcome, why, byExitCode }: TriedCommand): string | null {
  switch (outcome) {
    case 'passed':
      return null
    case 'failed':
      return check === 'test' || check === 'setup'
        ? `${check} is red at the newest commit: ${why}; a plan asks about it before work begins, unless it names the failing tests`
        : `${check} is red at the newest commit: ${why}; only new findings will count, until you set environment.${check}`
    case 'unnamed': {
      const failsWith = byExitCode?.failsWith ?? null
      return failsWith === null
        ? `${check} passes without naming a test, and no broken test was seen to make it fail: ${why}; a plan asks about it before work begins`
        : `${check} names no test, so it counts by its exit code alone (${failsWith}, broken, makes it fail): ${EXIT_CODE_ALONE}`
    }
    case 'cannot_run':
      return check === 'test'
        ? `test cannot run here: ${why}; install what is missing, else a plan asks about it before work begins`
        : `${check} cannot run here, so it is set to null: ${why}; install what is missing, then set environment.${check}`
    case 'not_tried':
      return `${check} was not tried: ${why}`
  }
}

/** The file as people read it: what was found is set, what was not is there to be filled in. */
export function settingsText(
  commands: Detection['commands'],
  agents: readonly FoundAgent[],
  tried: readonly TriedCommand[] = [],
): string {
  const found = NAMES.filter((name) => commands[name] !== null)
  const absent = NAMES.filter((name) => commands[name] === null)
  const triedAs = (name: CommandName): TriedCommand | undefined => tried.find(({ check }) => check === name)
  const isSet = found.some((name) => !isLeftToPlans(triedAs(name)))
  const comment = isSet ? '  # ' : '#   '
  const first = agents.find(({ fix }) => fix === null)?.name ?? agents[0]?.name ?? 'claude'
  return `${[
    '# How Bosun works in this repository. Everything here is optional; unknown keys are errors.',
    '',
    '# Strings are run by `sh -c` at the root of a checkout, lists directly. null: there is none.',
    '# A command that is not set here is detected at each run.',
    isSet ? 'environment:' : '# environment:',
    ...found.map((name) => {
      const start = isLeftToPlans(triedAs(name)) ? comment : '  '
      return `${start}${name}: ${commandLine(commands[name], triedAs(name))}`
    }),
    ...absent.map((name) => `${comment}${name}: null # none was found`),
    `${comment}migrations: { up: …, down: … } # tried on a scratch database before a release`,
    '',
    '# Who does the work: a coding agent by its name (`bosun crew` lists them), else the first one found that is signed in.',
    ...agents.map(
      ({ name, title, fix }) => `# Found here: ${name} (${title})${fix === null ? '' : ', not signed in'}`,
    ),
    `# roles: { developer: ${first}, fixer: ${first}, reviewer: ${first} }`,
    `# With a model and an effort: { developer: { agent: ${first}, model: …, effort: high } }`,
    '# Or a command of yours, by a name of your choice:',
    '# agents:',
    '#   mine: { protocol: command, command: [node, tools/agent.mjs] }',
    '',
    '# How often failed and new tests are rerun, to detect flaky ones.',
    '# For critical tasks, all or none (off): small faults are put into the change, and the tests have to notice half of them.',
    '# proof: { reruns: 1, mutation: critical, mutation_time: 2m }',
  ].join('\n')}\n`
}

/**
 * A command that cannot run is set to none, since one that is left out would be found again; what it was stays to be read. Tests
 * stay set: without them little is proven, and that is a decision of the user, which every plan asks for.
 */
/** Red before any work: a command that is not set is detected at each run, and compared with its findings at the start. */
const isLeftToPlans = (tried: TriedCommand | undefined): boolean =>
  tried?.outcome === 'failed' && tried.check !== 'test' && tried.check !== 'setup'

/** The user decides so by this file, which says what it means. */
const countsByExitCode = (tried: TriedCommand | undefined): boolean =>
  tried?.outcome === 'unnamed' && (tried.byExitCode?.failsWith ?? null) !== null

function commandLine(command: Detection['commands'][CommandName], tried: TriedCommand | undefined): string {
  const text = JSON.stringify(command)
  if (countsByExitCode(tried))
    return `{ command: ${text}, report: exit } # exit code alone: ${EXIT_CODE_ALONE}`
  const why = tried === undefined ? '' : tried.why.replace(/\s+/g, ' ').slice(0, LONGEST_WHY)
  if (tried?.outcome === 'cannot_run')
    return tried.check === 'test'
      ? `${text} # cannot run here: ${why}`
      : `null # ${text} cannot run here: ${why}`
  if (tried?.insteadOf !== undefined)
    return `${text} # ${tried.insteadOf.replace(/\s+/g, ' ').slice(0, LONGEST_WHY)}`
  return tried?.outcome === 'failed' ? `${text} # red at the newest commit: ${why}` : text
}

const LONGEST_WHY = 120
