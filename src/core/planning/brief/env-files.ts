import { isOutside, normalPath } from '../../languages/paths.ts'

/** The paths of `environment.env_files` that lie in the repository and not in its `.git`. */
export function envFilePaths(configured: readonly string[] | undefined): readonly string[] {
  const paths = (configured ?? []).filter((path) => !isOutside(path)).map(normalPath)
  return [...new Set(paths)].filter((path) => path !== '' && !path.split('/').some(isGitFolder))
}

const isGitFolder = (name: string): boolean => /^(\.|\.git)$/i.test(name)
