/** `bosun init`: writes a bosun.yaml of what was found, and never over another. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  detectCommands,
  type CommandName,
  type Detection,
  type Listing,
} from '../core/gates/detect-commands.ts'
import { Refusal } from '../lib/refusal.ts'

export interface FoundAgent {
  readonly name: string
  readonly path: string
}

export interface Initialized {
  readonly file: string
  readonly commands: Detection['commands']
  readonly agents: readonly FoundAgent[]
  readonly warnings: readonly string[]
  readonly text: string
}

const NAMES: readonly CommandName[] = ['setup', 'test', 'lint', 'typecheck', 'build']

export async function initSettings(place: {
  readonly root: string
  readonly listing: Listing
  readonly agents: readonly FoundAgent[]
}): Promise<Initialized> {
  const { root, listing, agents } = place
  const { commands, warnings } = detectCommands(listing)
  const file = join(root, 'bosun.yaml')
  const text = settingsText(commands, agents)
  try {
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    throw new Refusal({
      code: 'conflict',
      message: `there is a bosun.yaml in ${root} already`,
      remedy:
        'Change it by hand, or move it away and run this again. `bosun doctor` says whether it is valid.',
      cause: error,
    })
  }
  return { file, commands, agents, warnings, text }
}

/** The file as people read it: what was found is set, what was not is there to be filled in. */
export function settingsText(commands: Detection['commands'], agents: readonly FoundAgent[]): string {
  const found = NAMES.filter((name) => commands[name] !== null)
  const absent = NAMES.filter((name) => commands[name] === null)
  const isSet = found.length > 0
  return `${[
    '# How Bosun works in this repository. Everything here is optional; unknown keys are errors.',
    '',
    '# Strings are run by `sh -c` at the root of a checkout, lists directly. null: there is none.',
    '# What is left out is looked for each time.',
    isSet ? 'environment:' : '# environment:',
    ...found.map((name) => `  ${name}: ${JSON.stringify(commands[name])}`),
    ...absent.map((name) => `${isSet ? '  # ' : '#   '}${name}: null # none was found`),
    `${isSet ? '  # ' : '#   '}migrations: { up: …, down: … } # tried on a scratch database before a release`,
    '',
    '# Who does the work: a command of yours, by a name of your choice.',
    ...agents.map(
      ({ name }) => `# Found on this machine: ${name}. Wrap it in a script that reads its brief on stdin.`,
    ),
    '# agents:',
    '#   mine: { protocol: command, command: [node, tools/agent.mjs] }',
    '# roles: { developer: mine, fixer: mine, reviewer: mine }',
    '',
    '# How often failed and new tests are run once more, to find those that come and go.',
    '# For critical tasks, all or none (off): small faults are put into the change, and the tests have to notice half of them.',
    '# proof: { reruns: 1, mutation: critical, mutation_time: 2m }',
  ].join('\n')}\n`
}
