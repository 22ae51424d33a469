/** How an interview goes, for docs/interview.md: the example is a real one, held by the form while the page is printed. */
import { fieldText, FIELDS_HINT, messageText, previewText } from '../../src/cli/interview/interview-view.ts'
import { styleOf } from '../../src/cli/terminal/terminal.ts'
import { fill, lastPost, newInterview, say, specOf } from '../helpers/drive-form.ts'

const HOW = `## How it goes

\`bosun interview\` starts one, or continues the one that is open; \`bosun interview --text "…"\` begins with what you want. It stands
in \`bosun status\` and \`bosun inbox\` while it is open.

**With a model** ([brain.md](brain.md)) the PM reads the code and asks what is open. A question has options and a default, or it is
answered in your own words:

| you type | it means |
| --- | --- |
| \`1b 2a\` | option b of the first question, option a of the second |
| \`b\`, \`2\` | an option, where one question is open |
| \`1: only teachers\` | your own words for the first question, with the lines below them |
| anything else | the PM reads it |
| \`e\` | opens your editor, for a longer text |
| \`q\` | leaves the interview open, for later |

**Without one nobody judges**, and the PM does not pretend to: it asks for six fields in one form, filled with what you wrote
already. A pasted request fills them by its headings (Acceptance criteria, Requirements, Out of scope, Non-goals, Constraints,
Users, Testing) and lists. Each field goes word for word into the spec:

| field | in the spec |
| --- | --- |
| what and why | the title (its first line) and the Vision |
| for whom | \`## Users\` |
| what must be true when it is done | each line a requirement, with itself as its criterion; indented lines below a line are its criteria instead |
| what is out of scope | Out of Scope, one item a line |
| constraints | \`## Constraints\`; every task of the plan gets them |
| how it is tested | \`## Testing\`; every task gets it too |

Empty fields are left out. The spec says under \`## Notes\` that nobody judged it, and so does the log. An empty repository is set up
first: one field more asks for the language, and the set-up is a spec of its own, whose tasks come first in the plan.

**A model that fails** (a key that is unknown, replies that fit no question) is named, and you decide: try again, or go on by the
form. A service that is down suspends the interview instead (below).

Then you choose: **Continue Interview** and say what should change, with a form in the form, filled with what the draft says; or
**Submit for Development**: the architect reviews the spec. What it sends back is shown to you in its words. An approved spec becomes a
plan, which is shown to you before anything of it starts ([start.md](start.md)). The same spec submitted again is a new review.

\`--expertise\` changes how a model asks: \`non_technical\` (few questions, everyday words), \`basic\` (the default) or \`expert\` (more and
denser ones).

Ctrl-C leaves the interview where it is; \`bosun interview\` goes on. \`bosun interview --abandon\` ends it in any state: nothing of it goes
on, and another can start. \`--no-input\` prints the open question and exits with 10, \`--json\` prints the state. Answers may come from
a pipe: field by field, an empty line after each.
`

const ANSWERS = {
  done: 'The settings page has a dark mode toggle\nIt follows the setting of the system until it is used',
  out: 'other colours',
} as const

/** What the terminal shows. */
function example(): string {
  const style = styleOf('plain')
  const start = 'Add dark mode toggle to settings page'
  const interview = say(newInterview(), start)
  const { text, questions } = lastPost(interview)
  const answers: Readonly<Record<string, string>> = ANSWERS
  const fields = questions.flatMap((question, at) => {
    const lines = answers[question.id]?.split('\n') ?? []
    const typed = [...lines, ''].map((line) => `> ${line}`.trimEnd())
    return [fieldText(question, `${at + 1}/${questions.length}`, style).trimEnd(), ...typed]
  })
  fill(interview, ANSWERS)
  const { title, version, priority, requirements } = specOf(interview)
  const spec_metadata = { title, version, priority, requirements_count: requirements.length }
  const user_spec_md = interview.draft ?? ''
  const answer = { session_id: '1.1', state: 'PREVIEW', spec_sha: '', user_spec_md, bootstrap_spec_md: null, spec_metadata } as const
  return [
    '$ bosun interview',
    'What would you like to build, change or fix? One sentence is enough.',
    `> ${start}`,
    messageText({ from: 'pm', text, questions }, { style, isAsked: true }).trimEnd(),
    '',
    FIELDS_HINT.trimEnd(),
    ...fields,
    '',
    previewText(answer, style).trimEnd(),
  ].join('\n')
}

export const interviewTalk = (): string => `${HOW}\n## An example, without a model\n\n\`\`\`\n${example()}\n\`\`\`\n`
