import { isOutside, normalPath } from '../../languages/paths.ts'

/** The paths under which `environment.env_files` may be placed: in the repository, and not in its `.git`. */
export function envFilePaths(said: readonly string[] | undefined): readonly string[] {
  const paths = (said ?? []).filter((path) => !isOutside(path)).map(normalPath)
  return [...new Set(paths)].filter((path) => path !== '' && !path.split('/').some(isGitFolder))
}

const isGitFolder = (name: string): boolean => /^(\.|\.git)$/i.test(name)
