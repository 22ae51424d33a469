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

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'
const INSTALL: Readonly<Record<Manager, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install --frozen-lockfile',
  bun: 'bun install --frozen-lockfile',
}
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
    return name === 'test' ? `${manager} test` : `${manager} run ${name}`
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

const EXEC: Readonly<Record<Manager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
}

/** Only the package manager runs pre and post scripts, so a script with those is not split. */
function chainIn({ scripts = {} }: Package, manager: Manager): Chain | null {
  const { test: script } = scripts
  if (typeof script !== 'string' || !isRealScript(script)) return null
  if (['pretest', 'posttest'].some((name) => isRealScript(scripts[name]))) return null
  const names = new Set(Object.keys(scripts).filter((name) => isRealScript(scripts[name])))
  return chainOf({ script, runs: EXEC[manager], runsScript: `${manager} run`, scripts: names })
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
  const named = /^(npm|pnpm|yarn|bun)@/.exec(manifest.packageManager ?? '')?.[1]
  if (named === 'npm' || named === 'pnpm' || named === 'yarn' || named === 'bun') return named
  if (files.has('pnpm-lock.yaml')) return 'pnpm'
  if (files.has('yarn.lock')) return 'yarn'
  return files.has('bun.lock') || files.has('bun.lockb') ? 'bun' : 'npm'
}

/** Without dependencies there is nothing to install. */
function setupFor(manifest: Package, manager: Manager, { files }: Listing): string | null {
  const named = { ...manifest.dependencies, ...manifest.devDependencies }
  if (Object.keys(named).length === 0 && manifest.workspaces === undefined) return null
  const isLocked = LOCKS[manager].some((name) => files.has(name))
  return isLocked ? INSTALL[manager] : `${manager} install`
}

const LOCKS: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
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
