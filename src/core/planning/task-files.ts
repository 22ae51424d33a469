/** What a task writes, tests and has to fulfil, from what its author lists and its steps run; facts about the repository. */
import type { DraftFiles, DraftTask, DraftRun } from './draft.ts'
import {
  isFolderPath,
  isPattern,
  isTestPath,
  nameOf,
  normalPath,
  segmentsOf,
  kindOfPath,
} from '../languages/paths.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { ExpectedFiles } from './plan.ts'
import { clip } from './readers/markdown/inline.ts'

export interface TaskFiles {
  readonly files: ExpectedFiles
  /** Named as tests; they may exist already. */
  readonly tests: readonly string[]
  readonly reads: readonly string[]
  /** The author lists none. */
  readonly inferred: boolean
}

/** A task of a draft, with its files and its area. */
export interface DraftedTask {
  readonly task: DraftTask
  readonly files: TaskFiles
  readonly area: string
}

/** `written` are the paths that earlier tasks of the plan write. */
export function filesOfTask(task: DraftTask, exists: PathLookup, written: ReadonlySet<string>): TaskFiles {
  const isNew = (path: string): boolean => exists(path) === false && !written.has(normalPath(path))
  const added = unique(task.addedPaths.filter(isOnePath).map(tidy))
  const listed = listsFiles(task.files) ? filled(task.files, added) : null
  if (listed === null) {
    const reads = unique((task.files?.read ?? []).map(tidy))
    const files = { create: added.filter(isNew), modify: added.filter((path) => !isNew(path)), delete: [] }
    return { files, tests: [], reads, inferred: true }
  }
  const isTest = (path: string): boolean =>
    isTestPath(path) || (exists(path) !== true && !written.has(normalPath(path)))
  const known = new Set(
    [...listed.create, ...listed.modify, ...listed.delete, ...listed.test].map(normalPath),
  )
  const forgotten = added.filter((path) => !isFolderPath(path) && path.includes('/') && !known.has(path))
  const tests = [...listed.test.filter(isTest), ...forgotten.filter(isTestPath)]
  const others = forgotten.filter((path) => !isTestPath(path))
  return {
    files: {
      create: unique([...listed.create, ...others.filter(isNew)]),
      modify: unique([...listed.modify, ...others.filter((path) => !isNew(path))]),
      delete: unique(listed.delete),
    },
    tests: unique(tests),
    reads: unique([...listed.read, ...listed.test.filter((path) => !isTest(path))]),
    inferred: false,
  }
}

/** Every path a task writes. */
export function writtenPaths(task: Pick<TaskFiles, 'files' | 'tests'>): readonly string[] {
  return unique([...task.files.create, ...task.files.modify, ...task.files.delete, ...task.tests])
}

/** False for a list without files ("none", "see below"). */
export function listsFiles(files: DraftFiles | undefined): files is DraftFiles {
  if (files === undefined) return false
  return files.create.length + files.modify.length + files.delete.length + files.test.length > 0
}

/** Replaces abbreviated paths (`apps/desktop/.../options.ts`) by the one added path that matches. */
function filled(files: DraftFiles, added: readonly string[]): DraftFiles {
  const fill = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => {
      const fitting = isPattern(path) ? added.filter((candidate) => fits(path, candidate)) : []
      return fitting.length === 1 ? (fitting[0] ?? path) : tidy(path)
    })
  return {
    create: fill(files.create),
    modify: fill(files.modify),
    delete: fill(files.delete),
    test: fill(files.test),
    read: fill(files.read),
  }
}

function fits(pattern: string, path: string): boolean {
  const [root = ''] = segmentsOf(pattern)
  return nameOf(pattern) === nameOf(path) && segmentsOf(path)[0] === root
}

