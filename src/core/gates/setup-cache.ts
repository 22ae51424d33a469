/** Whether what a set-up leaves can be used again for another tree with the same lock file. */
import type { Command } from '../planning/plan.ts'

const INSTALLS = /^(npm (ci|install|i)|pnpm (install|i)|yarn( install)?|bun (install|i))( --?[a-z][\w=-]*)*$/
/** Scripts of the package itself that an install runs: what they make depends on the sources. */
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

/** Only plain installs of packages: anything else may depend on the sources, and stale results prove nothing. */
export function isReusableSetup(setup: Command, packageJson: string | null): boolean {
  const text = (typeof setup === 'string' ? setup : setup.join(' ')).trim()
  if (!INSTALLS.test(text) || packageJson === null) return false
  try {
    const { scripts } = JSON.parse(packageJson) as { readonly scripts?: unknown }
    if (typeof scripts !== 'object' || scripts === null) return true
    return !LIFECYCLE.some((name) => Object.hasOwn(scripts, name))
  } catch {
    // A manifest that cannot be read is installed as it is, and its result is used once.
    return false
  }
}
