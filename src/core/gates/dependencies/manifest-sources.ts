/** Finds hosts that a manifest newly installs packages from. */

/** A scheme and a host, `git@host:`, or a short form such as `github:`. */
const ADDRESS =
  /(?:\b(?:git\+)?(?:https?|ssh|git|ftp):\/\/(?:[^\s/@"']*@)?([\w.-]+)|\bgit@([\w.-]+):|\b(github|gitlab|bitbucket|gist):[\w.-]+\/|\b(file):[^\s"']+)/gi
/** Lines with addresses that nothing is installed from. */
const METADATA =
  /^\s*"?(?:homepage|repository|bugs|url|documentation|funding|author|license|changelog|source)\b"?\s*[:=]|^\s*(?:#|\/\/)/i

/** Hosts in the added lines that the earlier text does not contain. */
export function newHosts(
  name: string,
  { before, added }: { readonly before: string | null; readonly added: readonly string[] },
): readonly string[] {
  const known = new Set(hostsIn(before ?? ''))
  const ignored = /^(package\.json|pyproject\.toml|Cargo\.toml)$/.test(name) ? METADATA : /^\s*#/
  const hosts = added.filter((line) => !ignored.test(line)).flatMap(hostsIn)
  return [...new Set(hosts)].filter((host) => !known.has(host))
}

function hostsIn(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].map((found) =>
    (found[1] ?? found[2] ?? found[3] ?? found[4] ?? '').toLowerCase(),
  )
}