/** False for `-A`, `.` and patterns of `git add`. */
function isOnePath(path: string): boolean {
  return !path.startsWith('-') && normalPath(path) !== '.' && !/[*$`"']/.test(path)
}

function tidy(path: string): string {
  const plain = normalPath(path)
  return isFolderPath(path) && plain !== '' ? `${plain}/` : plain
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => path !== '')
}

const MOST_COMMANDS = 12
const LONGEST_COMMAND = 500

const RUNNER =
  /\b(pytest|py\.test|unittest|vitest|jest|mocha|ava|ctest|rspec|phpunit|tox|nox|bats|playwright test|cypress run|node --test)\b|\b(npm|pnpm|yarn|bun|deno|go|cargo|make|mix|swift|dotnet|mvn|gradle|\.\/gradlew|flutter|rake|just|zig build)\s+(-\S+\s+)*(run\s+)?(-\S+\s+)*[\w:]*test[\w:]*\b/
const NOT_A_TEST =
  /^(npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|brew|apt(-get)?)\s+(i|install|add|ci|sync|get|mod)\b|\b(serve|server|watch|dev|start)\b\s*$|&\s*$/

/** Tests named as such, new test files, and changed ones where sources change too or a red step names them. */
export function testsToAdd(task: DraftTask, files: TaskFiles): readonly string[] {
  const { create, modify } = files.files
  const red = commandsExpected(task, 'fail')
  const withSources = [...create, ...modify].some((path) => kindOfPath(path) === 'source')
  const created = create.filter((path) => isTestPath(path) && isTestCode(path))
  const extended = modify.filter(
    (path) => isTestPath(path) && isTestCode(path) && (withSources || namedIn(red, path)),
  )
  const left = new Set(testsLeftRed(task, files))
  return [...new Set([...files.tests, ...created, ...extended])].filter((path) => !left.has(path))
}

/** Of those, the tests that only the list of files to modify names: a refactoring may never make them fail. */
export function inferredTests(task: DraftTask, files: TaskFiles): readonly string[] {
  const red = commandsExpected(task, 'fail')
  const { create, modify } = files.files
  const named = new Set([...files.tests, ...create])
  return testsToAdd(task, files).filter(
    (path) => modify.includes(path) && !named.has(path) && !namedIn(red, path),
  )
}

/** Whether a step expects a test that the task adds to fail before the work. */
export function expectsRed(task: DraftTask, files: TaskFiles): boolean {
  const red = commandsExpected(task, 'fail')
  return (task.testsToAdd ?? testsToAdd(task, files)).some((path) => namedIn(red, path))
}

/** Test files that the task writes and expects to fail, for a later task to make pass. */
export function testsLeftRed(task: DraftTask, files: TaskFiles): readonly string[] {
  const [red, green] = [commandsExpected(task, 'fail'), commandsExpected(task, 'pass')]
  const written = [...files.files.create, ...files.files.modify, ...files.tests]
  if (red === '' || green !== '' || written.some((path) => kindOfPath(path) === 'source')) return []
  return written.filter((path) => isTestPath(path) && namedIn(red, path))
}

function commandsExpected(task: DraftTask, expects: 'pass' | 'fail'): string {
  return runsOf(task)
    .filter((run) => run.expects === expects)
    .map((run) => run.command)
    .join('\n')
}

/** Commands that look like tests and are expected to pass, each once, in the author's order. */
export function testsToRun(task: DraftTask): readonly string[] {
  const commands = runsOf(task)
    .filter((run) => run.expects !== 'fail')
    .map((run) => withoutPipe(run.command))
    .filter(isTestCommand)
  return [...new Set(commands)].slice(0, MOST_COMMANDS)
}

/** Strips pipes: `npm test | tail -5` has the exit code of tail. */
function withoutPipe(command: string): string {
  if (command.length > LONGEST_COMMAND) return ''
  return command
    .replace(/(\s*2>&1)?(\s*\|\s*(tail|head|grep|cat|tee|less|more|wc|sed|awk)\b[^|\n]*)+$/, '')
    .trim()
}

export function runsOf(task: DraftTask): readonly DraftRun[] {
  return task.steps.flatMap((step) => step.runs)
}

/** Judges the last command of a chain: `cd x && npm install && npm test` is a test. */
export function isTestCommand(command: string): boolean {
  if (command === '' || command.length > LONGEST_COMMAND || /<[a-z][^>]*>/i.test(command)) return false
  const last = (command.split(/&&|;|\n/).at(-1) ?? '').trim()
  if (NOT_A_TEST.test(last)) return false
  if (RUNNER.test(last)) return true
  return (
    /^(node|python3?|ruby|bash|sh|tsx|ts-node|deno run|\.\/)/.test(last) &&
    last.split(/\s+/).slice(0, 4).some(isTestCode)
  )
}

/** False for `__init__.py`, manifests and fixtures in a test folder. */
function isTestCode(path: string): boolean {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  return (
    /(^|[._-])(test|tests|spec|e2e)s?([._-]|$)/.test(name) ||
    (/tests?\.\w+$/.test(name) && name !== 'tests.json')
  )
}

function namedIn(text: string, path: string): boolean {
  const name = path.split('/').slice(-2).join('/')
  return text.includes(path) || text.includes(name)
}

const MOST_CRITERIA = 12
const LONGEST = 300

/** A step that states a requirement, not an action. */
const MUST_HOLD =
  /\b(must|should|shall|returns?|rejects?|accepts?|never|always|ensures?|refuses?|throws?|is shown|are shown)\b/i
const ROUTINE_STEP =
  /^(step \d+[:.]?\s*)?(write|run|re-?run|verify|check|confirm|commit|push|stage|implement|make sure (the )?tests?)\b/i
/** `**Check:** …` and its like, as a step. */
const CHECK = /^(?:check|acceptance(?: criteria)?|done when|success criteria|verify)\s*:\s*(?=\S)/i

/** Infers acceptance criteria for a task without any, from its steps and tests. */
export function inferCriteria(
  task: DraftTask,
  tests: { readonly add: readonly string[] },
): readonly string[] {
  const stated = task.steps.flatMap((step) => requirementOf(step.title))
  const proven = [...tests.add.map((path) => `${path} passes`), ...expectations(task, stated.join('\n'))]
  const all = stated.length > 0 ? [...stated, ...proven] : [task.title, ...proven]
  return [...new Set(all.map((text) => clip(oneLine(text), LONGEST)))]
    .filter((text) => text !== '')
    .slice(0, MOST_CRITERIA)
}

/** The requirement a step states, if any. */
function requirementOf(title: string): readonly string[] {
  if (CHECK.test(title)) return [title.replace(CHECK, '')]
  return MUST_HOLD.test(title) && !ROUTINE_STEP.test(title) ? [title] : []
}

/** "`npm test`: all tests pass", for runs with an expected result. */
function expectations(task: DraftTask, stated: string): readonly string[] {
  return runsOf(task).flatMap((run) => {
    const [command = ''] = run.command.trim().split('\n')
    const isStated = stated.includes(command) || /^git\b/.test(command)
    if (run.expects !== 'pass' || run.expected === null || run.expected.trim() === '' || isStated) return []
    return [`\`${command}\`: ${run.expected}`]
  })
}

/** Facts about the repository of a plan. */
export interface RepoFacts {
  /** Tracked paths relative to the root. Null without a repository. */
  readonly files: ReadonlySet<string> | null
  /** Where the plan's file is; null for standard input. */
  readonly planLocation: 'in_git' | 'beside_git' | 'outside' | null
  /** Whether the plan's design document exists; null if unchecked. */
  readonly designPresent: boolean | null
  /** Files that only sound like migrations, by what they hold. */
  readonly notMigrations: readonly string[]
}

export const NO_FACTS: RepoFacts = {
  files: null,
  planLocation: null,
  designPresent: null,
  notMigrations: [],
}

/** Whether a path exists as a file or folder; null if unknown. */
export type PathLookup = (path: string) => boolean | null

/** Looks up paths in the facts. Folders are collected on the first lookup of one. */
export function pathLookup(facts: RepoFacts): PathLookup {
  const { files } = facts
  if (files === null) return () => null
  let folders: ReadonlySet<string> | null = null
  return (path) => {
    const plain = normalPath(path)
    if (files.has(plain)) return true
    folders ??= foldersOf(files)
    return folders.has(plain)
  }
}

function foldersOf(files: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}
