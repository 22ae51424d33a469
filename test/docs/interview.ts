/** Generates docs/interview.md: the prose of interview-prose.ts around the tables of the code. */
import { INTERVIEW_DEFINITIONS } from '../../src/core/interview/events/interview-events.ts'
import { SERVICE_CHECK_MS, SUSPEND_LIMIT_MS } from '../../src/core/interview/owed.ts'
import { SUSPENSIONS, TRANSITIONS, MAX_CALLS_PER_MESSAGE, MAX_QUESTIONS, type Transition } from '../../src/core/interview/transitions.ts'
import { interviewTalk } from './interview-talk.ts'
import { AFTER_TABLE, BEFORE_DIAGRAM, EVENTS_INTRO, SUSPEND_TEXT } from './interview-prose.ts'

const arrow = ({ from, to, means }: Transition): string => `  ${from} --> ${to}: ${means.replaceAll('"', '')}`

function diagram(): string {
  const suspensions = [...SUSPENSIONS].filter(({ on }) => on !== 'services_healthy')
  return [
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> WAITING',
    ...TRANSITIONS.map(arrow),
    ...suspensions.map(arrow),
    '  DONE --> [*]',
    '```',
  ].join('\n')
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const transitionRows = (transitions: readonly Transition[]): string =>
  table(
    ['from', 'to', 'on', 'means'],
    transitions.map(({ from, to, on, means }) => [`\`${from}\``, `\`${to}\``, `\`${on}\``, means]),
  )

export function interviewDocument(): string {
  const types = INTERVIEW_DEFINITIONS.map(({ shape }) => `\`${shape.type}\``)
  return [
    BEFORE_DIAGRAM({ calls: MAX_CALLS_PER_MESSAGE, questions: MAX_QUESTIONS }),
    interviewTalk(),
    '## Diagram\n',
    `${diagram()}\n`,
    '## Transitions\n',
    'Anything else is refused with an error that names the state, and the state stays.\n',
    `${transitionRows(TRANSITIONS)}\n`,
    '## SUSPEND\n',
    SUSPEND_TEXT({ checkS: SERVICE_CHECK_MS / 1000, limitMin: SUSPEND_LIMIT_MS / 60_000 }),
    `${transitionRows(SUSPENSIONS)}\n`,
    AFTER_TABLE,
    '## Events\n',
    `${EVENTS_INTRO}: ${types.join(', ')}.\n`,
  ].join('\n')
}
