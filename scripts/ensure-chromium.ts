/**
 * Sees to it that there is a Chromium for the browser tests: the one that is installed, else Debian's package where this
 * user may install it. Without one, the browser tests fail with the command that installs it; all others run.
 */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What tests read: the path of Chromium, or why there is none. */
export const CHROMIUM_VARIABLE = 'BOSUN_TEST_CHROMIUM'
export const NO_CHROMIUM_VARIABLE = 'BOSUN_TEST_NO_CHROMIUM'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const INSTALL = ['install', '-y', '--no-install-recommends', 'chromium'] as const

export default function setup(): void {
  try {
    process.env[CHROMIUM_VARIABLE] = findChromium() ?? installChromium()
  } catch (error) {
    process.env[NO_CHROMIUM_VARIABLE] = error instanceof Error ? error.message : String(error)
  }
}

function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env['CHROMIUM'] ?? '', ...paths].find((path) => path !== '' && isProgram(path)) ?? null
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

/** Throws with the command to run where this user may not install it. */
function installChromium(): string {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      'the browser tests need Chromium; install it: sudo apt-get install chromium (or set CHROMIUM)',
    )
  }
  console.error('the browser tests need Chromium: installing it (apt-get install chromium)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('apt-get', INSTALL, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const path = findChromium()
  if (path === null) throw new Error('apt-get installed chromium, and it is not on the PATH')
  return path
}
