/** What may import what. The layout is explained in ARCHITECTURE.md; this table is what holds. */
import type { Purity } from './purity.ts'

export interface Part {
  /** Parts of src/ it may import, besides itself; a part includes the parts in its folders. */
  readonly imports: readonly string[]
  /** Parts of which it may import types, besides those. */
  readonly types?: readonly string[]
  /** Packages it may import; `any` where the choice is its own. */
  readonly packages: readonly string[] | 'any'
  /** Whether it may import from `node:`. */
  readonly node: 'yes' | 'no'
  readonly purity?: Purity
}

const ADAPTER: Part = { imports: ['core', 'ports', 'lib'], packages: 'any', node: 'yes' }
const DOOR: Part = {
  imports: ['app', 'config', 'client', 'protocol', 'lib'],
  types: ['core', 'ports'],
  packages: 'any',
  node: 'yes',
}

const LAYERS = [
  'lib',
  'core',
  'ports',
  'engine',
  'simulation',
  'store',
  'workspaces',
  'agents',
  'checks',
  'parsing',
  'brain',
  'sandbox',
  'app',
  'protocol',
  'client',
  'config',
  'cli',
  'server',
  'mcp',
]

export const PARTS: Readonly<Record<string, Part>> = {
  // The files directly in src/: each starts one process, and nothing imports them.
  entry: { imports: ['composition', 'agents', 'parsing'], packages: [], node: 'yes' },
  // The only folder that knows every part.
  composition: { imports: LAYERS, packages: [], node: 'yes' },
  lib: { imports: ['lib/text'], packages: 'any', node: 'yes' },
  // The one folder of lib that the core may use too, so that a moment is formatted the same everywhere.
  'lib/text': { imports: [], packages: [], node: 'no', purity: 'pure' },
  core: { imports: ['lib/text'], packages: ['zod', 'smol-toml'], node: 'no', purity: 'pure' },
  ports: { imports: ['core'], packages: [], node: 'no' },
  engine: { imports: ['core', 'ports', 'lib'], packages: [], node: 'no', purity: 'deterministic' },
  // It runs whole projects, so it drives the engine; the log it runs them on is passed in.
  simulation: {
    imports: ['core', 'ports', 'lib', 'engine'],
    packages: [],
    node: 'no',
    purity: 'deterministic',
  },
  store: ADAPTER,
  workspaces: ADAPTER,
  agents: ADAPTER,
  checks: ADAPTER,
  parsing: ADAPTER,
  brain: ADAPTER,
  sandbox: ADAPTER,
  // What a use case answers has the shape in which it is sent.
  app: {
    imports: ['core', 'ports', 'engine', 'lib'],
    types: ['protocol'],
    packages: ['zod'],
    node: 'yes',
  },
  protocol: { imports: [], types: ['core'], packages: ['zod'], node: 'no' },
  // How the command line and other doors reach the daemon.
  client: { imports: ['protocol', 'lib'], packages: [], node: 'yes' },
  config: { imports: ['core', 'ports', 'lib'], packages: 'any', node: 'yes' },
  // Both open the MCP door, when it is asked for.
  cli: { ...DOOR, imports: [...DOOR.imports, 'mcp'] },
  server: { ...DOOR, imports: [...DOOR.imports, 'mcp'] },
  mcp: DOOR,
  // The page: it knows the daemon only by what they exchange, and writes figures as the daemon does.
  web: { imports: ['lib/text'], types: ['protocol'], packages: 'any', node: 'no' },
}

/** What single files may do although their part may not: what they import or the global they use. */
export const EXCEPTIONS: readonly { readonly file: string; readonly may: string; readonly why: string }[] = [
  {
    file: 'src/simulation/virtual-clock.ts',
    may: 'setImmediate',
    why: 'it lets every promise settle before time moves on; no time passes by it',
  },
  {
    file: 'src/simulation/simulation.ts',
    may: 'node:crypto',
    why: 'a hash of the whole log is how two runs of one seed are compared; there is no luck in it',
  },
]

/**
 * Of which folders of the core each folder may import code; types are free. A folder within a folder counts as the
 * outer one. Files never load each other in a circle, whatever their folders are.
 */
export const CORE: Readonly<Record<string, readonly string[]>> = {
  answers: ['state', 'watch'],
  choice: ['languages'],
  crew: ['state', 'watch'],
  decide: [
    'choice',
    'delivery',
    'events',
    'fold',
    'gates',
    'planning',
    'review',
    'scheduling',
    'state',
    'watch',
  ],
  delivery: ['gates', 'languages', 'planning', 'review', 'state'],
  'dry-run': ['planning', 'settings', 'thinking'],
  'event-schemas': ['planning'],
  events: ['answers', 'event-schemas', 'fold', 'planning', 'review', 'scheduling', 'state', 'watch'],
  fold: ['delivery', 'languages', 'planning', 'review', 'scheduling', 'state', 'watch'],
  gates: ['event-schemas', 'languages', 'planning', 'test-reports'],
  intake: ['choice', 'languages', 'planning', 'repository-facts'],
  interview: ['choice', 'events', 'intake', 'planning', 'spec'],
  languages: [],
  log: ['events', 'interview', 'state', 'watch'],
  planning: ['languages', 'settings'],
  'repository-facts': ['languages', 'planning', 'test-reports'],
  review: ['choice', 'gates', 'languages', 'state'],
  scheduling: ['planning'],
  settings: [],
  spec: ['languages', 'planning'],
  state: ['planning', 'scheduling', 'settings'],
  'test-reports': [],
  thinking: ['choice', 'gates', 'intake', 'interview', 'planning', 'spec'],
  watch: ['delivery', 'event-schemas', 'state'],
}

/** Imports between folders that can reach each other, types included. It may only fall. */
export const IMPORTS_ON_CIRCLES = 89

/** The most files a folder may have, tests apart. */
export const MAX_FILES = 22

/** Files that something other than an import starts. */
export const ROOTS: readonly { readonly pattern: RegExp; readonly startedBy: string }[] = [
  { pattern: /^src\/(main|supervise|parse)\.ts$/, startedBy: 'the bundle' },
  { pattern: /^(bench|scripts)\/[^/]+\.ts$/, startedBy: 'npm scripts' },
  { pattern: /^(web\/)?[^/]+\.config\.ts$/, startedBy: 'its tool' },
  { pattern: /^web\/src\/(main|live\/hub-worker)\.tsx?$/, startedBy: 'the browser' },
  { pattern: /(\.test|^test\/(helpers|browser)\/after-each-file)\.ts$/, startedBy: 'vitest' },
  { pattern: /^test\/fixtures\//, startedBy: 'a test, as a program of its own' },
  { pattern: /^test\/agents\/misbehaving-acp-agent\.ts$/, startedBy: 'a test, as a program of its own' },
]

export const MAX_LINES = 400
