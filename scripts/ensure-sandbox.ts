/**
 * Sees to it that there is a sandbox for the tests of the whole program: `bwrap`, else Debian's package where this user may
 * install it. Without one, the tests of the sandbox fail with the command that installs it.
 */
import { installPackage, programNamed } from './install-package.ts'

export default function setup(): void {
  if (process.platform !== 'linux' || programNamed('bwrap') !== null) return
  try {
    installPackage('bubblewrap', 'the tests of the sandbox')
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
  }
}
