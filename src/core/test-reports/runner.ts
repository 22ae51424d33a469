/** Recognizes test runners by their command, to pass them test files and a report path. */
import type { Command } from '../planning/plan.ts'
import { literalPattern } from '../../lib/text/literal-pattern.ts'
import type { ReportHint } from './test-report.ts'
import { quoted, runScript, VARIABLES } from './focus-command.ts'

export type RunnerName = 'node' | 'vitest' | 'jest' | 'mocha' | 'pytest' | 'unittest'

export interface RunnerFacts {
  readonly test: Command
  /** The package.json script, if the command is one of a package manager. */
  readonly script: string | null
  /** Whether the script has pre or post scripts. */
  readonly isHooked?: boolean
}

/** A command that ends with a test runner, to which arguments can be added. */
export interface Runner {
  readonly name: RunnerName
  /** Inserts arguments right after the runner, before the paths. */
  readonly adding: (words: readonly string[]) => Command
  /** The arguments of the command. */
  readonly given: readonly string[]
}

const BEFORE = `^${VARIABLES}((npx|pnpm|pnpm exec|yarn|bunx|uv run|poetry run|pipenv run)\\s+)?`
/** How a package manager runs an installed program. */
const EXEC: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }
/** A program of the tree itself does not count as a known runner. */
const PLACE = '((/\\S*|(\\./)?node_modules/\\.bin|(\\./)?\\.?venv/bin)/)?'
const KNOWN: readonly { readonly name: RunnerName; readonly starts: RegExp }[] = [
  {
    name: 'node',
    starts: new RegExp(
      `${BEFORE}${PLACE}node\\s+((--import|--require|-r|--loader)\\s+\\S+\\s+|--[\\w=./-]+\\s+){0,9}--test(?=\\s|$)`,
    ),
  },
  { name: 'vitest', starts: new RegExp(`${BEFORE}${PLACE}vitest\\s+run(?=\\s|$)`) },
  { name: 'jest', starts: new RegExp(`${BEFORE}${PLACE}jest(?=\\s|$)`) },
  { name: 'mocha', starts: new RegExp(`${BEFORE}${PLACE}mocha(?=\\s|$)`) },
  { name: 'pytest', starts: new RegExp(`${BEFORE}(${PLACE}python3?\\s+-m\\s+)?${PLACE}pytest(?=\\s|$)`) },
  {
    name: 'unittest',
    starts: new RegExp(`${BEFORE}${PLACE}python3?\\s+-m\\s+unittest(\\s+discover)?(?=\\s|$)`),
  },
]
const SCRIPT = /^(npm|pnpm|yarn|bun)\s+(run\s+)?([\w:-]+)(\s[^|;&<>`\n$]*)?$/
/** Programs of a package that run the runner behind them: they are found only by its package manager. */
const WRAPPERS = new RegExp(String.raw`^((c8|nyc)\s+(-\S+\s+){0,9}|cross-env\s+${VARIABLES})+`)
/** Shell syntax beyond plain arguments. */
const MORE = /[|;&<>`\n]|\$\(/

/** The name of the script that a package manager runs. */
export function scriptIn(test: Command): string | null {
  return typeof test === 'string' ? (SCRIPT.exec(test.trim())?.[3] ?? null) : null
}

export function runnerOf({ test, script, isHooked = false }: RunnerFacts): Runner | null {
  if (typeof test !== 'string') return inList(test)
  const plain = test.trim()
  const asked = SCRIPT.exec(plain)
  if (asked === null || script === null) return inText(plain)
  const wrapper = WRAPPERS.exec(script.trim())?.[0] ?? ''
  const behind = inText(script.trim().slice(wrapper.length))
  if (behind === null || (behind.name === 'node' && wrapper !== '')) return null
  const [, manager = '', , , more = ''] = asked
  // Node takes options only before paths, so its own command is used instead of the script, if that is equivalent.
  if (behind.name === 'node') return isHooked || more !== '' || script.includes('&&') ? null : behind
  const dashes = manager === 'npm' && !/\s--(\s|$)/.test(more) ? ' --' : ''
  return {
    ...behind,
    given: [...behind.given, ...more.split(/\s+/)],
    adding: (words) =>
      words.length === 0 ? plain : `${runScript(plain)}${dashes} ${words.map(quoted).join(' ')}`,
  }
}

/** How the report of another test command is read: where the suite names no test, others do not either. */
export function hintBeside(suite: ReportHint | undefined, command: Command): ReportHint {
  const isKnown = runnerOf({ test: command, script: null }) !== null
  return suite?.kind === 'exit' && !isKnown ? suite : { kind: 'auto' }
}

/**
 * The runner alone, where steps come before it (`tsc && mocha`) or are hooked to its script: enough in a checkout in which all of
 * them have run. Null where nothing comes before it, or it is not known.
 */
export function runnerStep({ test, script, isHooked = false }: RunnerFacts): string | null {
  if (typeof test !== 'string') return null
  const manager = script === null ? null : PLAIN_SCRIPT.exec(test.trim())?.[1]
  if (manager === undefined) return null
  const steps = (script ?? test).split('&&').map((step) => step.trim())
  // Coverage of a part of the suite says nothing.
  const last = (steps.at(-1) ?? '').replace(/^((c8|nyc)\s+(-\S+\s+){0,9}|cross-env\s+)+/, '')
  const isPart = /^[^'"]*$|^[^'"]*(['"])[^'"]*\1[^'"]*$/.test(last)
  if (steps.length === 1 && !isHooked) return null
  if (!isPart || inText(last) === null || steps.slice(0, -1).some((step) => CHANGES_SHELL.test(step)))
    return null
  if (manager === null) return last
  const given = new RegExp(`^${VARIABLES}`).exec(last)?.[0] ?? ''
  const program = last.slice(given.length)
  return FOUND_ANYWHERE.test(program) ? last : `${given}${EXEC[manager] ?? ''} ${program}`
}

const PLAIN_SCRIPT = /^(npm|pnpm|yarn|bun)\s+(run\s+)?[\w:-]+$/
/** What comes after such a step needs it in its own shell. */
const CHANGES_SHELL = /^(cd|export|set|unset|umask|source|eval|\.)(\s|$)|^\w+=\S*$/
/** Without the help of a package manager. */
const FOUND_ANYWHERE = /^((node|npx|pnpm|yarn|bunx|uv|poetry|pipenv|python3?)\s|\S*\/)/

function inText(command: string): Runner | null {
  const at = command.lastIndexOf('&&')
  const [first, last] = at === -1 ? ['', command] : [command.slice(0, at + 2), command.slice(at + 2).trim()]
  if (MORE.test(last)) return null
  for (const { name, starts } of KNOWN) {
    const found = starts.exec(last)?.[0]
    if (found === undefined) continue
    const rest = last.slice(found.length)
    return {
      name,
      given: rest
        .split(/\s+/)
        .filter((word) => word !== '')
        .concat(found.split(/\s+/)),
      adding: (words) =>
        `${first === '' ? '' : `${first} `}${[found, ...words.map(quoted)].join(' ')}${rest}`,
    }
  }
  return null
}

function inList(test: readonly string[]): Runner | null {
  for (const { name, starts } of KNOWN) {
    for (let end = 1; end <= Math.min(test.length, 12); end++) {
      const head = test.slice(0, end).join(' ')
      if (starts.exec(head)?.[0] !== head) continue
      const more = test[end] === 'discover' && name === 'unittest' ? end + 1 : end
      return { name, given: test, adding: (words) => [...test.slice(0, more), ...words, ...test.slice(more)] }
    }
  }
  return null
}

/** Arguments that make a runner report to `path` too; null if it cannot, or reports elsewhere already. */
export function reportArguments(
  { name, given }: Pick<Runner, 'name' | 'given'>,
  path: string,
): readonly string[] | null {
  const has = (option: string): number =>
    given.filter((word) => word === option || word.startsWith(`${option}=`)).length
  switch (name) {
    case 'node': {
      const [reporters, places] = [has('--test-reporter'), has('--test-reporter-destination')]
      if (reporters > 1 || places > 0 || given.includes('--test-reporter')) return null
      const shown = reporters === 0 ? ['--test-reporter=spec'] : []
      const own = ['--test-reporter=tap', `--test-reporter-destination=${path}`]
      return [...shown, '--test-reporter-destination=stdout', ...own]
    }
    case 'vitest':
      if (has('--outputFile') > 0 || given.some((word) => word.startsWith('--outputFile.'))) return null
      return [
        ...(has('--reporter') === 0 ? ['--reporter=default'] : []),
        '--reporter=json',
        `--outputFile.json=${path}`,
      ]
    case 'jest':
      return has('--outputFile') > 0 || has('--json') > 0 ? null : ['--json', `--outputFile=${path}`]
    case 'pytest':
      return has('--junitxml') > 0 || has('--junit-xml') > 0 ? null : [`--junitxml=${path}`]
    case 'mocha':
    case 'unittest':
      return null
  }
}

/** Arguments that limit a runner to tests whose name contains one of these parts. */
export function nameFilterArguments(name: RunnerName, parts: readonly string[]): readonly string[] {
  switch (name) {
    case 'node':
      return parts.map((part) => `--test-name-pattern=${literalPattern(part)}`)
    case 'vitest':
    case 'jest':
      return ['-t', parts.map(literalPattern).join('|')]
    case 'mocha':
      return ['-g', parts.map(literalPattern).join('|')]
    case 'pytest':
      return ['-k', parts.join(' or ')]
    case 'unittest':
      return parts.flatMap((part) => ['-k', part])
  }
}
