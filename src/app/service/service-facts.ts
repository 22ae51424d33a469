/** What the system's service manager has to know to run the daemon. */
import { resolve } from 'node:path'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { Refusal } from '../../lib/refusal.ts'

export interface ServiceFacts {
  /** The program (a script for sh) and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * A service manager starts with next to no environment: where programs are and where the state is has to be said.
 * Nothing else is carried along, since keys and tokens have no place in a file that anybody might show around.
 */
export function serviceFacts(
  program: string,
  caller: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): ServiceFacts {
  const { cwd, env } = caller
  const said = env['BOSUN_HOME'] ?? ''
  const own = said === '' ? {} : { BOSUN_HOME: resolve(cwd, said) }
  const xdg = env['XDG_STATE_HOME'] ?? ''
  const state = said === '' && xdg.startsWith('/') ? { XDG_STATE_HOME: xdg } : {}
  const facts = {
    command: [program, 'serve'],
    environment: { PATH: builtEnvironment(env)['PATH'] ?? '', ...own, ...state },
  }
  refuseControlCharacters(facts)
  return facts
}

/** Neither kind of file can hold them, and no path that somebody means has any. */
function refuseControlCharacters({ command, environment }: ServiceFacts): void {
  for (const text of [...command, ...Object.values(environment)]) {
    if (!/\p{Cc}|\p{Cs}/u.test(text)) continue
    throw new Refusal({
      code: 'usage',
      message: `a path has a control character in it: ${JSON.stringify(text)}`,
      remedy: 'Move what it names, or correct PATH or BOSUN_HOME.',
    })
  }
}
