/** Opens a clean checkout for commands outside of any plan. Everything it stores is in the caller's folder. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EvidenceStore } from '../lib/files/evidence-store.ts'
import { PortLeases } from '../lib/files/port-leases.ts'
import type { TrialEnvironment } from '../ports/command-trial.ts'
import { DependencyCache } from './runner/dependency-cache.ts'
import type { GateOptions } from './runner/gate-options.ts'
import { GateSite } from './runner/gate-site.ts'
import { HomePool } from './homes/home-pool.ts'

export interface TrialPlace extends Pick<GateOptions, 'checkouts' | 'processEnv' | 'timeoutMs'> {
  /** Holds outputs and dependencies; the caller removes it. */
  readonly folder: string
  /** The user's work tree, where `env_files` come from. */
  readonly root: string
}

/** The caller closes it. */
export async function openTrialSite(
  { folder, root, ...place }: TrialPlace,
  environment: TrialEnvironment,
  call: Parameters<typeof GateSite.open>[1],
): Promise<GateSite> {
  const cache = join(folder, 'dependencies')
  await mkdir(cache, { recursive: true })
  const parts = {
    ...place,
    evidence: new EvidenceStore(join(folder, 'evidence')),
    dependencies: new DependencyCache(cache),
    ports: new PortLeases(),
    homes: new HomePool(0),
    envFilesFrom: root,
    envFiles: environment.env_files ?? [],
    portCount: environment.ports ?? 0,
  }
  return GateSite.open(parts, call)
}
