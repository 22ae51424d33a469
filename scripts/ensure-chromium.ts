/**
 * Sees to it that there is a Chromium for the browser tests: the one that is installed, else Debian's package where this
 * user may install it. Without one, the browser tests fail with the command that installs it; all others run.
 */
import { installPackage, programNamed } from './install-package.ts'

/** What tests read: the path of Chromium, or why there is none. */
export const CHROMIUM_VARIABLE = 'BOSUN_TEST_CHROMIUM'
export const NO_CHROMIUM_VARIABLE = 'BOSUN_TEST_NO_CHROMIUM'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'] as const

export default function setup(): void {
  try {
    process.env[CHROMIUM_VARIABLE] = process.env['CHROMIUM'] ?? programNamed(...NAMES) ?? installed()
  } catch (error) {
    process.env[NO_CHROMIUM_VARIABLE] = error instanceof Error ? error.message : String(error)
  }
}

function installed(): string {
  installPackage('chromium', 'the browser tests')
  const path = programNamed(...NAMES)
  if (path === null) throw new Error('apt-get installed chromium, and it is not on the PATH')
  return path
}
