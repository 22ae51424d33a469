/** Opens the sandbox of this machine: tries it once, since finding its program proves nothing. */
import { contained, detectContainment } from '../lib/process/containment.ts'
import { findOnPath } from '../lib/process/find-program.ts'
import { runProgram, type ProgramOutcome } from '../lib/process/run-program.ts'
import { noSandbox, type Sandbox, type SandboxFinding } from '../ports/sandbox.ts'
import { allowedPath, contain } from './contain.ts'

export interface SandboxSettings {
  readonly mode: 'contain' | 'off'
  readonly allow: readonly string[]
}

export interface SandboxPlace {
  /** The state root. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Private places besides those that are always private. */
  readonly hidden?: readonly string[]
}

type SandboxFound =
  | Exclude<SandboxFinding, { readonly kind: 'contain' }>
  | (SandboxFinding & { readonly kind: 'contain'; readonly program: string })

export async function openSandbox(settings: SandboxSettings, place: SandboxPlace): Promise<Sandbox> {
  if (settings.mode === 'off') return noSandbox('sandbox.mode is off')
  const found = await findSandbox()
  if (found.kind === 'none') return noSandbox(found.why)
  const { root, env, hidden = [] } = place
  const allow = settings.allow.map((path) => allowedPath(path, env['HOME']))
  return contain({ ...found, root, env, allow, hidden })
}

const TRIAL_MS = 10_000
/** As agents start theirs. As root it fails without capabilities. */
const NESTED = ['--unshare-user', '--ro-bind', '/', '/', 'true']
let found: Promise<SandboxFound> | null = null

/** What this machine has; the same for the life of this process. */
export const findSandbox = (): Promise<SandboxFound> => (found ??= trySandbox())

const INSTALL =
  'Install it (Debian, Ubuntu: sudo apt install bubblewrap; Fedora: sudo dnf install bubblewrap).'
const ALLOW =
  'Allow unprivileged user namespaces (Ubuntu 24.04: an AppArmor profile for bwrap; containers: run them with them allowed).'

async function trySandbox(): Promise<SandboxFound> {
  if (process.platform !== 'linux')
    return {
      kind: 'none',
      why: `no sandbox for ${process.platform} yet`,
      remedy: 'Use Linux for workers that you do not trust.',
    }
  const program = findOnPath('bwrap', `${process.env['PATH'] ?? ''}:/usr/bin:/bin`)
  if (program === null) return { kind: 'none', why: 'bwrap is not installed', remedy: INSTALL }
  const containment = await detectContainment()
  if (containment.kind === 'group') return { kind: 'none', why: 'no process namespaces here', remedy: ALLOW }
  const sandbox = contain({
    program,
    root: '/nonexistent',
    env: { HOME: '/nonexistent' },
    allow: [],
    hidden: [],
    nests: false,
  })
  const walls = sandbox.wall({ writable: [], readable: [], network: 'open' })
  const run = (words: readonly string[]): Promise<ProgramOutcome> => {
    const [command = '', ...args] = contained(containment, words, walls)
    return runProgram({ command, args, cwd: '/', env: {}, timeoutMs: TRIAL_MS, maxBytes: 10_000 })
  }
  const [outcome, nested] = await Promise.all([run(['true']), run([program, ...NESTED])])
  const isDone = (one: ProgramOutcome): boolean => one.kind === 'exited' && one.code === 0
  if (isDone(outcome)) return { kind: 'contain', program, nests: isDone(nested) }
  const said = 'stderr' in outcome ? outcome.stderr.trim().split('\n')[0] : ''
  return { kind: 'none', why: `bwrap does not work here${said === '' ? '' : `: ${said}`}`, remedy: ALLOW }
}
