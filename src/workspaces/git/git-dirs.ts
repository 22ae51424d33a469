/**
 * Git dirs written by Bosun, file by file. The private ones are how Bosun looks at a work tree that others write:
 * they define no filter, driver, hook or remote, and workers do not know their paths. The worker's own `.git`
 * is reset to the same template each time and never used as a git dir.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../../lib/files/read-if-exists.ts'
import { removeFolder } from '../../lib/files/remove-folder.ts'
import type { Quarantine } from '../quarantine.ts'

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
 * Has both private git dirs as the template says. The index stays, because it says what was last seen on disk, unless
 * they were not there before. Answers which it was.
 */
export async function writePrivateGitDirs(
  dirs: PrivateGitDirs,
  template: Template,
): Promise<'same' | 'other'> {
  await rm(`${dirs.index}.lock`, { force: true })
  const before = readIfExists(join(dirs.raw, 'written'))
  const now = config(template)
  if (before === now) {
    for (const gitDir of [dirs.plain, dirs.raw]) await writeFile(join(gitDir, 'HEAD'), head(template))
    return 'same'
  }
  await rm(dirs.index, { force: true })
  const files = templateFiles(template)
  await replaceGitDir(dirs.plain, files)
  await replaceGitDir(dirs.raw, new Map([...files, ['info/attributes', RAW_ATTRIBUTES]]))
  // Written last: what is half done is done again.
  await writeFile(join(dirs.raw, 'written'), now)
  return 'other'
}

/** Has the `.git` of a work tree be a shared clone without a remote, its index as just checked out, whatever lay there. */
export async function writeWorkerGitDir(
  workTree: string,
  dirs: PrivateGitDirs,
  template: Template,
): Promise<void> {
  const { quarantine, exclude = '' } = template
  const shallow = readIfExists(join(quarantine.place.gitDir, 'shallow'))
  const gitDir = join(workTree, '.git')
  await replaceGitDir(
    gitDir,
    new Map([
      ...templateFiles(template),
      ['objects/info/alternates', `${quarantine.objects}\n`],
      ['info/exclude', exclude],
      ...(shallow === null ? [] : [['shallow', shallow] as const]),
    ]),
  )
  await copyFile(dirs.index, join(gitDir, 'index'))
}

async function replaceGitDir(path: string, files: ReadonlyMap<string, string>): Promise<void> {
  await removeFolder(path)
  for (const folder of FOLDERS) await mkdir(join(path, folder), { recursive: true })
  for (const [file, text] of files) await writeFile(join(path, file), text, { flag: 'wx' })
}

/** All that a git dir needs. */
const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'info']

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
