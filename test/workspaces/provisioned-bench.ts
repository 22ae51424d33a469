/** Workers' folders with what Bosun places in them: a repository, a set-up that is counted, env files of the user's. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClonePool } from '../../src/workspaces/clones/clone-pool.ts'
import type { Clone } from '../../src/workspaces/clones/clone-pool.ts'
import { provision, type Provisioning, type Given } from '../../src/workspaces/clones/provision.ts'
import { takeSnapshot } from '../../src/workspaces/saved-work/work-snapshot.ts'
import { provisioningIn, NOW, openLab, userRepository, write, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

export const SECRET = 'TOKEN=do-not-tell-8f3a\n'
/** Nothing is ignored: what Bosun places is kept out by Bosun alone. */
export const FILES = {
  'package.json': '{"dependencies":{"dep":"1"}}\n',
  'package-lock.json': '{"lockfileVersion":3}\n',
  'src/a.js': 'a\n',
}

export interface Bench {
  readonly lab: Lab
  readonly provisioning: Provisioning
  readonly installs: () => number
  readonly prepare: (worker: string, more?: Partial<Given> & { tree?: string }) => Promise<Clone>
  /** The same state, seen by a Bosun that was just started. */
  readonly again: () => Bench
}

export const NPM = 'mkdir -p node_modules/dep && echo fresh > node_modules/dep/index.js'

export async function aBench(
  options: {
    setup?: string | null
    files?: Record<string, string>
    envFiles?: string[]
    timeoutMs?: number
  } = {},
): Promise<Bench> {
  const root = userRepository({ files: options.files ?? FILES })
  write(root, { '.env': SECRET, 'config/local/.env': 'DEEP=1\n' })
  const lab = await openLab(root)
  const log = join(tempFolder(), 'installs')
  const setup = options.setup === undefined ? NPM : options.setup
  const provisioning = (): Provisioning => ({
    ...provisioningIn(lab, {
      setup: setup === null ? null : `echo x >> ${log}; ${setup}`,
      env_files: options.envFiles ?? ['.env', 'config/local/.env', '.env.gone', '../outside'],
    }),
    timeoutMs: options.timeoutMs ?? 60_000,
  })
  const on = (clones: ClonePool, parts: Provisioning): Bench => ({
    lab: { ...lab, clones },
    provisioning: parts,
    installs: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
    prepare: (worker, { tree, ...given } = {}) =>
      clones.acquire(worker, { commit: lab.user.base.commit, tree: tree ?? null }, (room) =>
        provision(parts, room, { ports: [], signal: new AbortController().signal, ...given }),
      ),
    again: () => on(new ClonePool({ quarantine: lab.quarantine, directory: lab.state }), provisioning()),
  })
  return on(lab.clones, provisioning())
}

export const dep = (clone: Clone): string => join(clone.path, 'node_modules/dep/index.js')
export const read = (path: string): string => readFileSync(path, 'utf8')

/** A tree made of the base and these files, as a draft is. */
export async function draft(lab: Lab, files: Record<string, string>): Promise<string> {
  const clone = await lab.clones.acquire('w-draft', {
    commit: lab.user.base.commit,
    tree: null,
  })
  write(clone.path, files)
  const taken = await takeSnapshot(clone, { atMs: NOW })
  if (!taken.ok) throw new Error(taken.why)
  await lab.clones.release('w-draft', NOW)
  return taken.tree
}
