/** Where a manifest takes packages from besides its registry: an address that was not there before is somebody new. */

/** A scheme and a host, `git@host:`, or the short forms that stand for one. */
const ADDRESS =
  /(?:\b(?:git\+)?(?:https?|ssh|git|ftp):\/\/(?:[^\s/@"']*@)?([\w.-]+)|\bgit@([\w.-]+):|\b(github|gitlab|bitbucket|gist):[\w.-]+\/|\b(file):[^\s"']+)/gi
/** Lines of a manifest that speak of addresses which nothing is installed from. */
const SPOKEN =
  /^\s*"?(?:homepage|repository|bugs|url|documentation|funding|author|license|changelog|source)\b"?\s*[:=]|^\s*(?:#|\/\/)/i

/** Hosts that the lines of a manifest install from, which its earlier text does not know. */
export function newHosts(
  name: string,
  { before, added }: { readonly before: string | null; readonly added: readonly string[] },
): readonly string[] {
  const known = new Set(hostsIn(before ?? ''))
  const spoken = name === 'package.json' || name === 'pyproject.toml' || name === 'Cargo.toml'
  const lines = spoken
    ? added.filter((line) => !SPOKEN.test(line))
    : added.filter((line) => !/^\s*#/.test(line))
  return [...new Set(lines.flatMap(hostsIn))].filter((host) => !known.has(host))
}

function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].map((found) =>
    (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').toLowerCase(),
  )
}
