import type { Git } from './git.ts'

/** Every setting of the user's that holds in a repository, the last value of each, keys in lower case as git prints them. */
export type GitSettings = ReadonlyMap<string, string>

export async function readSettings(git: Git, root: string): Promise<GitSettings> {
  const output = await git.read({
    args: ['config', '--list', '--show-scope', '-z'],
    cwd: root,
    settings: 'user',
  })
  const parts = output.toString('utf8').split('\0')
  const settings = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', entry = ''] = parts.slice(at, at + 2)
    // What Bosun's own command line says is not the user's.
    if (scope === 'command') continue
    const end = entry.indexOf('\n')
    // A key without a value is git's short way to say true.
    if (end === -1) settings.set(entry, 'true')
    else settings.set(entry.slice(0, end), entry.slice(end + 1))
  }
  return settings
}

export function isOn(settings: GitSettings, key: string): boolean {
  return /^(true|yes|on|[1-9]\d*)$/i.test(settings.get(key) ?? '')
}
