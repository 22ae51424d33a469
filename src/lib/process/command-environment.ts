/** The environment of a command that sets up, checks or tests a checkout. */
import { builtEnvironment, variablesOf, type Environment } from './built-environment.ts'

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
