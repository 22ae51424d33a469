/** What a project's instructions say and its files show: data for prompts and briefs, never an instruction to Bosun. */

export interface ProjectContext {
  /** AGENTS.md and CLAUDE.md, the root's first. Each applies to its own folder; `instructionsFor` selects. */
  readonly instructions: readonly Instructions[]
  /** In a line, for example "TypeScript; layers: api, core, store". Null where the files show none. */
  readonly architecture: string | null
  /** The most important first. */
  readonly keyPaths: readonly KeyPath[]
  readonly patterns: readonly Pattern[]
  readonly commands: readonly ProjectCommand[]
  /** The one with the most files first. */
  readonly languages: readonly { readonly name: string; readonly files: number }[]
}

export interface Instructions {
  /** From the root of the repository. */
  readonly path: string
  /** Bounded: a longer file is cut, which its text says. */
  readonly text: string
}

export interface KeyPath {
  /** What is there: "services", "tests", "manifest". */
  readonly name: string
  /** A folder ends in a slash. */
  readonly path: string
}

/** How things are done here, with a file that shows it. */
export interface Pattern {
  readonly name: string
  readonly text: string
  readonly example: string
}

export interface ProjectCommand {
  readonly name: 'setup' | 'test' | 'lint' | 'typecheck' | 'build'
  readonly command: string
  /** Of the newest run on a commit of this repository; `untried` where there was none. */
  readonly tried: 'passed' | 'failed' | 'untried'
}

export const NO_CONTEXT: ProjectContext = {
  instructions: [],
  architecture: null,
  keyPaths: [],
  patterns: [],
  commands: [],
  languages: [],
}
