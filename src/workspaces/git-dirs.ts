/**
 * Git dirs written by Bosun, file by file. The private ones are how Bosun looks at a work tree that others write:
 * they define no filter, driver, hook or remote, and nobody else is told where they are. The worker's own `.git`
 * is made from the same template each time and never read as a git dir again.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Quarantine } from './quarantine.ts'

/** Attributes under which a file is stored byte for byte, whatever the tree's own attributes say. */
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding -diff -merge\n'

export interface PrivateGitDirs {
  /** Converts line ends and encodings as the tree's attributes say. */
  readonly plain: string
  /** Converts nothing. */
  readonly raw: string
  readonly index: string
}

export interface Template {
  readonly quarantine: Quarantine
  /** A commit: where HEAD stands, on no branch. */
  readonly head: string
  /** Folders to check out, besides the files at the root and on the way; null for everything. */
  readonly sparse: readonly string[] | null
  /** What the worker's own git passes over, as lines of an exclude file. */
  readonly exclude?: string | undefined
}

export function privateGitDirs(directory: string): PrivateGitDirs {
  return {
    plain: join(directory, 'plain.git'),
    raw: join(directory, 'raw.git'),
    index: join(directory, 'index'),
  }
}

/**
 * Has both private git dirs as the template says. The index stays, because it says what was last seen on disk,
 * unless other folders were asked for before: it remembers which files were left out. Answers which it was.
 */
export async function writePrivateGitDirs(
  dirs: PrivateGitDirs,
  template: Template,
): Promise<'same' | 'other'> {
  await rm(`${dirs.index}.lock`, { force: true })
  const before = await readIfThere(join(dirs.raw, 'written'))
  const now = `${config(template)}${conePatterns(template.sparse ?? ['everything'])}`
  if (before === now) {
    await Promise.all([dirs.plain, dirs.raw].map((gitDir) => writeHead(gitDir, template)))
    return 'same'
  }
  await rm(dirs.index, { force: true })
  await writeGitDir(dirs.plain, template)
  await writeGitDir(dirs.raw, template)
  await writeFile(join(dirs.raw, 'info', 'attributes'), RAW_ATTRIBUTES)
  // Written last: what is half done is done again.
  await writeFile(join(dirs.raw, 'written'), now)
  return 'other'
}

/** Puts a fresh `.git` into a work tree: a shared clone without a remote, its index as just checked out. */
export async function writeWorkerGitDir(
  workTree: string,
  dirs: PrivateGitDirs,
  template: Template,
): Promise<void> {
  const gitDir = join(workTree, '.git')
  await writeGitDir(gitDir, template)
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${template.quarantine.objects}\n`)
  if (template.exclude !== undefined) await writeFile(join(gitDir, 'info', 'exclude'), template.exclude)
  await copyFile(dirs.index, join(gitDir, 'index'))
  await copyIfThere(join(template.quarantine.place.gitDir, 'shallow'), join(gitDir, 'shallow'))
}

async function writeGitDir(gitDir: string, template: Template): Promise<void> {
  await rm(gitDir, { recursive: true, force: true })
  await mkdir(join(gitDir, 'objects', 'info'), { recursive: true })
  await mkdir(join(gitDir, 'objects', 'pack'))
  await mkdir(join(gitDir, 'refs', 'heads'), { recursive: true })
  await mkdir(join(gitDir, 'info'))
  await writeHead(gitDir, template)
  await writeFile(join(gitDir, 'config'), config(template))
  if (template.sparse !== null) {
    await writeFile(join(gitDir, 'info', 'sparse-checkout'), conePatterns(template.sparse))
  }
}

const writeHead = (gitDir: string, template: Template): Promise<void> =>
  writeFile(join(gitDir, 'HEAD'), `${template.head}\n`)

function config(template: Template): string {
  const sha256 = template.quarantine.objectFormat === 'sha256'
  const lines = [
    '[core]',
    `repositoryFormatVersion = ${sha256 ? 1 : 0}`,
    'bare = false',
    'fileMode = true',
    'protectHFS = true',
    'protectNTFS = true',
    ...(process.platform === 'darwin' ? ['ignoreCase = true', 'precomposeUnicode = true'] : []),
    ...(template.sparse === null ? [] : ['sparseCheckout = true', 'sparseCheckoutCone = true']),
    ...(sha256 ? ['[extensions]', 'objectFormat = sha256'] : []),
    '[gc]',
    'auto = 0',
    // Some agents commit although they are asked not to; it must not fail for want of a name.
    '[user]',
    'name = Worker',
    'email = worker@localhost',
    '[commit]',
    'gpgSign = false',
  ]
  return `${lines.join('\n')}\n`
}

/** Folders as git's cone mode writes them: the files at the root, those on the way, and all below each folder. */
function conePatterns(folders: readonly string[]): string {
  const patterns = ['/*', '!/*/']
  const parents = new Set(folders.flatMap((folder) => ancestors(folder)))
  for (const parent of [...parents].sort()) patterns.push(`/${parent}/`, `!/${parent}/*/`)
  for (const folder of [...folders].sort()) patterns.push(`/${folder}/`)
  return `${patterns.join('\n')}\n`
}

function ancestors(folder: string): string[] {
  const names = folder.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
