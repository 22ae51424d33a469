import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Surroundings } from '../ports/machine.ts'
import { findSettings } from './read-settings.ts'
import { findRepositoryRoot } from './repository.ts'

const PLANS_FOLDER = 'docs/plans'
const MAX_PLANS = 100

/** Finds plans and settings around a folder, without running anything. */
export async function lookAround(cwd: string): Promise<Surroundings> {
  const repository = await findRepositoryRoot(cwd)
  const folder = join(repository ?? cwd, PLANS_FOLDER)
  const names = await planNames(folder)
  return {
    repository,
    settings: (await findSettings(cwd)).kind,
    plans: names.map((name) => relative(cwd, join(folder, name))),
  }
}

async function planNames(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    return names.filter(isPlanName).sort().slice(0, MAX_PLANS)
  } catch {
    // Missing or unreadable folder: no plans to offer.
    return []
  }
}

/** Design documents beside plans are not plans. */
function isPlanName(name: string): boolean {
  return /\.(md|ya?ml)$/.test(name) && !name.endsWith('-design.md')
}
