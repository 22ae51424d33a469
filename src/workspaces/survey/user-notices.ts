/** What works in a user's repository, but not as they may expect. Each is one line to show once. */
import { fields, type Git } from '../git/git.ts'
import { bytePath, pathText } from '../git/byte-path.ts'
import { GITLINK, listTree } from '../git/trees.ts'

export type NoticeKind =
  | 'dirty'
  | 'detached'
  | 'shallow'
  | 'submodules'
  | 'filters'
  | 'unsigned'
  | 'no_sign_off'
  | 'no_identity'

export interface Notice {
  readonly kind: NoticeKind
  readonly text: string
}

interface Look {
  readonly git: Git
  readonly root: string
  readonly commit: string
  readonly branch: string | null
  readonly settings: GitSettings
  readonly isShallow: boolean
}

const SHOWN = 3

export async function noticesOf(look: Look): Promise<readonly Notice[]> {
  const { settings } = look
  const files = await readBase(look)
  const dirty = await changedFiles(look)
  const hasIdentity = settings.has('user.email') || settings.has('author.email')
  const all: readonly (readonly [applies: boolean, kind: NoticeKind, text: string])[] = [
    [
      dirty.length > 0,
      'dirty',
      `uncommitted changes are left alone; work starts from the last commit: ${some(dirty)}`,
    ],
    [look.branch === null, 'detached', `HEAD is detached; work starts from ${look.commit.slice(0, 12)}`],
    [look.isShallow, 'shallow', 'this is a shallow clone; workers see only the history it has'],
    [
      files.submodules.length > 0,
      'submodules',
      `submodules stay at their commit; workers see them as empty folders: ${some(files.submodules)}`,
    ],
    [
      files.filters.length > 0,
      'filters',
      `workers see files with the filter ${some(files.filters)} as stored (Git LFS: as pointers) and cannot change them`,
    ],
    [
      isOn(settings, 'commit.gpgsign'),
      'unsigned',
      "Bosun's commits are unsigned, because it cannot sign for you; sign the merge (git merge -S)",
    ],
    [
      isOn(settings, 'format.signoff') || files.asksForSignOff,
      'no_sign_off',
      "Bosun's commits have no Signed-off-by line; add it when you merge (git rebase --signoff)",
    ],
    [
      !hasIdentity,
      'no_identity',
      'git has no user.email; Bosun is recorded as the author (set it: git config user.email …)',
    ],
  ]
  return all.flatMap(([applies, kind, text]) => (applies ? [{ kind, text }] : []))
}

interface BaseFiles {
  readonly submodules: readonly string[]
  readonly filters: readonly string[]
  readonly asksForSignOff: boolean
}

async function readBase({ git, root, commit }: Look): Promise<BaseFiles> {
  const listed = await listTree(git, commit, { cwd: root, settings: 'user' })
  const entries = listed.map((one) => ({ ...one, path: pathText(one.path) }))
  const filters = new Set<string>()
  for (const entry of entries.filter((one) => /(^|\/)\.gitattributes$/.test(one.path))) {
    const text = await git.read({ args: ['cat-file', 'blob', entry.sha], cwd: root, settings: 'user' })
    for (const [, name] of text.toString('utf8').matchAll(/\sfilter=(\S+)/g)) filters.add(name ?? '')
  }
  return {
    submodules: entries.filter((one) => one.mode === GITLINK).map((one) => one.path),
    filters: [...filters],
    asksForSignOff: entries.some((one) => /^\.github\/dco\.ya?ml$/.test(one.path)),
  }
}

/** The user's own filters may run here, as with any look at their own tree; their index is not written. */
async function changedFiles({ git, root }: Look): Promise<readonly string[]> {
  const output = await git.read({
    args: ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all'],
    cwd: root,
    settings: 'user',
    env: { GIT_OPTIONAL_LOCKS: '0' },
  })
  return fields(output).map((line) => pathText(bytePath(line.slice(3))))
}

function some(names: readonly string[]): string {
  const more = names.length - SHOWN
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

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
