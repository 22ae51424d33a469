/**
 * Other commands that may run a repository's tests, tried where the detected one names no test: a script may start a watcher, a
 * linter or a build first. What the project itself runs elsewhere comes first: its other scripts, then its CI.
 */
import { z } from 'zod'
import type { Command } from '../planning/plan.ts'
import { commandText, runnerOf } from '../test-reports/runner.ts'
import { detectCommands, testsOfKinds, type Listing } from './detect-commands.ts'

/** A trial takes as long as the suite. */
const MOST = 4
const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/
const GITLAB = '.gitlab-ci.yml'

/** Files that are read for their run steps. */
export const isWorkflowPath = (path: string): boolean => WORKFLOW.test(path) || path === GITLAB

/** In the order in which they are tried, without the detected one. */
export function testCandidates(repo: Listing): readonly Command[] {
  const detected = detectCommands(repo).commands.test
  const scripts = scriptsOf(repo.read('package.json'))
  const found = [...fromScripts(scripts), ...fromWorkflows(repo, scripts), ...fromFiles(repo)]
  const known = detected === null ? [] : [commandText(detected)]
  return [...new Set(found)].filter((command) => !known.includes(command)).slice(0, MOST)
}

type Scripts = ReadonlyMap<string, string>

const packageSchema = z.object({ scripts: z.record(z.string(), z.unknown()).catch({}) })

function scriptsOf(manifest: string | null): Scripts {
  try {
    const { scripts } = packageSchema.parse(JSON.parse(manifest ?? '{}'))
    return new Map(
      Object.entries(scripts).flatMap(([name, run]) => (typeof run === 'string' ? [[name, run]] : [])),
    )
  } catch {
    // An unreadable manifest has no scripts.
    return new Map()
  }
}

/** The runner at the end of a script, without what the script does before; `test` and its variants first. */
function fromScripts(scripts: Scripts): readonly string[] {
  const rank = (name: string): number => (name === 'test' ? 0 : name.startsWith('test') ? 1 : 2)
  const names = [...scripts.keys()].sort((one, other) => rank(one) - rank(other))
  return names.flatMap((name) => runnerIn(scripts.get(name) ?? '') ?? [])
}

function fromWorkflows({ files, read }: Listing, scripts: Scripts): readonly string[] {
  const paths = [...files].filter(isWorkflowPath).sort()
  return paths
    .flatMap((path) => runSteps(read(path) ?? ''))
    .flatMap((line) => {
      const script = scripts.get(/^(?:npm|pnpm|yarn|bun) (?:run )?([\w:-]+)$/.exec(line)?.[1] ?? '')
      return (script === undefined ? commandIn(line) : runnerIn(script)) ?? []
    })
}

/** Per language, where nothing the project says about itself names a test. */
function fromFiles(repo: Listing): readonly string[] {
  const { files, read } = repo
  const dependencies = read('package.json') ?? ''
  const has = (name: string): boolean => dependencies.includes(`"${name}"`)
  return [
    ...testsOfKinds(repo).map(commandText),
    ...(has('vitest') ? ['npx vitest run'] : []),
    ...(has('jest') ? ['npx jest'] : []),
    ...(has('mocha') ? ['npx mocha'] : []),
    ...(['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => files.has(name))
      ? ['python3 -m pytest -v', 'python3 -m unittest -v']
      : []),
  ]
}

const OWN = /^(cargo test|go test|ctest|make (test|tests|check)|(bundle exec )?rake (test|spec)[\w:]*)(\s|$)/

/** A step of CI that is a known runner, or a tool that is one by its language. */
const commandIn = (line: string): string | null =>
  OWN.test(line) && !/[|;&<>$`]/.test(line) ? line : runnerIn(line)

/** The known runner at the end of a line: once, without a package manager that may not be installed here. */
function runnerIn(line: string): string | null {
  const last = line.split('&&').at(-1)?.trim() ?? ''
  const bare = last.replace(/^(pnpm exec|pnpm|yarn|bunx|bun|npx)\s+/, '')
  const once = bare
    .replace(/^vitest(?!\s+run\b)(?=\s|$)/, 'vitest run')
    .replace(/\s--(run|watch)(?=\s|$)/g, '')
  const runner = runnerOf({ test: once, script: null })
  if (runner === null) return null
  return ['vitest', 'jest', 'mocha'].includes(runner.name) && /^(vitest|jest|mocha)\b/.test(once)
    ? `npx ${once}`
    : once
}

/** The lines of `run:` and `script:` in a workflow, without those that are filled in when it runs. */
export function runSteps(text: string): readonly string[] {
  const steps: string[] = []
  /** How far a block is indented whose lines are commands; null outside of one. */
  let block: number | null = null
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent === -1) continue
    const item = line.trim()
    if (block !== null && (indent > block || (indent === block && item.startsWith('- ')))) {
      steps.push(item.replace(/^- /, ''))
      continue
    }
    block = null
    const [, dash = '', value] = /^(- )?(?:run|script):\s*(.*)$/.exec(item) ?? []
    if (value === undefined) continue
    if (value === '' || /^[|>][+-]?$/.test(value)) block = indent + dash.length
    else steps.push(value)
  }
  return steps.map(unquoted).filter((step) => step !== '' && !step.includes('${{'))
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text
