/** The environment of child processes: a fixed list of common variables, and nothing else of ours. */
import { delimiter, sep } from 'node:path'
import { PACKAGE_ROOT } from '../system/package-root.ts'

/** Who and where one is, where programs keep their settings, and how they reach the network. */
const KEPT =
  'HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM TMPDIR TZ ' +
  'XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR ' +
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS'
/** The names of these. */
export const KEPT_VARIABLES: readonly string[] = KEPT.split(' ')
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

export type Environment = Readonly<Record<string, string>>

/**
 * `from` is what we were started with; `add` wins over it. An npm script puts its project's programs before the
 * user's; those of this program are taken out, so that a worker finds the tools its user has.
 */
export function builtEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  add: Environment = {},
): Environment {
  return { ...variablesOf(from, KEPT), PATH: userPath(from), ...add }
}

/** Those of the named variables that are set. */
export function variablesOf(from: Readonly<Record<string, string | undefined>>, names: string): Environment {
  const found = names.split(' ').flatMap((name) => {
    const value = from[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(found)
}

function userPath(from: Readonly<Record<string, string | undefined>>): string {
  const bases = [PACKAGE_ROOT, from['npm_config_local_prefix'] ?? PACKAGE_ROOT]
  const folders = (from['PATH'] ?? DEFAULT_PATH).split(delimiter)
  const users = folders.filter((folder) => folder !== '' && !bases.some((base) => isPutInBy(base, folder)))
  return users.length === 0 ? DEFAULT_PATH : users.join(delimiter)
}

/** npm puts in the programs of a project and of every folder above it. */
function isPutInBy(base: string, folder: string): boolean {
  const above = /^(.*)[\\/]node_modules[\\/]\.bin[\\/]?$/.exec(folder)?.[1]
  if (above === undefined) return /[\\/]node-gyp-bin$/.test(folder)
  return `${base}${sep}`.startsWith(`${above}${sep}`)
}

// The environment of a command that sets up, checks or tests a checkout.

/** Where toolchains look for themselves. */
const TOOLCHAINS =
  'JAVA_HOME MAVEN_HOME GRADLE_USER_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE GOMODCACHE ' +
  'PYENV_ROOT NVM_DIR VOLTA_HOME DOTNET_ROOT NUGET_PACKAGES'

/**
 * As in CI, where a runner that waits for changes ends. Nothing turns colours off, which a suite may test: what reads the
 * output leaves them out.
 */
export function commandEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  given: { readonly ports: readonly number[]; readonly temporary: string },
): Environment {
  return builtEnvironment(from, {
    ...variablesOf(from, TOOLCHAINS),
    ...portVariables(given.ports),
    CI: 'true',
    TERM: 'dumb',
    TMPDIR: given.temporary,
  })
}

/** The ports as environment variables: the first as `PORT`, each by number, and all of them. */
export function portVariables(ports: readonly number[]): Environment {
  const [first] = ports
  if (first === undefined) return {}
  const each = ports.map((port, place) => [`BOSUN_PORT_${place + 1}`, String(port)] as const)
  return { PORT: String(first), BOSUN_PORTS: ports.join(','), ...Object.fromEntries(each) }
}
