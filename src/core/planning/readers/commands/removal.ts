/** Removes commands and steps that commit, push, publish or leave the repository. */
import { keyByWord } from '../key-by-word.ts'
import { isAbsolute, isHomePath, resolved, wordLeaves } from '../outside.ts'
import { isStructured, joined, pipelinesOf, type Pipeline } from './shell.ts'

export const REASONS = {
  commit: 'commits, and only Bosun commits',
  history: 'changes branches, tags or history, which only Bosun does',
  remote: 'uses a remote, and workspaces have none',
  publish: 'pushes or publishes, which only a person does',
  outside: 'leaves the repository',
} as const
export type RemovalKind = keyof typeof REASONS

export interface Removal {
  readonly line: number
  readonly text: string
  readonly kind: RemovalKind
}

/** A shell text after the removal. */
export interface SiftedCommands {
  /** The remaining command; may be empty. */
  readonly kept: string
  /** One entry per kind of removed command. */
  readonly removed: readonly Removal[]
  readonly subject: string | undefined
  readonly added: readonly string[]
}

const HISTORY_VERBS =
  'tag merge rebase checkout switch branch reset stash cherry-pick revert worktree update-ref init am'
const GIT_KINDS = keyByWord<Exclude<RemovalKind, 'outside'>>({
  commit: ['commit', 'add', 'stage'],
  publish: ['push'],
  history: HISTORY_VERBS.split(' '),
  remote: ['pull', 'fetch', 'clone', 'remote', 'submodule'],
})
const READS_ONLY = /^(--show-current|--list|-l|-a|-v|-vv|-r|list|show|status|get-url)$/
const PUBLISHERS: Readonly<Record<string, RegExp>> = {
  npm: /^(publish|unpublish|deprecate|dist-tag)\b/,
  pnpm: /^publish\b/,
  yarn: /^(publish|npm publish)\b/,
  bun: /^publish\b/,
  cargo: /^publish\b/,
  gem: /^push\b/,
  docker: /^push\b/,
  twine: /^upload\b/,
  poetry: /^publish\b/,
  uv: /^publish\b/,
  gh: /^(?!(?:pr|issue|repo|run|release|workflow)\s(?:view|list|status|diff|checks)\b(?!.*--web))/,
  glab: /^(?!(?:mr|issue|repo|ci)\s(?:view|list|status|diff)\b)/,
  ssh: /^/,
  scp: /^/,
}
/** Programs whose arguments are paths, so that any absolute one leaves the repository. */
const FILE_PROGRAMS = new Set('cd pushd cp mv rm mkdir rmdir touch ls cat ln rsync source'.split(' '))
const WRAPPERS = new Set(['sudo', 'command', 'env', 'time', 'nohup', 'exec', '('])

/** Removes forbidden commands. `line` is where the text starts in the plan. */
export function siftCommands(source: string, line: number): SiftedCommands {
  const pipelines = pipelinesOf(source)
  const kept: Pipeline[] = []
  const removed: { readonly pipeline: Pipeline; readonly kind: RemovalKind }[] = []
  let folder = ''
  let away = false
  let subject: string | undefined
  const added: string[] = []
  for (const pipeline of pipelines) {
    const git = pipeline.commands.map((words) => gitWords(unwrapped(words))).find((words) => words !== null)
    const [verb, ...words] = git ?? []
    if (verb === 'commit') subject ??= commitSubject(words)
    if ((verb === 'add' || verb === 'stage') && !away)
      for (const path of addedPaths(words, folder)) added.push(path)
    const kind = away ? (kindOf(pipeline, folder) ?? 'outside') : kindOf(pipeline, folder)
    const target = changedFolder(pipeline)
    if (target !== null && kind === null) folder = resolved(folder, target) ?? folder
    if (target !== null && isHomePath(target)) away = true
    if (kind === null) kept.push(pipeline)
    else removed.push({ pipeline, kind })
  }
  if (removed.length > 0 && isStructured(pipelines)) {
    const kind = removed[0]?.kind ?? 'outside'
    return { kept: '', removed: [{ line, text: source.trim(), kind }], subject, added }
  }
  return { kept: keptText(kept), removed: grouped(removed, line), subject, added }
}

/** A remaining `cd` alone is not a command. */
function keptText(kept: readonly Pipeline[]): string {
  return kept.every((pipeline) => changedFolder(pipeline) !== null) ? '' : joined(kept)
}

/** One removal per kind; staging counts as committing. */
function grouped(
  removed: readonly { readonly pipeline: Pipeline; readonly kind: RemovalKind }[],
  line: number,
): Removal[] {
  const groups = new Map<RemovalKind, { readonly line: number; readonly texts: string[] }>()
  for (const { pipeline, kind } of removed) {
    const group = groups.get(kind)
    if (group === undefined) groups.set(kind, { line: line + pipeline.line, texts: [pipeline.text] })
    else group.texts.push(pipeline.text)
  }
  return [...groups].map(([kind, group]) => ({ line: group.line, text: group.texts.join('\n'), kind }))
}

