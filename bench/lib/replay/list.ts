/** Which commits to replay, and how: from the command line and from lists. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The checks of bosun.yaml that the caller sets in place of what `bosun init` found; null switches one off. */
export type ChosenChecks = Readonly<Record<string, string | null>>

export interface Wanted {
  readonly repository: string
  /** One plan: a task for each. */
  readonly commits: readonly string[]
  readonly checks: ChosenChecks
  readonly tier?: string
}

const CHECKS = ['setup', 'test', 'lint', 'typecheck', 'build'] as const
const text = { type: 'string' } as const
/** What may stand in a line of a list too. */
const OF_COMMITS = {
  chain: { type: 'boolean' },
  tier: text,
  setup: text,
  test: text,
  lint: text,
  typecheck: text,
  build: text,
} as const
const OF_ALL = {
  from: text,
  record: text,
  keep: text,
  limit: text,
  'at-once': text,
  json: { type: 'boolean' },
} as const

export interface Call {
  readonly wanted: readonly Wanted[]
  readonly list: string | null
  readonly record: string | null
  readonly keep: string | null
  readonly limitSeconds: number
  readonly atOnce: number
}

export function readCall(args: readonly string[]): Call {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...OF_COMMITS, ...OF_ALL },
  })
  return {
    wanted: wantedOf(positionals, values),
    list: values.from ?? null,
    record: values.record ?? null,
    keep: values.keep === undefined ? null : resolve(values.keep),
    limitSeconds: Number(values.limit ?? '600'),
    atOnce: Number(values['at-once'] ?? '1'),
  }
}

/** `PATH SHA… [options]` a line, words in quotes where they hold spaces; `#` begins a comment line. */
export function readList(content: string): readonly Wanted[] {
  const lines = content.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.flatMap((line) => {
    const { values, positionals } = parseArgs({
      args: [...quotedWords(line)],
      allowPositionals: true,
      options: OF_COMMITS,
    })
    return wantedOf(positionals, values)
  })
}

function wantedOf(
  [repository, ...commits]: readonly string[],
  values: Readonly<Record<string, string | boolean | undefined>>,
): readonly Wanted[] {
  if (repository === undefined) return []
  const checks = Object.fromEntries(
    CHECKS.flatMap((check) => {
      const value = values[check]
      return typeof value === 'string' ? [[check, value === 'none' ? null : value]] : []
    }),
  )
  const { tier } = values
  const more = { repository, checks, ...(typeof tier === 'string' ? { tier } : {}) }
  return (values['chain'] === true ? [commits] : commits.map((commit) => [commit])).map((commits) => ({
    ...more,
    commits,
  }))
}

const quotedWords = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
