/**
 * Splits a test script that runs several programs in a row (`xo && ava && tsd`); each program's purpose follows from its
 * name. The script is split only where every step is known or comes before the tests, so that no step is lost.
 */

/** The commands of a split script; null where it has no such step. */
export interface Chain {
  readonly test: string
  readonly lint: string | null
  readonly typecheck: string | null
}

export interface ScriptFacts {
  readonly script: string
  /** How to run an installed program: `npx`, `pnpm exec`. */
  readonly runs: string
  /** How to run another script: `npm run`. */
  readonly runsScript: string
  readonly scripts: ReadonlySet<string>
}

type Kind = 'lint' | 'typecheck' | 'ava' | 'runner' | 'script' | 'other'

const PLAIN = /^[\w@./:=,*'"-]+(\s+[\w@./:=,*'"-]+)*$/
const WRAPPED = /^(c8|nyc)\s+(?=ava\b)/
const KINDS: readonly (readonly [Exclude<Kind, 'other'>, RegExp])[] = [
  [
    'lint',
    /^(xo|standard|semistandard|eslint|oxlint|biome (check|lint|ci)|prettier (.* )?(--check|-c))(\s|$)/,
  ],
  ['typecheck', /^(tsd|tsc (.* )?--noEmit|vue-tsc (.* )?--noEmit)(\s|$)/],
  ['ava', /^ava(\s|$)/],
  ['runner', /^(vitest run|jest|mocha|node (--\S+ ){0,9}--test)(\s|$)/],
  ['script', /^((npm|pnpm|yarn|bun) run [\w:-]+|npm-run-all|run-s|run-p)(\s|$)/],
]

/** Null where the script should run unsplit: its last step is a known test runner, or a step is unknown. */
export function chainOf(facts: ScriptFacts): Chain | null {
  const steps = facts.script.split('&&').map((step) => step.trim())
  if (!steps.every((step) => PLAIN.test(step))) return null
  const kinds = steps.map(kindOf)
  const at = kinds.findIndex(isTest)
  const [step, kind] = [steps[at], kinds[at]]
  if (step === undefined || kinds.filter(isTest).length > 1) return null
  if (kind === 'runner' && at === steps.length - 1) return null
  const own = (wanted: Kind): string | null => {
    const found = steps.filter((_, n) => kinds[n] === wanted).map((one) => `${facts.runs} ${one}`)
    return found.length === 0 ? null : found.join(' && ')
  }
  const others = steps.map((one, n) => ({ one, n })).filter(({ n }) => isOther(kinds[n]))
  if (others.some(({ one, n }) => n > at && !isOwnGate(one, facts))) return null
  const before = others.filter(({ one, n }) => n < at && !isOwnGate(one, facts))
  if (before.some(({ n }) => kinds[n] === 'other')) return null
  const run = step.startsWith('node ') ? step : `${facts.runs} ${step}`
  const test = [...before.map(({ one }) => one), kind === 'ava' ? withTap(run) : run].join(' && ')
  return { test, lint: own('lint'), typecheck: own('typecheck') }
}

const isTest = (kind: Kind | undefined): boolean => kind === 'ava' || kind === 'runner'
const isOther = (kind: Kind | undefined): boolean => kind === 'other' || kind === 'script'

function kindOf(step: string): Kind {
  const bare = step.replace(WRAPPED, '')
  return KINDS.find(([, starts]) => starts.test(bare))?.[0] ?? 'other'
}

/** A script that has a gate of its own does not run again with the tests. */
function isOwnGate(step: string, { runsScript, scripts }: ScriptFacts): boolean {
  const name = /^(lint|typecheck|type-check)$/.exec(step.slice(runsScript.length + 1))?.[0]
  return step.startsWith(`${runsScript} `) && name !== undefined && scripts.has(name)
}

/** The default output of ava does not name passed tests. */
const withTap = (run: string): string =>
  /\s(--tap|-t)(\s|$)/.test(run) ? run : run.replace(/\bava\b/, 'ava --tap')
