import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The file that a shell would run for this name, or null. The program itself is not run. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry depends on where one stands; what is found through it is no property of the machine.
    if (!isAbsolute(folder)) continue
    const file = join(folder, name)
    if (await isProgram(file)) return file
  }
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    // Whatever keeps us from it keeps the shell from it.
    return false
  }
}
