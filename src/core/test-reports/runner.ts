/** Test runners that are known well enough to be told what to run and where to report, by the command that starts them. */
import type { Command } from '../planning/plan.ts'
import { quoted } from './focus-command.ts'

export type RunnerName = 'node' | 'vitest' | 'jest' | 'mocha' | 'pytest' | 'unittest'

export interface RunnerFacts {
  readonly test: Command
  /** What the script runs, where the command is one of a package manager. */
  readonly script: string | null
  /** Whether the package manager runs more before or after that script. */
  readonly isHooked?: boolean
}

/** A command that starts one runner, last; words may be added to it. */
export interface Runner {
  readonly name: RunnerName
  /** `words` right after the runner's own name, so that they come before what it is to run. */
  readonly adding: (words: readonly string[]) => Command
  /** Those given so far. */
  readonly given: readonly string[]
}

const BEFORE = /^((npx|pnpm exec|yarn|bunx|uv run|poetry run|pipenv run)\s+)?/.source
/** A program of the tree itself is not one that is known. */
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
/** Anything that a shell would take for more than words. */
const MORE = /[|;&<>`\n]|\$\(/

/** The name of the script that a package manager is asked to run. */
export function scriptIn(test: Command): string | null {
  return typeof test === 'string' ? (SCRIPT.exec(test.trim())?.[3] ?? null) : null
}

export function runnerOf({ test, script, isHooked = false }: RunnerFacts): Runner | null {
  if (typeof test !== 'string') return inList(test)
  const plain = test.trim()
  const asked = SCRIPT.exec(plain)
  if (asked === null || script === null) return inText(plain)
  const behind = inText(script.trim())
  if (behind === null) return null
  const [, manager = '', , , more = ''] = asked
  // Node takes options only before paths, which its script may name: its command is run instead, where it is all there is.
  if (behind.name === 'node') return isHooked || more !== '' || script.includes('&&') ? null : behind
  const dashes = manager === 'npm' && !/\s--(\s|$)/.test(more) ? ' --' : ''
  return {
    ...behind,
    given: [...behind.given, ...more.split(/\s+/)],
    adding: (words) => (words.length === 0 ? plain : `${plain}${dashes} ${words.map(quoted).join(' ')}`),
  }
}

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

/** Words that make a runner report to `path` as well; null where it cannot, or is told to report elsewhere already. */
export function reportWords(
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

/** Words that make a runner run only tests whose name holds `part`. */
export function nameWords(name: RunnerName, part: string): readonly string[] {
  switch (name) {
    case 'node':
      return [`--test-name-pattern=${part}`]
    case 'vitest':
    case 'jest':
      return ['-t', part]
    case 'mocha':
      return ['-g', part]
    case 'pytest':
    case 'unittest':
      return ['-k', part]
  }
}
