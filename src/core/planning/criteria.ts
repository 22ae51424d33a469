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
const CHECK_LINE =
  /\*{0,2}\b(?:check|done when|acceptance|verify that)\b\s*:\*{0,2}\s*([\s\S]*?)(?=\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|\n#|\n\*\*[A-Z]|$)/gi

export function inferCriteria(
  task: DraftTask,
  tests: { readonly add: readonly string[] },
): readonly string[] {
  const said = [...checks(task.description), ...task.steps.map((step) => step.title).filter(saysWhatHolds)]
  const proven = [...tests.add.map((path) => `${path} passes`), ...expectations(task)]
  const all = said.length > 0 ? [...said, ...proven] : [task.title, ...proven]
  return [...new Set(all.map(oneLine))].filter((text) => text !== '').slice(0, MOST_CRITERIA)
}

/** The texts of `**Check:** …` lines. */
function checks(description: string): readonly string[] {
  return [...description.matchAll(CHECK_LINE)].map((match) => match[1] ?? '')
}

function saysWhatHolds(title: string): boolean {
  return MUST_HOLD.test(title) && !STEP_OF_A_RITUAL.test(title)
}

/** "`npm test`: all tests pass", for runs the author expects to succeed and says how. */
function expectations(task: DraftTask): readonly string[] {
  return runsOf(task).flatMap((run) => {
    if (run.expects !== 'pass' || run.expected === null || run.expected.trim() === '') return []
    const [command = ''] = run.command.trim().split('\n')
    return [`\`${command}\`: ${run.expected}`]
  })
}

function oneLine(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= LONGEST ? plain : `${plain.slice(0, LONGEST - 1)}…`
}
