/** How an interview goes, for docs/interview.md: the example is a real one, held by the form while the page is printed. */
import { previewText, messageText } from '../../src/cli/interview/interview-view.ts'
import { styleOf } from '../../src/cli/terminal/style.ts'
import { newInterview, posts, say, specOf } from '../helpers/drive-form.ts'

const HOW = `## How it goes

\`bosun interview\` starts one, or continues the one that is open; \`bosun interview --text "…"\` begins with what you want. Every
line that you type is a message. The PM asks at most five questions at a time. Each has options, says what follows from
them, and marks a default. Answer as you like:

| you type | it means |
| --- | --- |
| \`1b 2a\` | option b of the first question, option a of the second |
| \`b\`, \`2\` | an option of the first question that is open |
| \`1: only teachers\`, \`users: teachers\` | your own words for one question |
| \`only for signed-in users\` | a sentence; it is matched with the question that it answers |
| \`ok\`, \`you decide\`, \`skip\` | the defaults of this round |
| \`no, also on mobile\`, \`actually, drop the export\` | a further wish, a wish taken back |
| \`that's all\` | no more questions: the draft, with the defaults for the rest |
| \`e\` | opens your editor, for a longer text |
| \`q\` | leaves the interview open, for later |

What you did not say and the PM took for granted is listed with the draft, and stands in the spec's vision. Then you choose:
**Continue Interview** and say what should change (\`also …\`, \`drop R-002\`, \`R-003 could\`, \`add to R-001: …\`, \`call it …\`), or
**Submit for Development**: the architect reviews the spec against the code base. It may send it back, and the PM then asks you what
only you can decide. An approved spec becomes a plan, which starts as with \`bosun run\`.

\`--expertise\` changes how you are asked: \`non_technical\` (few questions, everyday words), \`basic\` (the default) or \`expert\` (more
and denser ones). An empty repository is set up first: the PM asks for the kind of program and the language, and the
set-up is a spec of its own, whose tasks come first in the plan.

Ctrl-C leaves the interview where it is; \`bosun interview\` goes on. \`--no-input\` prints the open question and exits with 10,
\`--json\` prints the state, and answers may come from a pipe, one per line.

Without a model the PM is a guided form: it asks about what your text leaves open and says so when it cannot answer a
question of yours. With one ([brain.md](brain.md)) it adapts, reads the code, and asks better questions. Text that you paste is data either
way: lines that address an assistant or its safeguards are left out, and the PM says how many.
`

const LINES = ['Add dark mode toggle to settings page', '2b, and it should follow the system setting', 'ok', "that's all"]

/** The messages as the terminal shows them. */
function example(): string {
  const style = styleOf('plain')
  const interview = newInterview()
  const shown: string[] = ['$ bosun interview', 'What would you like to build, change or fix? One sentence is enough.']
  let seen = 0
  for (const line of LINES) {
    if (interview.state === 'PREVIEW') break
    say(interview, line)
    const news = posts(interview).slice(seen)
    seen += news.length
    shown.push(`> ${line}`, ...news.map((message) => messageText(message, style).trimEnd()), '')
  }
  const { title, version, priority, requirements } = specOf(interview)
  const spec_metadata = { title, version, priority, requirements_count: requirements.length }
  const user_spec_md = interview.draft ?? ''
  const answer = { session_id: '1.1', state: 'PREVIEW', spec_sha: '', user_spec_md, bootstrap_spec_md: null, spec_metadata } as const
  return [...shown, previewText(answer, style).trimEnd()].join('\n')
}

export const interviewTalk = (): string => `${HOW}\n## An example\n\n\`\`\`\n${example()}\n\`\`\`\n`
