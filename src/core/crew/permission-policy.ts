/**
 * Answers an agent's request for permission. The policy travels with the job, so that the answer is the same while Bosun
 * is down. It goes by what the request says: it is no sandbox.
 */

export type Decision = 'allow' | 'ask' | 'deny'

/** What `permissions:` in bosun.yaml sets. */
export interface PermissionSettings {
  readonly outsideWorkspace: Decision
  readonly network: Decision
  readonly gitPush: Decision
  readonly agentSettings: Decision
}

export interface PermissionPolicy extends PermissionSettings {
  /** Folders that are the worker's own: its workspace first. Absolute, without links. */
  readonly roots: readonly string[]
  /** Nothing but reading is allowed, within its own folders either. */
  readonly isReadOnly?: boolean | undefined
}

/** Of an agent that is asked a question: it may read in its folder, and nobody is asked about more. */
export const readingPolicy = (folder: string): PermissionPolicy => ({
  outsideWorkspace: 'deny',
  network: 'deny',
  gitPush: 'deny',
  agentSettings: 'deny',
  roots: [folder],
  isReadOnly: true,
})

export interface PermissionRequest {
  /** The kind of tool, as the protocol names it: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, … */
  readonly kind: string
  readonly title: string
  /** Absolute, without links. */
  readonly paths: readonly string[]
  /** The command line; null where it is none or unknown. */
  readonly command: string | null
  /** A tool of Bosun's own MCP server. */
  readonly isBosunTool: boolean
}

export interface PermissionAnswer {
  readonly decision: Decision
  readonly why: string
}

/** The strictest answer of all rules that apply. */
export function decidePermission(request: PermissionRequest, policy: PermissionPolicy): PermissionAnswer {
  if (request.isBosunTool) return { decision: 'allow', why: 'a tool of Bosun' }
  const answers = [
    ...ofPaths(request, policy),
    ...ofCommand(request, policy),
    ...ofKind(request, policy),
    ...(policy.isReadOnly === true && !isReading(request) ? [MORE_THAN_READING] : []),
  ]
  const [first = { decision: 'allow', why: 'within its workspace' }, ...rest] = answers
  return rest.reduce((worst, one) => (RANK[one.decision] > RANK[worst.decision] ? one : worst), first)
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<Decision, number>

const READS: ReadonlySet<string> = new Set(['read', 'search', 'think'])

function* ofPaths({ kind, paths }: PermissionRequest, policy: PermissionPolicy): Generator<PermissionAnswer> {
  for (const path of paths) {
    if (!READS.has(kind) && isAgentSettings(path))
      yield { decision: policy.agentSettings, why: `changes the settings of an agent: ${path}` }
    else if (!isInside(path, policy.roots))
      yield { decision: policy.outsideWorkspace, why: `outside its workspace: ${path}` }
  }
}

function* ofCommand({ command }: PermissionRequest, policy: PermissionPolicy): Generator<PermissionAnswer> {
  if (command === null) return
  for (const { program, words } of callsIn(command)) {
    if (isGitPush(program, words)) yield { decision: policy.gitPush, why: 'pushes with git' }
    else if (isNetwork(program, words))
      yield { decision: policy.network, why: `uses the network: ${program}` }
    for (const word of words) {
      if (isAgentSettings(word) && !(READERS.has(program) && !command.includes('>')))
        yield { decision: policy.agentSettings, why: `changes the settings of an agent: ${word}` }
      else if (leavesRoots(word, policy.roots))
        yield { decision: policy.outsideWorkspace, why: `outside its workspace: ${word}` }
    }
  }
}

function* ofKind(request: PermissionRequest, policy: PermissionPolicy): Generator<PermissionAnswer> {
  const { kind, paths, command } = request
  if (kind === 'fetch') yield { decision: policy.network, why: 'uses the network' }
  else if (kind === 'switch_mode') yield { decision: policy.agentSettings, why: "changes the agent's mode" }
  else if (!READS.has(kind) && paths.length === 0 && command === null)
    yield { decision: policy.outsideWorkspace, why: 'it does not say what it touches' }
}

const MORE_THAN_READING: PermissionAnswer = { decision: 'deny', why: 'it may only read' }

/** A command reads where all its calls do, and it redirects nothing. */
function isReading({ kind, command }: PermissionRequest): boolean {
  if (command === null) return READS.has(kind)
  const calls = callsIn(command)
  const isWhole = command.length <= MAX_COMMAND && calls.length < MAX_CALLS && calls.length > 0
  return isWhole && !command.includes('>') && calls.every(isReader)
}

function isReader({ program, words }: Call): boolean {
  const [, verb = '', ...rest] = words
  if (program === 'git') return READING_VERBS.has(verb) && !rest.some((word) => ACTING_OPTION.test(word))
  return READERS.has(program) && !words.some((word) => ACTING_OPTION.test(word))
}

/** Of git, as its first word: options before it may run programs. */
const READING_VERBS: ReadonlySet<string> = new Set(['log', 'show', 'ls-files', 'ls-tree', 'blame', 'status'])
/** By these a program that reads runs another one, writes or deletes: `find -exec`, `rg --pre`, `git log --output`. */
const ACTING_OPTION = /^--?(?:exec|ok|delete|fprint|fls|pre|hostname-bin|output|open|ext-diff|textconv)/

const isInside = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`))

/** Files by which agents are configured, of the project or of the user. */
const AGENT_SETTINGS =
  /(?:^|\/)(?:\.claude\/(?:settings[^/]*\.json|hooks\/|agents\/|commands\/|skills\/)|\.claude\.json$|\.mcp\.json$|\.codex\/|\.gemini\/(?!tmp\/)|\.qwen\/|\.opencode\/|opencode\.jsonc?$|\.config\/(?:opencode|goose)\/|\.goose\/|\.goosehints$|\.pi\/|\.cursor\/mcp\.json$)/

const isAgentSettings = (path: string): boolean => AGENT_SETTINGS.test(path)

/** Commands of which a word may name any file without changing it. */
const READERS: ReadonlySet<string> = new Set([
  'cat',
  'ls',
  'head',
  'tail',
  'grep',
  'rg',
  'find',
  'wc',
  'stat',
])

const MAX_COMMAND = 20_000
const MAX_CALLS = 200

interface Call {
  /** Its name, without the folder. */
  readonly program: string
  /** All words, the program's among them. */
  readonly words: readonly string[]
}

/** The calls of a command line, roughly: quotes are dropped, and what a variable holds stays unknown. */
export function callsIn(command: string): readonly Call[] {
  return command
    .slice(0, MAX_COMMAND)
    .split(/&&|\|\||[;|&\n()`]|\$\(/)
    .slice(0, MAX_CALLS)
    .map((call) => callOf(wordsOf(call)))
    .filter((call) => call.words.length > 0)
}

