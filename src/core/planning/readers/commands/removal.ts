/** Removes commands and steps that commit, push, publish or leave the repository. */
import { resolvePath } from '../../../languages/paths.ts'
import type { RemovedStep } from '../../plan.ts'
import { clip } from '../markdown/inline.ts'
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

const LONGEST = 2000

/** As a plan reports it. */
export const removedStep = (task: string, { line, text, kind }: Removal): RemovedStep => ({
  task,
  line,
  text: clip(text, LONGEST),
  reason: REASONS[kind],
})

/** A shell text after the removal. */
export interface SiftedCommands {
  /** The remaining command; may be empty. */
  readonly kept: string
  /** One entry per kind of removed command. */
  readonly removed: readonly Removal[]
  readonly subject: string | undefined
  readonly added: readonly string[]
}

const READS = '(?!.* (?:--show-current|--list|-l|-a|-v|-vv|-r|list|show|status|get-url)(?: |$))'
/** The first words of forbidden commands, without wrappers and global options of git. */
const FORBIDDEN: readonly (readonly [RegExp, RemovalKind])[] = [
  [/^git (?:commit|add|stage)(?: |$)|^npm version \S/, 'commit'],
  [/^git push(?: |$)/, 'publish'],
  [new RegExp(`^git (?:(?:pull|fetch|clone)(?: |$)|(?:remote|submodule)(?= )${READS})`), 'remote'],
  [new RegExp(`^git (?:(?:branch|tag|worktree)(?= )|stash(?= |$))${READS}`), 'history'],
  [
    /^git (?:merge|rebase|switch|reset|cherry-pick|revert|update-ref|init|am|checkout(?!.* --(?: |$)))(?: |$)/,
    'history',
  ],
  [/^(?:npm|pnpm|yarn|bun) (?:.* )?(?:-g|--global)(?: |$)/, 'outside'],
  [
    /^(?:npm (?:publish|unpublish|deprecate|dist-tag)|(?:pnpm|yarn|yarn npm|bun|cargo|poetry|uv) publish)\b/,
    'publish',
  ],
  [/^(?:(?:gem|docker) push|twine upload)\b|^(?:ssh|scp)(?: |$)/, 'publish'],
  [/^gh (?!(?:pr|issue|repo|run|release|workflow) (?:view|list|status|diff|checks)\b(?!.*--web))/, 'publish'],
  [/^glab (?!(?:mr|issue|repo|ci) (?:view|list|status|diff)\b)/, 'publish'],
]
/** Programs whose arguments are paths, so that any absolute one leaves the repository. */
const FILE_PROGRAM = /^(?:cd|pushd|cp|mv|rm|mkdir|rmdir|touch|ls|cat|ln|rsync|source)$/
const WRAPPER = /^(?:sudo|command|env|time|nohup|exec|\(|\w{1,80}=.*)$/s
const MOST_WORDS = 20

/** Removes forbidden commands. `line` is where the text starts in the plan. */
export function siftCommands(source: string, line: number): SiftedCommands {
  const pipelines = pipelinesOf(source)
  const kept: Pipeline[] = []
  const removed = new Map<RemovalKind, Pipeline[]>()
  let folder = ''
  let isAway = false
  let subject: string | undefined
  const added: string[] = []
  for (const pipeline of pipelines) {
    const calls = pipeline.commands.map(callOf)
    const [, verb, ...words] = calls.find(([program]) => program === 'git') ?? []
    if (verb === 'commit') subject ??= commitSubject(words)
    if ((verb === 'add' || verb === 'stage') && !isAway) added.push(...addedPaths(words, folder))
    const kind = calls.map((call) => kindOf(call, folder)).find((found) => found !== null)
    const target = changedFolder(pipeline)
    if (target !== null && kind === undefined) folder = resolvePath(folder, target) ?? folder
    isAway ||= target !== null && HOME.test(target)
    const why = kind ?? (isAway ? 'outside' : null)
    if (why === null) kept.push(pipeline)
    else removed.set(why, [...(removed.get(why) ?? []), pipeline])
  }
  const [first] = removed.keys()
  if (first !== undefined && isStructured(pipelines))
    return { kept: '', removed: [{ line, text: source.trim(), kind: first }], subject, added }
  const removals = [...removed].map(([kind, group]) => ({
    line: line + (group[0]?.line ?? 0),
    text: group.map(({ text }) => text).join('\n'),
    kind,
  }))
  // A remaining `cd` alone is not a command.
  const isIdle = kept.every((pipeline) => changedFolder(pipeline) !== null)
  return { kept: isIdle ? '' : joined(kept), removed: removals, subject, added }
}

function kindOf(call: readonly string[], folder: string): RemovalKind | null {
  const [program = '', ...words] = call
  const text = call
    .slice(0, MOST_WORDS)
    .map((word) => word.replace(/\s/g, '_'))
    .join(' ')
  const forbidden = FORBIDDEN.find(([pattern]) => pattern.test(text))
  if (forbidden !== undefined) return forbidden[1]
  const leaves = words.some(
    (word) => wordLeaves(word, folder) || (FILE_PROGRAM.test(program) && isAbsolute(word)),
  )
  return leaves || (/^(~|\.\.\/)/.test(program) && wordLeaves(program, folder)) ? 'outside' : null
}

/** The words without assignments, wrappers and global options of git. */
function callOf(words: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length - 1 && WRAPPER.test(words[at] ?? '')) at++
  const program = (words[at] ?? '').replace(/^\(/, '')
  const rest = words.slice(at + 1)
  if (program !== 'git') return [program, ...rest]
  while (rest[0]?.startsWith('-') === true) rest.splice(0, /^-[Cc]$/.test(rest[0]) ? 2 : 1)
  return [program, ...rest]
}

/** The first line of the message, also from a heredoc. */
function commitSubject(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(-[a-zA-Z]*m|--message)$/.test(word))
  const inline = words.find((word) => word.startsWith('--message=') || /^-m./s.test(word))
  const message = at === -1 ? inline?.replace(/^(--message=|-m)/, '') : words[at + 1]
  const lines = message?.split('\n') ?? []
  const isHeredoc = message?.startsWith('$(cat <<') === true
  return (isHeredoc ? lines.slice(1) : lines).map((line) => line.trim()).find((line) => line !== '')
}

