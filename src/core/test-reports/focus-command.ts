/** Derives the command for some test files from the command that runs all of them. */
import type { Command } from '../planning/plan.ts'

export interface FocusFacts {
  readonly test: Command | null
  readonly paths: readonly string[]
  /** The script behind `npm test`, if the command is one. */
  readonly script: string | null
}

/** Variables before a command, as in `PYTHONPATH=src pytest`. */
export const VARIABLES = String.raw`(\w{1,99}=[^\s;|&<>\x60$]{0,200}\s+){0,9}`

const TAKES_PATHS = new RegExp(
  String.raw`(^|&&|;)\s{0,9}${VARIABLES}((npx|pnpm|pnpm exec|yarn|bunx|uv run|poetry run|python3? -m)\s)?\s{0,9}(\S{0,200}\/)?(vitest( run)?|jest|pytest|mocha|ava|node (--\S+ ){0,9}--test)(\s[^&|;]*)?$`,
)
const SCRIPT = /^(npm|pnpm|yarn|bun)\s(run\s)?([\w:-]+)$/

/** Null if unknown. A compound command is only supported if its last program takes paths. */
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
  const manager = SCRIPT.exec(plain)?.[1]
  if (manager === undefined || script === null || !TAKES_PATHS.test(script.trim())) return null
  // With node, the paths in the script would run too, so its command is used instead.
  if (/\bnode\b.*--test/.test(script)) return `${withoutPaths(script.trim())} ${files}`
  return manager === 'npm' ? `${plain} -- ${files}` : `${runScript(plain)} ${files}`
}

/** Limits a runner to these files. But for node, what it names itself may be no path and is left in. */
export function focusRunner(runner: string, paths: readonly string[]): Command | null {
  if (/\bnode\b.*--test/.test(runner)) return focusCommand({ test: runner, paths, script: null })
  return `${runner} ${paths.map((path) => quoted(path.startsWith('-') ? `./${path}` : path)).join(' ')}`
}

/** `pnpm test` refuses options of the script; `pnpm run test` passes them on. */
export const runScript = (command: string): string => command.replace(/^pnpm\s+(?!run\s)/, 'pnpm run ')

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
export function quoted(word: string): string {
  return /^[\w./@+=:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function commandText(command: Command): string {
  return typeof command === 'string' ? command : command.map(quoted).join(' ')
}
