/** Acceptance criteria of a task whose author wrote none: what its text says must hold, and what must pass. */
import type { DraftTask } from './draft.ts'
import { runsOf } from './task-tests.ts'

const MOST_CRITERIA = 12
const LONGEST = 300

/** A step that says what must be true, not what to type. */
const MUST_HOLD =
  /\b(must|should|shall|returns?|rejects?|accepts?|never|always|ensures?|refuses?|throws?|is shown|are shown)\b/i
const STEP_OF_A_RITUAL =
  /^(step \d+[:.]?\s*)?(write|run|re-?run|verify|check|confirm|commit|push|stage|implement|make sure (the )?tests?)\b/i
/** `**Check:** …` and its like, as a step. */
const CHECK = /^(?:check|acceptance(?: criteria)?|done when|success criteria|verify)\s*:\s*(?=\S)/i

export function inferCriteria(
  task: DraftTask,
  tests: { readonly add: readonly string[] },
): readonly string[] {
  const said = task.steps.flatMap((step) => sayingOf(step.title))
  const proven = [...tests.add.map((path) => `${path} passes`), ...expectations(task, said.join('\n'))]
  const all = said.length > 0 ? [...said, ...proven] : [task.title, ...proven]
  return [...new Set(all.map(oneLine))].filter((text) => text !== '').slice(0, MOST_CRITERIA)
}

/** What a step says must hold, if it says so. */
function sayingOf(title: string): readonly string[] {
  if (CHECK.test(title)) return [title.replace(CHECK, '')]
  return MUST_HOLD.test(title) && !STEP_OF_A_RITUAL.test(title) ? [title] : []
}

/** "`npm test`: all tests pass", for runs the author expects to succeed and says how. */
function expectations(task: DraftTask, said: string): readonly string[] {
  return runsOf(task).flatMap((run) => {
    const [command = ''] = run.command.trim().split('\n')
    const toldElsewhere = said.includes(command) || /^git\b/.test(command)
    if (run.expects !== 'pass' || run.expected === null || run.expected.trim() === '' || toldElsewhere)
      return []
    return [`\`${command}\`: ${run.expected}`]
  })
}

function oneLine(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`
}
