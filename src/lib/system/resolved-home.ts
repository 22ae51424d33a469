import { isAbsolute, resolve } from 'node:path'

/** `$BOSUN_HOME` as an absolute path, by which a process that runs elsewhere finds the same folder; null where it is one, or is not set. */
export function resolvedHome(
  env: Readonly<Record<string, string | undefined>>,
  cwd: () => string,
): string | null {
  const own = env['BOSUN_HOME']
  return own === undefined || own === '' || isAbsolute(own) ? null : resolve(cwd(), own)
}
