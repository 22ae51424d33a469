/** The environment of a command that sets up, checks or tests a checkout. */
import { portVariables } from '../system/port-leases.ts'
import { builtEnvironment, type Environment } from './built-environment.ts'

/** Where toolchains look for themselves. */
const TOOLCHAINS = [
  'JAVA_HOME MAVEN_HOME GRADLE_USER_HOME CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE GOMODCACHE',
  'PYENV_ROOT NVM_DIR VOLTA_HOME DOTNET_ROOT NUGET_PACKAGES SSL_CERT_FILE NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy',
].flatMap((line) => line.split(' '))

/** Colours would only be in the way, and a runner that waits for changes would never end. */
export function commandEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  given: { readonly ports: readonly number[]; readonly temporary: string },
): Environment {
  const toolchains = TOOLCHAINS.flatMap((name) => {
    const value = from[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return builtEnvironment(from, {
    ...Object.fromEntries(toolchains),
    ...portVariables(given.ports),
    CI: 'true',
    NO_COLOR: '1',
    TERM: 'dumb',
    TMPDIR: given.temporary,
  })
}
