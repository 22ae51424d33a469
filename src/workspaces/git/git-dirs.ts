/**
 * Git dirs written by Bosun, file by file. The private ones are how Bosun looks at a work tree that others write:
 * they define no filter, driver, hook or remote, and workers do not know their paths. The worker's own `.git`
 * is reset to the same template each time and never used as a git dir.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { overwrite } from '../../lib/files/overwrite.ts'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import type { Quarantine } from '../quarantine.ts'
import { replaceFolder, syncFolder } from '../clones/sync-folder.ts'

/** Attributes under which a file is stored byte for byte, whatever the tree's own attributes say. */
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding -diff -merge\n'

/** What takes less time than handing it to a thread. */
const AT_ONCE_BYTES = 64 * 1024

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
 * unless the settings were others before. Answers which it was.
 */
export async function writePrivateGitDirs(
  dirs: PrivateGitDirs,
  template: Template,
): Promise<'same' | 'other'> {
  rmSync(`${dirs.index}.lock`, { force: true })
  const before = readIfExists(join(dirs.raw, 'written'))
  const now = config(template)
  if (before === now) {
    for (const gitDir of [dirs.plain, dirs.raw]) overwrite(join(gitDir, 'HEAD'), head(template))
    return 'same'
  }
  rmSync(dirs.index, { force: true })
  const files = templateFiles(template)
  await replaceFolder(dirs.plain, FOLDERS, files)
  await replaceFolder(dirs.raw, FOLDERS, new Map([...files, ['info/attributes', RAW_ATTRIBUTES]]))
  // Written last: what is half done is done again.
  writeFileSync(join(dirs.raw, 'written'), now)
  return 'other'
}

/** Has the `.git` of a work tree be a shared clone without a remote, its index as just checked out. */
export async function writeWorkerGitDir(
  workTree: string,
  dirs: PrivateGitDirs,
  template: Template,
): Promise<void> {
  const { quarantine, exclude = '' } = template
  const shallow = readIfExists(join(quarantine.place.gitDir, 'shallow'))
  const files = new Map([
    ...templateFiles(template),
    ['objects/info/alternates', `${quarantine.objects}\n`],
    ['info/exclude', exclude],
    ...(shallow === null ? [] : [['shallow', shallow] as const]),
  ])
  const gitDir = join(workTree, '.git')
  if (!syncFolder(gitDir, FOLDERS, new Map([...files, ['index', null]])))
    await replaceFolder(gitDir, FOLDERS, files)
  const index = join(gitDir, 'index')
  if (statSync(dirs.index).size <= AT_ONCE_BYTES) overwrite(index, readFileSync(dirs.index))
  else await copyFile(dirs.index, index)
}

/** All that a git dir needs, in an order in which they can be made. */
const FOLDERS = ['objects', 'objects/info', 'objects/pack', 'refs', 'refs/heads', 'info']

const templateFiles = (template: Template): ReadonlyMap<string, string> =>
  new Map([
    ['HEAD', head(template)],
    ['config', config(template)],
  ])

const head = (template: Template): string => `${template.head}\n`

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
