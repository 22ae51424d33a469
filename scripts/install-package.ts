/** Installs a package of Debian for the tests, where this user may: root on Debian. Says so. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** `what` needs it. Throws with the command to run where it may not be installed here. */
export function installPackage(name: string, what: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`${what} need ${name}; install it: sudo apt-get install ${name}`)
  console.error(`${what} need ${name}: installing it (apt-get install ${name})`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const install = ['install', '-y', '--no-install-recommends', name]
  execFileSync('apt-get', install, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The first of these programs that is on the PATH; null without one. */
export function programNamed(...names: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not ours to run.
    return false
  }
}
