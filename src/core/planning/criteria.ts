/** Infers acceptance criteria for a task without any, from its steps and tests. */
import type { DraftTask } from './draft.ts'
import { runsOf } from './task-tests.ts'

const MOST_CRITERIA = 12
const LONGEST = 300

/** A step that states a requirement, not an action. */
const MUST_HOLD =
  /\b(must|should|shall|returns?|rejects?|accepts?|never|always|ensures?|refuses?|throws?|is shown|are shown)\b/i
const ROUTINE_STEP =
  /^(step \d+[:.]?\s*)?(write|run|re-?run|verify|check|confirm|commit|push|stage|implement|make sure (the )?tests?)\b/i
/** `**Check:** …` and its like, as a step. */
const CHECK = /^(?:check|acceptance(?: criteria)?|done when|success criteria|verify)\s*:\s*(?=\S)/i

export function inferCriteria(
  task: DraftTask,
  tests: { readonly add: readonly string[] },
): readonly string[] {
  const stated = task.steps.flatMap((step) => requirementOf(step.title))
  const proven = [...tests.add.map((path) => `${path} passes`), ...expectations(task, stated.join('\n'))]
  const all = stated.length > 0 ? [...stated, ...proven] : [task.title, ...proven]
  return [...new Set(all.map(oneLine))].filter((text) => text !== '').slice(0, MOST_CRITERIA)
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

function oneLine(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`
}
