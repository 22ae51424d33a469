import { bytePath, type BytePath } from './byte-path.ts'
import { fields, type Git, type GitCall } from './git.ts'

export interface ListedFile {
  readonly mode: string
  readonly sha: string
  readonly path: BytePath
}

/** Every file, link and submodule of a tree, or of a commit's. */
export async function listTree(
  git: Git,
  tree: string,
  where: Pick<GitCall, 'at' | 'cwd' | 'settings'>,
): Promise<readonly ListedFile[]> {
  const output = await git.read({ args: ['ls-tree', '-r', '-z', '--full-tree', tree], ...where })
  return fields(output).map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', , sha = ''] = line.slice(0, tab).split(' ')
    return { mode, sha, path: bytePath(line.slice(tab + 1)) }
  })
}
