/** The tests a task adds and the test commands it runs, from its files and steps. */
import type { DraftRun, DraftTask } from './draft.ts'
import { isTestPath, kindOfPath } from '../languages/paths.ts'
import type { TaskSpec } from './plan.ts'
import type { TaskFiles } from './task-files.ts'

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

/** The same for a complete task. Plans of earlier builds record only whether all were inferred. */
export function extendedTests(
  spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'inferred' | 'inferredTests'>,
): readonly string[] {
  if (spec.inferredTests !== undefined) return spec.inferredTests
  if (!spec.inferred.includes('tests_to_add')) return []
  return spec.testsToAdd.filter((path) => spec.files.modify.includes(path))
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
