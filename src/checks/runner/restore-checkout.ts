/** Restores protected files of the base in a checkout of work and removes whatever blocks their paths. */
import { copyFile, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { restoredManifest } from '../../core/gates/integrity/restore-protected.ts'
import { nameOf, segmentsOf } from '../../core/languages/paths.ts'
import type { GateSite } from './gate-site.ts'

export async function restoreProtected(
  site: GateSite,
  base: GateSite,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const old = base.files.isFile(path) ? base.files.text(path) : null
    const now = site.files.isFile(path) ? site.files.text(path) : null
    const merged =
      nameOf(path) === 'package.json' && old !== null && now !== null ? restoredManifest(old, now) : null
    const target = join(site.root, path)
    await clearWay(site.root, path)
    if (merged === null) await rm(target, { recursive: true, force: true })
    if (merged !== null) await writeFile(target, merged)
    else if (base.files.isFile(path)) {
      await mkdir(dirname(target), { recursive: true })
      await copyFile(join(base.root, path), target)
    }
  }
}

/** Removes links and files that stand where the base has a folder, so that nothing is written through a link. */
async function clearWay(root: string, path: string): Promise<void> {
  let folder = root
  for (const segment of segmentsOf(path).slice(0, -1)) {
    folder = join(folder, segment)
    const found = await lstat(folder).catch(() => null)
    if (found !== null && !found.isDirectory()) await rm(folder, { force: true })
  }
}
