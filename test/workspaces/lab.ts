/** A user's repository and Bosun's copy of it, in folders that are gone after the tests. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EvidenceStore } from '../../src/lib/process/output-keeper.ts'
import { CheckoutSlots } from '../../src/workspaces/clones/slots.ts'
import type { Clone } from '../../src/workspaces/clones/clone-pool.ts'
import { ClonePool } from '../../src/workspaces/clones/clone-pool.ts'
import { Dependencies } from '../../src/workspaces/clones/dependencies.ts'
import type { Provisioning } from '../../src/workspaces/clones/provision.ts'
import { Git, surroundingsIn } from '../../src/workspaces/git/git.ts'
import { Quarantine } from '../../src/workspaces/quarantine.ts'
import * as snapshots from '../../src/workspaces/saved-work/work-snapshot.ts'
import { pathText } from '../../src/workspaces/git/byte-path.ts'
import { openUserRepository, type UserRepository } from '../../src/workspaces/user-repository.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** Git as the user or a worker runs it, with all the programs their settings name. */
export function sh(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: join(cwd, 'no-home'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  }).trim()
}

export const FILES = {
  'README.md': '# Shop\n',
  'src/a.js': 'export const a = 1\n',
  'src/deep/b.js': 'export const b = 2\n',
  'docs/notes.md': 'notes\n',
  '.gitignore': 'node_modules\n*.log\n',
}

export function userRepository(
  options: {
    files?: Readonly<Record<string, string | Buffer>>
    init?: readonly string[]
    name?: string
  } = {},
): string {
  const root = join(tempFolder(), options.name ?? 'shop')
  mkdirSync(root)
  sh(root, 'init', '-q', '-b', 'main', ...(options.init ?? []))
  sh(root, 'config', 'user.name', 'Ada')
  sh(root, 'config', 'user.email', 'ada@example.org')
  write(root, options.files ?? FILES)
  sh(root, 'add', '-A')
  sh(root, 'commit', '-q', '-m', 'Start')
  return root
}

export interface Lab {
  readonly git: Git
  readonly user: UserRepository
  readonly state: string
  readonly quarantine: Quarantine
  readonly clones: ClonePool
  readonly checkouts: CheckoutSlots
  /** A worker's work tree, at the base. */
  clone(worker?: string): Promise<Clone>
  /** Git in the quarantine, to see what is there. */
  look(...args: string[]): string
}

export const testGit = (home = '/nonexistent'): Git =>
  new Git(
    surroundingsIn({
      PATH: process.env['PATH'],
      HOME: home,
      GIT_CEILING_DIRECTORIES: process.env['GIT_CEILING_DIRECTORIES'],
    }),
  )

export async function openLab(root: string): Promise<Lab> {
  const state = join(tempFolder('state é'), 'repos', 'shop-12345678')
  mkdirSync(state, { recursive: true })
  const git = testGit()
  const user = await openUserRepository(git, root)
  const quarantine = await Quarantine.open({ git, directory: state, objectFormat: user.objectFormat })
  await quarantine.fetch(user, user.base.commit)
  const parts = { quarantine, directory: state }
  const clones = new ClonePool(parts)
  return {
    git,
    user,
    state,
    quarantine,
    clones,
    checkouts: new CheckoutSlots(parts),
    clone: (worker = 'w-shop-1-1') => clones.acquire(worker, { commit: user.base.commit, tree: null }),
    look: (...args) => sh(state, `--git-dir=${quarantine.place.gitDir}`, ...args),
  }
}

/** What is placed in workers' folders; nothing by default. */
export function provisioningIn(
  lab: Lab,
  environment: Provisioning['environment'] = { setup: null },
): Provisioning {
  const evidence = join(lab.state, 'evidence')
  return {
    quarantine: lab.quarantine,
    plan: 'shop',
    dependencies: new Dependencies(join(lab.state, 'cache', 'workers')),
    environment,
    envFilesFrom: lab.user.root,
    processEnv: process.env,
    timeoutMs: 60_000,
    evidence: { store: new EvidenceStore(evidence), folder: evidence },
  }
}

type Snapshot = snapshots.Snapshot & { readonly changed?: readonly string[] }

/** With the paths that differ from the commit the worker started from. */
async function withChanged(clone: Clone, taken: snapshots.Snapshot): Promise<Snapshot> {
  if (!taken.ok) return taken
  const differences = await clone.quarantine.trees.differences(clone.start.commit, taken.tree)
  return { ...taken, changed: differences.map(({ path }) => pathText(path)) }
}

export const takeSnapshot = async (
  clone: Clone,
  options: Parameters<typeof snapshots.takeSnapshot>[1],
): Promise<Snapshot> => withChanged(clone, await snapshots.takeSnapshot(clone, options))

export const collect = async (
  clone: Clone,
  options: Parameters<typeof snapshots.collect>[1],
): Promise<Snapshot> => withChanged(clone, await snapshots.collect(clone, options))
