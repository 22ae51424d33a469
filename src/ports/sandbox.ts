/** What a process behind walls may use of this machine. Everything else is read-only, and what is private is hidden. */
export interface Walls {
  /** Folders that it may write, where they are. They exist already. */
  readonly writable: readonly string[]
  /** What it may read although it lies in something hidden. What does not exist is left out. */
  readonly readable: readonly string[]
  /** What it may not change although it lies in something writable. What does not exist is left out. */
  readonly kept?: readonly string[] | undefined
  /** Its home, where that is not the user's. */
  readonly home?: string | undefined
  /** Where the package managers keep what they fetch, in the place of the user's own caches; null: nowhere. */
  readonly caches?: string | null
  /** In the home, a link to a copy in the place of a file that it may change for itself. */
  readonly links?: readonly { readonly at: string; readonly to: string }[]
  /** `none`: only addresses of its own, which nothing else reaches. */
  readonly network: 'open' | 'none'
}

/**
 * Keeps a process and all it starts within walls.
 * - `wall` returns the words to put before a command, which then runs as if they were not there: its arguments, input,
 *   output, environment, working folder and exit code are its own, and it dies with the process that started it.
 * - What it may not write answers as a read-only file system does; what is hidden is not there.
 * - It gains nothing by being run as root.
 */
export interface Sandbox {
  /** `off`: there are no walls, and `why` says why. */
  readonly mode: 'contain' | 'off'
  readonly why: string | null
  /** Whether a process within can make walls of its own. */
  readonly nests: boolean
  wall(walls: Walls): readonly string[]
}

/** What this machine has for it: `contain` was tried. */
export type SandboxFinding =
  | { readonly kind: 'contain'; readonly nests: boolean }
  | { readonly kind: 'none'; readonly why: string; readonly remedy: string }

/** Where there are no walls. */
export const noSandbox = (why: string): Sandbox => ({ mode: 'off', why, nests: true, wall: () => [] })

/** The walls of one kind of process, as far as they are the same for each. */
export type WallsFor = (own: Pick<Walls, 'writable'> & Partial<Walls>) => readonly string[]
