/** Installs agents at exact versions into a cache outside of the repository, once. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Installation } from './agents.ts'

const run = promisify(execFile)

export const cacheFolder = (): string =>
  process.env['BOSUN_AGENTS_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'bosun-test-agents')

const folderOf = (spec: string): string => join(cacheFolder(), spec.replaceAll('/', '+'))

/** The file of an installed package. */
export const installedFile = (spec: string, path: string): string =>
  join(folderOf(spec), 'node_modules', spec.replace(/@[^@]+$/, ''), path)

/** Install scripts do not run: what needs one does not belong on a machine that is tested with. */
export async function install({ spec, omitsOptional = false }: Installation): Promise<void> {
  const folder = folderOf(spec)
  if (existsSync(folder)) return
  await mkdir(cacheFolder(), { recursive: true })
  const half = await mkdtemp(`${folder}.half-`)
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...(omitsOptional ? ['--omit=optional'] : []),
  ]
  try {
    await run('npm', ['install', '--prefix', half, ...options, spec], { cwd: half, timeout: 900_000 })
    await rename(half, folder).catch((error: unknown) => {
      // Test files run at the same time, and another one may have installed it meanwhile.
      if (!existsSync(folder)) throw error
    })
  } catch (error) {
    throw new Error(
      `cannot install ${spec}: the tests with real agents fetch it from npm once, into ${cacheFolder()} ` +
        `(BOSUN_AGENTS_CACHE names another folder). ${reasonOf(error)}`,
      { cause: error },
    )
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return (
    said
      .split('\n')
      .filter((line) => line.startsWith('npm error'))
      .slice(0, 4)
      .join('\n') || said.slice(0, 500)
  )
}
