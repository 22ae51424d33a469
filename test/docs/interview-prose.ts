/** The words of docs/interview.md. */

export const BEFORE_DIAGRAM = (limits: { readonly calls: number; readonly questions: number }): string =>
  `# The interview

This page is printed from the tables in \`src/core/interview\` by a test (\`UPDATE_DOCS=1 npm run test:quick\` rewrites it).

An interview turns an idea into a spec, and the spec into a plan. Each repository has at most one at a time. It is a state
machine; every change of it is an event in the log, so a restart loses nothing.

| state | meaning |
| --- | --- |
| \`WAITING\` | no interview is open |
| \`AWAIT_USER\` | the PM waits for the user's next message |
| \`WORKING\` | the PM thinks and calls tools, one call at a time |
| \`PREVIEW\` | a valid spec is ready; the user continues the interview or submits the spec |
| \`AWAIT_ARCHITECT\` | the architect reviews the spec |
| \`ERROR\` | something failed; the interview resets to \`WAITING\` and can be continued |
| \`DONE\` | the daemon stopped |
| \`SUSPEND\` | a service that thinking needs is unavailable |

In \`WORKING\` the PM has five tools: \`chat_post\` (a model asks at most ${limits.questions} questions at once), \`read_file\`, \`list_files\`,
\`await_user\` and \`spec_submit\`. One turn is one tool call. After ${limits.calls} calls for one message of the user the interview waits for
the user. A call that is refused, such as a path outside the project or an invalid spec, is answered to the PM, which tries
again; only a tool that fails itself is an error. The file tools see the newest commit, from which the plan will start, and read
no files that usually hold keys.

A message that arrives while the PM is working is kept and read with the next turn.
`

export const SUSPEND_TEXT = (times: { readonly checkS: number; readonly limitMin: number }): string =>
  `Two rules cover a model that does not answer:

- **Its provider says when it will accept work again** (a rate limit with a reset time): the interview stays in its state and
  goes on at that time. \`status\` shows it as \`parked_until\`. Workers of a plan are parked in the same way.
- **It is unavailable without such a time** (time-outs, refused connections, server errors) and the retries are used up: the
  interview enters \`SUSPEND\` and remembers its state. Every configured service is checked each ${times.checkS} s. When all of them are
  healthy, the interview returns to where it was. After ${times.limitMin} minutes it becomes \`ERROR\`. Time in which no daemon runs does not count.

In both cases everything is kept, and messages of the user are accepted.
`

export const AFTER_TABLE = `## Errors and restarts

- **An error** keeps the whole interview. \`start\` without a text continues it; with a text, and by an upload, another one begins and
  the earlier one stays until it is continued (\`resume: true\`, or its session from \`kept\`) or dropped (\`resume: false\`). A draft that was in preview or with the
  architect comes back in \`PREVIEW\`.
- **A crash** of the daemon is not a stop: the interview continues in its state. An effect that was under way runs again.
- **An orderly stop** is recorded (\`DONE\`; from \`SUSPEND\` it is \`ERROR\`). The next daemon opens a machine in \`WAITING\` and continues by the
  transitions above: a draft is uploaded again, and submitted again under the same key if it was with the architect;
  everything else starts the interview again with its conversation.
- **A damaged interview** is reported in \`status\` and in the daemon's log. Plans are not affected, and the next interview starts
  in a new machine.
- \`AWAIT_USER\` waits for ever unless \`interview.await_user_timeout\` in bosun.yaml or \`await_user_ms\` of \`start\` says otherwise.

## HTTP

Every body and query names the repository (\`repo\`: the absolute path of a folder in it). \`start\` and \`upload\` refuse a folder
from which no plan could start, because it has no git repository or no commit, and name the commands that create it. A change is durable when the daemon answers.

| route | body or query | answer |
| --- | --- | --- |
| \`POST /api/pm/start\` | \`expertise?\`, \`text?\`, \`resume?\`, \`await_user_ms?\`, \`key?\` | status; the same with the text of the open interview or none is that interview, another text is 409 |
| \`POST /api/pm/chat\` | \`session_id\`, \`message\` or \`answers\` (or both), \`key?\` | status; \`answers\` are by the ids of the open questions, several at once |
| \`POST /api/pm/abandon\` | | status; ends what is open |
| \`GET /api/pm/chat\` | \`after?\` | the messages after a position |
| \`POST /api/pm/upload\` | \`markdown\`, \`resume?\` (only \`false\`), \`key?\` | status (\`PREVIEW\`); each error of an invalid spec with its line |
| \`GET /api/pm/preview/spec\` | | the spec with its \`spec_sha\`; \`changes\` to the plan of an earlier version, or a \`warning\` where that plan has ended |
| \`GET /api/pm/preview/outline\` | | the spec as far as the conversation has come, or \`null\` |
| \`POST /api/pm/preview/action\` | \`action\`, \`spec_sha\` | status; 409 if the spec has changed since it was shown |
| \`GET /api/pm/status\` | | \`session_id\`, \`state\`, \`suspended_from\`, \`open_question\`, \`spec_sha\` and more |

Each \`POST\` takes \`environment?: { path, variables }\`: of the caller's environment, what the brain and the agents of bosun.yaml take
([keys](brain.md#keys)).

\`action\` is \`continue_interview\` or \`submit_to_architect\`. The same call twice counts once: by its \`key\`, or because it asks for what
has already happened. The events of interviews are in \`/api/events\` too.
`

export const EVENTS_INTRO =
  'An interview has a stream of its own in the log, `interview:<repository>:<number>`; an orderly stop ends it, and the next machine has the next number. Its events'