function addedPaths(words: readonly string[], folder: string): string[] {
  return words.flatMap((word) => {
    if (word.startsWith('-') || word === '.' || wordLeaves(word, folder) || word.startsWith('/')) return []
    const path = resolvePath(folder, word)
    if (path === null || path === '') return []
    return [word.endsWith('/') ? `${path}/` : path]
  })
}

function changedFolder({ commands: [words = [], ...others] }: Pipeline): string | null {
  return others.length === 0 && /^(?:cd|pushd)$/.test(words[0] ?? '') ? (words[1] ?? '~') : null
}

const HOME = /^(~|\$HOME\b|\$\{HOME\})/
const SYSTEM =
  /^\/(Users|home|root|etc|tmp|var|usr|opt|private|mnt|media|srv|Library|Applications|Volumes|System|bin|sbin|proc|sys|dev)(\/|$)/
const HARMLESS_DEVICE = /^\/dev\/(null|stdin|stdout|stderr|tty|zero|urandom|random|fd\/\d)$/

/** For a path in a file list: absolute, in a home folder, or above the root. */
export function leavesRepository(path: string): boolean {
  if (HOME.test(path) || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return true
  return resolvePath('', path.replaceAll('\\', '/')) === null
}

const isAbsolute = (path: string): boolean => /^\/[\w.-]/.test(path) && !HARMLESS_DEVICE.test(path)

/** For a word of a command, only known roots count: other absolute paths may be patterns or routes (`/api/health`). */
export function wordLeaves(word: string, folder: string): boolean {
  const value = /^-{1,2}[\w-]{1,60}=(.*)$/s.exec(word)?.[1] ?? word
  const path = value.replace(/^\d?[<>]{1,2}/, '')
  if (HARMLESS_DEVICE.test(path)) return false
  if (/^(~|\$HOME|\$\{HOME\})(\/|$)/.test(path) || SYSTEM.test(path)) return true
  return /^\.\.(\/|$)|\/\.\.(\/|$)/.test(path) && !/[\s*]/.test(path) && resolvePath(folder, path) === null
}

const THINGS = 'changes?|work|fix(?:es)?|updates?|result|results|files?|tests?|code|task|implementation'
const TITLES: readonly (readonly [RegExp, RemovalKind])[] = [
  [
    new RegExp(
      `^(?:final(?:ly)?\\s)?commit(?:$|[\\s:.,;—–-]{1,4}(?:$|(?:any|all|if|only|your|these|changes?|final|lint|everything|and|with|it|them|fix(?:es)?)\\b|the\\s(?:\\w{1,20}\\s)?(?:${THINGS})\\b|[\`(]))`,
      'i',
    ),
    'commit',
  ],
  [/^push(?:$|\s(?:to|the|and|your|changes|branch|it)\b)/i, 'publish'],
  [/^(?:open|create|raise|submit)\s(?:an?\s|the\s)?(?:pr|pull request|merge request)\b/i, 'publish'],
  [
    /^(?:create|switch to|check ?out|make)\s(?:a\s|the\s|new\s|a new\s)?(?:feature\s|working\s|git\s)?branch\b/i,
    'history',
  ],
]

/** The kind of removal a step's title implies; null for none. */
export const titleKind = (title: string): RemovalKind | null =>
  TITLES.find(([pattern]) => pattern.test(title))?.[1] ?? null