/** Without the variables that are set for it, and without braces around it. */
const wordsOf = (call: string): readonly string[] =>
  call
    .replace(/^\s*(?:\w+=\S*\s+)+/, '')
    .split(/[\s'"<>=]+/)
    .filter((word) => word !== '' && word !== '{' && word !== '}')

const PREFIXES: ReadonlySet<string> = new Set(['sudo', 'env', 'exec', 'time', 'nohup', 'command', 'xargs'])
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash'])

/** Without what stands before the program itself: `sudo`, `bash -lc`. */
function callOf(words: readonly string[]): Call {
  const [first = '', second = ''] = words
  const program = first.split('/').at(-1) ?? ''
  if (PREFIXES.has(program)) return callOf(words.slice(1))
  if (SHELLS.has(program) && second.startsWith('-') && second.includes('c')) return callOf(words.slice(2))
  return { program, words }
}

const isGitPush = (program: string, [, ...args]: readonly string[]): boolean =>
  program === 'git' && gitVerb(args) === 'push'

/** The first word that is no option of git itself. */
function gitVerb(args: readonly string[]): string | undefined {
  let skip = false
  return args.find((word) => {
    const isSkipped = skip
    skip = word === '-C' || word === '-c'
    return !isSkipped && !word.startsWith('-')
  })
}

const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  'curl wget ssh scp sftp rsync nc ncat netcat telnet ftp gh glab aws gcloud az kubectl'.split(' '),
)
/** Programs that use the network for some of their verbs. */
const NETWORK_VERBS: Readonly<Record<string, RegExp>> = {
  git: /^(?:fetch|pull|clone|ls-remote|submodule)$/,
  npm: /^(?:i|ci|install|add|update|publish|login|exec|audit)$/,
  pnpm: /^(?:i|install|add|update|publish|dlx)$/,
  yarn: /^(?:install|add|up|upgrade|publish|dlx)$/,
  bun: /^(?:i|install|add|update|publish|x)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  uv: /^(?:sync|add|pip|tool)$/,
  poetry: /^(?:install|add|update|publish)$/,
  cargo: /^(?:install|publish|fetch|add)$/,
  go: /^(?:get|install)$/,
  gem: /^(?:install|push)$/,
  docker: /^(?:pull|push|login|run|build)$/,
  'apt-get': /^(?:install|update|upgrade)$/,
  apt: /^(?:install|update|upgrade)$/,
  brew: /^(?:install|update|upgrade)$/,
}
const LOCAL_ADDRESS = /^(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/|$)/

function isNetwork(program: string, [, ...args]: readonly string[]): boolean {
  if (NETWORK_PROGRAMS.has(program)) return !args.some((word) => LOCAL_ADDRESS.test(word))
  const verb = program === 'git' ? gitVerb(args) : args.find((word) => !word.startsWith('-'))
  return verb !== undefined && (NETWORK_VERBS[program]?.test(verb) ?? false)
}

/** Absolute words outside of these are hardly paths: `/api/v1`, `/pattern/`. Those of programs and libraries are harmless. */
const TOP_FOLDERS: ReadonlySet<string> = new Set(
  'home root etc var tmp mnt media srv boot run Users private Volumes Library'.split(' '),
)
const top = (path: string): string => path.split('/')[1] ?? ''

/** Absolute paths, those of a home, and those that go up. Others are meant from within the workspace. */
function leavesRoots(word: string, roots: readonly string[]): boolean {
  if (/^(?:~|\$HOME|\$\{HOME\})(?:\/|$)/.test(word)) return true
  if (!word.startsWith('/')) return isAboveStart(word)
  const path = withoutDots(word)
  const isPath = TOP_FOLDERS.has(top(path)) || roots.some((root) => top(root) === top(path))
  return isPath && !isInside(path, roots)
}

function withoutDots(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** `../..` and the like, however it is written. */
function isAboveStart(path: string): boolean {
  if (!path.includes('..')) return false
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

export interface PermissionOption {
  readonly id: string
  readonly kind: string
}

/** The mildest option that means the decision; null where none does, and the request is cancelled. */
export function optionFor(options: readonly PermissionOption[], decision: 'allow' | 'deny'): string | null {
  const kinds = decision === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind)
    if (option !== undefined) return option.id
  }
  return null
}

type Asked = Pick<PermissionRequest, 'kind' | 'title' | 'command' | 'paths'> & {
  /** Why the policy leaves it to a person. */
  readonly why: string
}

/** What the supervisor cuts may go on in any way. */
export const SHOWN_COMMAND = 2000
export const MOST_PATHS = 20
const LONGEST = 2000

/**
 * Equal requests have the same line, so that one answer of a person counts for all of them. Null where a request does not
 * say all that it would do: it is asked each time.
 */
export function permissionClass({ kind, title, command, paths, why }: Asked): string | null {
  const found = classOf({ kind, title, command, paths })
  if (found === null) return null
  const [reason = ''] = why.split(':')
  const line = `${found} (${reason.trim()})`
  return line.length > LONGEST ? null : line
}

function classOf({ kind, title, command, paths }: Omit<Asked, 'why'>): string | null {
  // The same command line, and nothing that resembles it: what a command does lies in every word of it.
  if (command !== null) return command.length >= SHOWN_COMMAND ? null : `run \`${command.trim()}\``
  if (paths.length > 0) {
    const folders = [...new Set(paths.map(folderOf))].sort()
    return paths.length >= MOST_PATHS || folders.includes('') ? null : `${kind} in ${folders.join(', ')}`
  }
  const isAddress = kind === 'fetch' && /\bhttps?:\/\/\S+/.test(title)
  return isAddress ? `fetch ${title.trim()}` : null
}

/** Empty for a path that is not absolute. */
const folderOf = (path: string): string =>
  path.startsWith('/') ? path.slice(0, Math.max(1, path.lastIndexOf('/'))) : ''
