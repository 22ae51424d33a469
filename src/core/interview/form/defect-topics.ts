/** What is asked about something that does not work. */
import { withoutStop } from './plain-text.ts'
import { criterionFrom } from './criterion.ts'
import { choice, criteria, EVERYBODY, type Facts, type Topic } from './topic.ts'

const says = (facts: Facts, pattern: RegExp): boolean => pattern.test(facts.wording)

export const reproduce: Topic = {
  id: 'reproduce',
  levels: EVERYBODY,
  wording: {
    non_technical: 'When does it happen? Tell me what you did before, or pick one.',
    basic: 'How can it be reproduced? Describe the steps, or pick one.',
    expert: 'Steps to reproduce, versions, frequency?',
  },
  choices: [
    choice(
      'a',
      'every time',
      'a test repeats it: it fails before the change and passes after it',
      /\b(?:every time|always|each time|immer)\b/i,
      criteria('it happens every time'),
    ),
    choice(
      'b',
      'only sometimes',
      'the test repeats it 100 times',
      /\b(?:sometimes|now and then|random\w*|flak\w*|intermittent\w*|manchmal)\b/i,
      criteria('it happens only sometimes', 'A test repeats the steps 100 times without the fault'),
    ),
    choice(
      'c',
      'I do not know',
      'finding the cause is part of the work',
      /\b(?:don't know|no idea|unknown|weiß nicht)\b/i,
      criteria('the cause is unknown', 'The review note names the cause of the fault'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    facts.isDefect &&
    !says(
      facts,
      /\b(?:when|after|if i|steps|reproduc\w*|every time|always|sometimes|whenever|wenn|nach|sobald|immer)\b/,
    ),
  about: /\b(?:when|after|if i|whenever|every time|sometimes|always|wenn|immer|manchmal)\b/i,
  own: (text) => ({ vision: `It happens like this: ${withoutStop(text)}.`, summary: withoutStop(text) }),
}

export const expected: Topic = {
  id: 'expected',
  levels: EVERYBODY,
  wording: {
    non_technical: 'What should happen instead?',
    basic: 'What should happen instead?',
    expert: 'Expected behaviour?',
  },
  choices: [
    choice(
      'a',
      'it works as it did before',
      'a criterion: it behaves as before the fault appeared',
      /\b(?:as (?:it did )?before|like before|works?|wie (?:vorher|früher))\b/i,
      criteria('it should work as it did before', 'It behaves as it did before the fault appeared'),
    ),
    choice(
      'b',
      'a clear message',
      'a criterion: a message names the problem, and nothing is lost',
      /\b(?:message|error|warn\w*|meldung)\b/i,
      criteria('it should give a clear message', 'A message names the problem, and nothing is lost'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    facts.isDefect &&
    !facts.statements.some(({ kind }) => kind === 'criterion') &&
    !says(facts, /\b(?:should|expected|instead|must|supposed to|soll\w*|stattdessen)\b/),
  about: /\b(?:should|instead|expect\w*|supposed|soll\w*|stattdessen)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}
