/**
 * Where adapters lie: packages that speak the Agent Client Protocol for an agent that does not. Each version has a folder
 * of its own under `adapters/` of the state root, which is there whole or not at all.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import type { AcpAdapter } from './agent-row.ts'

export const adaptersFolder = (root: string): string => join(root, 'adapters')

export const adapterFolder = (root: string, adapter: Pick<AcpAdapter, 'package' | 'version'>): string =>
  join(adaptersFolder(root), specOf(adapter).replaceAll('/', '+'))

/** As npm names it. */
export const specOf = ({ package: name, version }: Pick<AcpAdapter, 'package' | 'version'>): string =>
  `${name}@${version}`

/** The program of an installed adapter; null where it is not installed. */
export function installedAdapter(root: string, adapter: AcpAdapter): string | null {
  const found = adapterIn(adapterFolder(root, adapter), adapter)
  return found.ok ? found.entry : null
}

export type FoundAdapter =
  | { readonly ok: true; readonly entry: string }
  | { readonly ok: false; readonly why: string }

const manifestSchema = z.object({ name: z.string(), version: z.string() })

/** The adapter in a folder that npm installed it to, if it is the very package and version. */
export function adapterIn(folder: string, adapter: AcpAdapter): FoundAdapter {
  const home = join(folder, 'node_modules', adapter.package)
  const text = readIfExists(join(home, 'package.json'))
  if (text === null) return { ok: false, why: `${adapter.package} is not installed` }
  const manifest = manifestSchema.safeParse(parsed(text)).data
  if (manifest === undefined) return { ok: false, why: `its package.json names no package` }
  if (manifest.name !== adapter.package || manifest.version !== adapter.version)
    return { ok: false, why: `found ${specOf({ package: manifest.name, version: manifest.version })}` }
  const entry = join(home, adapter.entry)
  return existsSync(entry) ? { ok: true, entry } : { ok: false, why: `it has no ${adapter.entry}` }
}

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

/** Why what npm fetched is not the very package that was tried; null where it is. npm held it against this hash. */
export function foreignPackage(
  folder: string,
  adapter: Pick<AcpAdapter, 'package' | 'integrity'>,
): string | null {
  const text = readIfExists(join(folder, 'node_modules', '.package-lock.json'))
  const lock = text === null ? undefined : lockSchema.safeParse(parsed(text)).data
  const found = lock?.packages[`node_modules/${adapter.package}`]?.integrity
  if (found === undefined) return 'npm recorded no hash of it'
  return found === adapter.integrity ? null : `its hash is ${found}, not ${adapter.integrity}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A package without a readable manifest is not the one that was asked for.
    return null
  }
}
