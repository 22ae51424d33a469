/** Commands of a repository with a package.json, or with tests for node's own runner. */
import { z } from 'zod'
import { chainOf, type Chain } from './detect-chain.ts'
import type { DetectedCommands, Listing } from './detect-commands.ts'

const texts = z.record(z.string(), z.unknown())
const packageSchema = z.object({
  scripts: texts.optional().catch(undefined),
  dependencies: texts.optional().catch(undefined),
  devDependencies: texts.optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
  workspaces: z.unknown().optional(),
})
type Package = z.infer<typeof packageSchema>

interface Manager {
  readonly name: string
  readonly locks: readonly string[]
  readonly install: string
  /** Runs an installed program. */
  readonly exec: string
}

const NPM: Manager = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: 'npm ci',
  exec: 'npx',
}
const MANAGERS: readonly Manager[] = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], install: 'pnpm install --frozen-lockfile', exec: 'pnpm exec' },
  { name: 'yarn', locks: ['yarn.lock'], install: 'yarn install --frozen-lockfile', exec: 'yarn' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], install: 'bun install --frozen-lockfile', exec: 'bunx' },
  NPM,
]
const TEST_FILE =
  /(^|[./_-])(test|spec)\.[cm]?[jt]s$|(^|\/)tests?\/[^/]+\.[cm]?[jt]s$|(^|\/)test-[^/]+\.[cm]?js$/

export function nodeCommands(repo: Listing): Partial<DetectedCommands> | null {
  const text = repo.read('package.json')
  if (text === null) {
    const hasTests = [...repo.files].some((path) => TEST_FILE.test(path) && !path.startsWith('node_modules/'))
    return hasTests ? { test: 'node --test' } : null
  }
  const manifest = parsed(text)
  if (manifest === null) return null
  const manager = managerOf(manifest, repo)
  const script = (...names: readonly string[]): string | null => {
    const name = names.find((one) => isRealScript(manifest.scripts?.[one]))
    if (name === undefined) return null
    return name === 'test' ? `${manager.name} test` : `${manager.name} run ${name}`
  }
  const chain = chainIn(manifest, manager)
  return {
    setup: setupFor(manifest, manager, repo),
    test: chain?.test ?? script('test', 'test:unit', 'test:ci') ?? runnerOf(manifest, repo),
    lint: script('lint', 'lint:check', 'eslint') ?? chain?.lint ?? null,
    typecheck:
      script('typecheck', 'type-check', 'types', 'tsc', 'check-types') ??
      chain?.typecheck ??
      compilerOf(manifest, repo),
    build: script('build', 'compile'),
  }
}

/** Only the package manager runs pre and post scripts, so a script with those is not split. */
function chainIn({ scripts = {} }: Package, manager: Manager): Chain | null {
  const { test: script } = scripts
  if (typeof script !== 'string' || !isRealScript(script)) return null
  if (['pretest', 'posttest'].some((name) => isRealScript(scripts[name]))) return null
  const names = new Set(Object.keys(scripts).filter((name) => isRealScript(scripts[name])))
  return chainOf({ script, runs: manager.exec, runsScript: `${manager.name} run`, scripts: names })
}

function parsed(text: string): Package | null {
  try {
    const read = packageSchema.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    // An unreadable manifest counts as empty.
    return null
  }
}

/** `npm init` writes a test that always fails. */
function isRealScript(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script)
}

function managerOf(manifest: Package, { files }: Listing): Manager {
  const named = manifest.packageManager?.split('@')[0]
  return (
    MANAGERS.find(({ name }) => name === named) ??
    MANAGERS.find(({ locks }) => locks.some((lock) => files.has(lock))) ??
    NPM
  )
}

/** Without dependencies there is nothing to install. */
function setupFor(manifest: Package, manager: Manager, { files }: Listing): string | null {
  const named = { ...manifest.dependencies, ...manifest.devDependencies }
  if (Object.keys(named).length === 0 && manifest.workspaces === undefined) return null
  return manager.locks.some((name) => files.has(name)) ? manager.install : `${manager.name} install`
}

function runnerOf(manifest: Package, { files }: Listing): string | null {
  if (isDependency(manifest, 'vitest')) return 'npx vitest run'
  if (isDependency(manifest, 'jest')) return 'npx jest'
  if (isDependency(manifest, 'mocha')) return 'npx mocha'
  return [...files].some((path) => TEST_FILE.test(path)) ? 'node --test' : null
}

function compilerOf(manifest: Package, { files }: Listing): string | null {
  return files.has('tsconfig.json') && isDependency(manifest, 'typescript') ? 'npx tsc --noEmit' : null
}

function isDependency(manifest: Package, name: string): boolean {
  return [manifest.dependencies, manifest.devDependencies].some(
    (all) => all !== undefined && Object.hasOwn(all, name),
  )
}
