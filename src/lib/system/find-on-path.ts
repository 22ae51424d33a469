import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The file that a shell would run for this name, or null. The program itself is not run. */
export function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry depends on the current folder.
    if (!isAbsolute(folder)) continue
    const file = join(folder, name)
    if (isProgram(file)) return file
  }
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    // Whatever keeps us from it keeps the shell from it.
    return false
  }
}
