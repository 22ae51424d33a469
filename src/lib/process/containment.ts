/**
 * How processes are held together so that they can be ended whole. Where the system allows it they get a PID
 * namespace: they see only each other, none of them can leave it, and it dies with its first process, which dies
 * with its parent. Elsewhere they get a session of their own, and stragglers are found by a mark in their environment,
 * and where this user may make one by the control group they were born in.
 */
import { detectCgroup, succeeds } from './cgroup.ts'

export type Containment =
  | { readonly kind: 'namespace'; readonly prefix: readonly string[] }
  /** `cgroup` is the folder in which control groups can be made. */
  | { readonly kind: 'group'; readonly cgroup?: string | null | undefined }

/**
 * The first process of a namespace: it takes in orphans, and waits for the one thing it runs. It has no voice of
 * its own, since a shell would remark on how its child died. What it runs is not the first process itself: that
 * one cannot be ended by ordinary signals, and programs take such a parent for a sign that theirs is gone.
 */
const FIRST_PROCESS = [
  'sh',
  '-c',
  `exec 3>&2 2>/dev/null; sh -c 'exec "$@" 2>&3 3>&-' sh "$@"; exit $?`,
  'sh',
]
const IN_NAMESPACE = `test -r /proc/self/stat && test "$(ls -d /proc/[0-9]* | wc -l)" -lt 8`

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const BY_USER = ['unshare', '--user', '--map-current-user', ...UNSHARE.slice(1)]
/** Dies with its parent, even when that is killed. */
export const MORTAL = ['setpriv', '--pdeathsig', 'KILL', '--']

let detected: Promise<Containment> | null = null

/** What this machine allows, tried once. */
export function detectContainment(): Promise<Containment> {
  detected ??= tryInTurn([
    [...MORTAL, ...UNSHARE, '--'],
    [...MORTAL, ...BY_USER, '--'],
    [...UNSHARE, '--'],
    [...BY_USER, '--'],
  ])
  return detected
}

async function tryInTurn(candidates: readonly (readonly string[])[]): Promise<Containment> {
  if (process.platform !== 'linux') return { kind: 'group' }
  for (const candidate of candidates) {
    const prefix = [...candidate, ...FIRST_PROCESS]
    if (await succeeds([...prefix, 'sh', '-c', IN_NAMESPACE])) return { kind: 'namespace', prefix }
  }
  return { kind: 'group', cgroup: await detectCgroup() }
}

/** The command line that runs a command contained. */
export function contained(containment: Containment, command: readonly string[]): readonly string[] {
  return containment.kind === 'namespace' ? [...containment.prefix, ...command] : command
}

/** What a shell adds to the number of the signal that ended its child. */
const SHELL_SIGNAL_BASE = 128
/** Those that end a process, but for SIGHUP: git exits with 129 when it is called wrongly. */
const FATAL = (
  'SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM SIGTERM ' +
  'SIGXCPU SIGXFSZ SIGSYS'
).split(' ') as readonly NodeJS.Signals[]

/**
 * The signal that an exit code stands for, or null. In a namespace a shell stands between us and the command, so
 * a command that really exits with 137 is taken for a killed one: neither is ever a pass.
 */
export function signalBehind(containment: Containment, code: number): NodeJS.Signals | null {
  if (containment.kind !== 'namespace') return null
  const { signals } = process.getBuiltinModule('node:os').constants
  return FATAL.find((name) => signals[name] === code - SHELL_SIGNAL_BASE) ?? null
}