function kindOf(pipeline: Pipeline, folder: string): RemovalKind | null {
  for (const words of pipeline.commands) {
    const call = unwrapped(words)
    const kind = callKind(call)
    if (kind !== null) return kind
    const files = FILE_PROGRAMS.has(call[0] ?? '')
    if (call.slice(1).some((word) => wordLeaves(word, folder) || (files && isAbsolute(word))))
      return 'outside'
    if (/^(~|\.\.\/)/.test(call[0] ?? '') && wordLeaves(call[0] ?? '', folder)) return 'outside'
  }
  return null
}

/** The command without assignments and wrappers. */
function unwrapped(words: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length - 1 && (WRAPPERS.has(words[at] ?? '') || /^\w{1,80}=/.test(words[at] ?? ''))) at++
  return words.slice(at)
}

function programOf(call: readonly string[]): string {
  return call[0]?.replace(/^\(/, '') ?? ''
}

function callKind(call: readonly string[]): RemovalKind | null {
  const git = gitWords(call)
  if (git !== null) return gitKind(git)
  const program = programOf(call)
  const rest = call.slice(1, 20).join(' ')
  if (program === 'npm' && /^version\s+\S/.test(rest)) return 'commit'
  if (/^(npm|pnpm|yarn|bun)$/.test(program) && call.some((word) => word === '-g' || word === '--global'))
    return 'outside'
  const publishes = Object.hasOwn(PUBLISHERS, program) ? PUBLISHERS[program] : undefined
  return publishes?.test(rest) === true ? 'publish' : null
}

function gitKind(words: readonly string[]): RemovalKind | null {
  const [verb = '', ...rest] = words
  const kind = GIT_KINDS.get(verb)
  if (kind === undefined) return null
  if (verb === 'checkout' && rest.includes('--')) return null
  const reads = ['branch', 'tag', 'stash', 'remote', 'worktree', 'submodule'].includes(verb)
  if (reads && rest.some((word) => READS_ONLY.test(word))) return null
  if (reads && rest.length === 0 && verb !== 'stash') return null
  return kind
}

/** The arguments of `git` after its global options; null for another program. */
function gitWords(call: readonly string[]): readonly string[] | null {
  let at = 1
  while (at < call.length && call[at]?.startsWith('-') === true) at += /^-[Cc]$/.test(call[at] ?? '') ? 2 : 1
  return programOf(call) === 'git' && at < call.length ? call.slice(at) : null
}

/** The first line of the message, also from a heredoc. */
function commitSubject(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(-[a-zA-Z]*m|--message)$/.test(word))
  const inline = words.find((word) => word.startsWith('--message=') || /^-m./s.test(word))
  const message = at === -1 ? inline?.replace(/^(--message=|-m)/, '') : words[at + 1]
  if (message === undefined) return undefined
  const lines = message.split('\n')
  const fromHeredoc = message.startsWith('$(cat <<')
  const subject = (fromHeredoc ? lines.slice(1) : lines).find((line) => line.trim() !== '')?.trim()
  return subject === '' ? undefined : subject
}

function addedPaths(words: readonly string[], folder: string): string[] {
  return words.flatMap((word) => {
    if (word.startsWith('-') || word === '.' || wordLeaves(word, folder) || word.startsWith('/')) return []
    const path = resolved(folder, word)
    if (path === null || path === '') return []
    return [word.endsWith('/') ? `${path}/` : path]
  })
}

function changedFolder(pipeline: Pipeline): string | null {
  const words = pipeline.commands[0] ?? []
  if (pipeline.commands.length !== 1 || (words[0] !== 'cd' && words[0] !== 'pushd')) return null
  return words[1] ?? '~'
}

const COMMIT_TITLE =
  /^(?:final(?:ly)?\s)?commit(?:$|[\s:.,;—–-]{1,4}(?:$|any\b|all\b|if\b|only\b|your\b|these\b|changes?\b|final\b|lint\b|everything\b|and\b|with\b|it\b|them\b|fix(?:es)?\b|the\s(?:\w{1,20}\s)?(?:changes?|work|fix(?:es)?|updates?|result|results|files?|tests?|code|task|implementation)\b|[`(]))/i
const PUSH_TITLE = /^push(?:$|\s(?:to|the|and|your|changes|branch|it)\b)/i
const REQUEST_TITLE = /^(?:open|create|raise|submit)\s(?:a\s|the\s|an\s)?(?:pr|pull request|merge request)\b/i
const BRANCH_TITLE =
  /^(?:create|switch to|check ?out|make)\s(?:a\s|the\s|new\s|a new\s)?(?:feature\s|working\s|git\s)?branch\b/i

/** A quick test of the first word, since the full patterns are slow. */
const REMOVAL_START = /^(?:final|commit|push|open|create|raise|submit|switch|check|make)/i

/** The kind of removal a step's title implies; null for none. */
export function titleKind(title: string): RemovalKind | null {
  if (!REMOVAL_START.test(title)) return null
  if (COMMIT_TITLE.test(title)) return 'commit'
  if (PUSH_TITLE.test(title) || REQUEST_TITLE.test(title)) return 'publish'
  return BRANCH_TITLE.test(title) ? 'history' : null
}
