/** Recognizes test runners by their command, to pass them test files and a report path. */
import type { Command } from '../planning/plan.ts'
import { literalPattern } from '../../lib/text/counted.ts'
import type { ReportHint } from './test-report.ts'

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

/** Variables before a command, as in `PYTHONPATH=src pytest`. */
const VARIABLES = String.raw`(\w{1,99}=[^\s;|&<>\x60$]{0,200}\s+){0,9}`

const BEFORE = `^${VARIABLES}((npx|pnpm|pnpm exec|yarn|bunx|uv run|poetry run|pipenv run)\\s+)?`
/** How a package manager runs an installed program. */
const EXEC: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }
/** A program of the tree itself does not count as a known runner. */
const PLACE = '((/\\S*|(\\./)?node_modules/\\.bin|(\\./)?\\.?venv/bin)/)?'
const runner = (starts: string): RegExp => new RegExp(`${BEFORE}${starts}(?=\\s|$)`)
const KNOWN: readonly (readonly [name: RunnerName, starts: RegExp])[] = [
  [
    'node',
    runner(`${PLACE}node\\s+((--import|--require|-r|--loader)\\s+\\S+\\s+|--[\\w=./-]+\\s+){0,9}--test`),
  ],
  ['vitest', runner(`${PLACE}vitest\\s+run`)],
  ['jest', runner(`${PLACE}jest`)],
  ['mocha', runner(`${PLACE}mocha`)],
  ['pytest', runner(`(${PLACE}python3?\\s+-m\\s+)?${PLACE}pytest`)],
  ['unittest', runner(`${PLACE}python3?\\s+-m\\s+unittest(\\s+discover)?`)],
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
  for (const [name, starts] of KNOWN) {
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
  for (const [name, starts] of KNOWN) {
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
  const literal = parts.map(literalPattern)
  if (name === 'node') return literal.map((part) => `--test-name-pattern=${part}`)
  if (name === 'pytest') return ['-k', parts.join(' or ')]
  if (name === 'unittest') return parts.flatMap((part) => ['-k', part])
  return [name === 'mocha' ? '-g' : '-t', literal.join('|')]
}

interface FocusFacts {
  readonly test: Command | null
  readonly paths: readonly string[]
  /** The script behind `npm test`, if the command is one. */
  readonly script: string | null
}

const TAKES_PATHS = new RegExp(
  String.raw`(^|&&|;)\s{0,9}${VARIABLES}((npx|pnpm|pnpm exec|yarn|bunx|uv run|poetry run|python3? -m)\s)?\s{0,9}(\S{0,200}\/)?(vitest( run)?|jest|pytest|mocha|ava|node (--\S+ ){0,9}--test)(\s[^&|;]*)?$`,
)
const PACKAGE_SCRIPT = /^(npm|pnpm|yarn|bun)\s(run\s)?([\w:-]+)$/

/**
 * Derives the command for some test files from the command that runs all of them. Null if unknown. A compound command is only
 * supported if its last program takes paths.
 */
export function focusCommand(facts: FocusFacts): Command | null {
  const { test, script } = facts
  if (test === null || facts.paths.length === 0) return null
  const paths = facts.paths.map((path) => (path.startsWith('-') ? `./${path}` : path))
  if (typeof test !== 'string') {
    return TAKES_PATHS.test(test.join(' ')) ? [...test.filter((word) => !isGlob(word)), ...paths] : null
  }
  const files = paths.map(quoted).join(' ')
  const plain = test.trim()
  if (TAKES_PATHS.test(plain)) return `${withoutPaths(plain)} ${files}`
  const goTest = ALL_PACKAGES.exec(plain)?.[1]
  if (goTest !== undefined) return paths.every(isGo) ? `${goTest} ${packagesOf(paths)}` : null
  const manager = PACKAGE_SCRIPT.exec(plain)?.[1]
  if (manager === undefined || script === null || !TAKES_PATHS.test(script.trim())) return null
  // With node, the paths in the script would run too, so its command is used instead.
  if (/\bnode\b.*--test/.test(script)) return `${withoutPaths(script.trim())} ${files}`
  return manager === 'npm' ? `${plain} -- ${files}` : `${runScript(plain)} ${files}`
}

const ALL_PACKAGES = new RegExp(String.raw`^(${VARIABLES}go test(\s[^|;&<>$\x60]{0,200})?)\s\.\/\.\.\.$`)
const isGo = (path: string): boolean => path.endsWith('.go')

/** Go tests by package, which is a folder. */
function packagesOf(paths: readonly string[]): string {
  const folders = paths.map((path) => `./${path.split('/').slice(0, -1).join('/')}`)
  return [...new Set(folders)].map(quoted).join(' ')
}

/** Limits a runner to these files. But for node, what it names itself may be no path and is left in. */
export function focusRunner(runner: string, paths: readonly string[]): Command | null {
  if (/\bnode\b.*--test/.test(runner)) return focusCommand({ test: runner, paths, script: null })
  return `${runner} ${paths.map((path) => quoted(path.startsWith('-') ? `./${path}` : path)).join(' ')}`
}

/** `pnpm test` refuses options of the script; `pnpm run test` passes them on. */
const runScript = (command: string): string => command.replace(/^pnpm\s+(?!run\s)/, 'pnpm run ')

/** Replaces the paths in commands such as `node --test test/` and `pytest tests`. */
function withoutPaths(command: string): string {
  const words = command.split(/\s+/)
  const last = words.findLastIndex((word) =>
    /^(&&|;|run|--test|(\S*\/)?(jest|vitest|pytest|mocha|ava))$/.test(word),
  )
  return [...words.slice(0, last + 1), ...words.slice(last + 1).filter((word) => word.startsWith('-'))].join(
    ' ',
  )
}

const isGlob = (word: string): boolean => /[*?]/.test(word)

/** Quotes an argument for `sh` if needed. */
function quoted(word: string): string {
  return /^[\w./@+=:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function commandText(command: Command): string {
  return typeof command === 'string' ? command : command.map(quoted).join(' ')
}

/** Whether a chain of `&&` runs this command too; not if anything else in it could hide its failure. */
export const isStepOf = (command: string, chain: string): boolean =>
  !/[|;&(){}'"`\\\n#]/.test(chain.replaceAll(' && ', ' ')) &&
  ` && ${chain} && `.includes(` && ${command} && `)
