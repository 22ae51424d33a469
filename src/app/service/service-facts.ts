/** What the service manager needs to run the daemon. */
import { resolve } from 'node:path'
import { builtEnvironment } from '../../lib/process/built-environment.ts'
import { Refusal } from '../../lib/refusal.ts'

export interface ServiceFacts {
  /** The program (a script for sh) and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * A service manager provides almost no environment, so PATH and the state root go into the file. Nothing else does: keys
 * and tokens do not belong there.
 */
export function serviceFacts(
  program: string,
  caller: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): ServiceFacts {
  const { cwd, env } = caller
  const set = env['BOSUN_HOME'] ?? ''
  const own = set === '' ? {} : { BOSUN_HOME: resolve(cwd, set) }
  const xdg = env['XDG_STATE_HOME'] ?? ''
  const state = set === '' && xdg.startsWith('/') ? { XDG_STATE_HOME: xdg } : {}
  const facts = {
    command: [program, 'serve'],
    environment: { PATH: builtEnvironment(env)['PATH'] ?? '', ...own, ...state },
  }
  refuseControlCharacters(facts)
  return facts
}

/** Neither kind of file can hold control characters. */
function refuseControlCharacters({ command, environment }: ServiceFacts): void {
  for (const text of [...command, ...Object.values(environment)]) {
    if (!/\p{Cc}|\p{Cs}/u.test(text)) continue
    throw new Refusal({
      code: 'usage',
      message: `a path contains a control character: ${JSON.stringify(text)}`,
      remedy: 'Correct PATH or BOSUN_HOME, or rename the folder.',
    })
  }
}
