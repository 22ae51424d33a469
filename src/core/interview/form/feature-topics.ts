/** What is asked about a feature: what it does, for whom, with what, and how that is seen. */
import { withoutStop } from './plain-text.ts'
import { criterionFrom } from './criterion.ts'
import { choice, criteria, EVERYBODY, hasKind, TECHNICAL, type Facts, type Topic } from './topic.ts'

const actionsIn = (facts: Facts): number =>
  facts.statements.filter(({ kind }) => kind === 'action' || kind === 'subject').length

export const behaviour: Topic = {
  id: 'behaviour',
  levels: EVERYBODY,
  wording: {
    non_technical: 'What should people be able to do with it? Tell me in your own words, or pick one.',
    basic: 'Is that all it should do, or is there more? List further points, or pick one.',
    expert: 'Which behaviour beyond the happy path belongs to it? List it, or pick one.',
  },
  choices: [
    choice(
      'a',
      'only what I wrote',
      'one requirement, built as you wrote it',
      /^(?:only|just) (?:that|this|what|the one)\b|\b(?:nothing (?:more|else)|as (?:i )?(?:wrote|written|described)|nur das)\b/i,
      {
        summary: 'it does what you wrote and nothing more',
      },
    ),
    choice(
      'b',
      'it can also be undone',
      'a criterion more: undoing restores what was there before',
      /\bundo|revert|rückgängig/i,
      criteria('it can be undone', 'Undoing it restores exactly what was there before'),
    ),
    choice(
      'c',
      'each use is recorded',
      'a criterion more: each use is listed with its time',
      /\b(?:record|log|history|audit|protokoll)/i,
      criteria('each use is recorded', 'Each use is recorded with its time and can be listed'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) => !facts.isDefect && actionsIn(facts) <= 1 && !hasKind(facts, 'criterion'),
  // What more it should do is a wish, which the form recognises anywhere.
  about: /(?!)/,
  takesWishes: true,
  own: () => ({ summary: '' }),
}

export const users: Topic = {
  id: 'users',
  levels: EVERYBODY,
  wording: {
    non_technical: 'Who will use it?',
    basic: 'Who is it for?',
    expert: 'Which callers or roles get access?',
  },
  choices: [
    choice(
      'a',
      'everybody who uses the product',
      'no check of who is asking',
      /\b(?:every(?:body|one)|anyone|anybody|all users|public|alle|jeder)\b/i,
      {
        vision: 'It is for everybody who uses the product.',
        summary: 'it is for everybody who uses the product',
      },
    ),
    choice(
      'b',
      'people who are signed in',
      'a criterion more: without signing in it cannot be used',
      /\b(?:signed.in|logged.in|registered|members?|customers?|angemeldet|kunden)\b/i,
      {
        vision: 'It is for people who are signed in.',
        ...criteria(
          'it is for people who are signed in',
          'Without signing in it is neither shown nor usable',
        ),
      },
    ),
    choice(
      'c',
      'administrators or staff',
      'a criterion more: all others are refused',
      /\b(?:admin\w*|staff|moderators?|operators?|mitarbeiter)\b/i,
      {
        vision: 'It is for administrators or staff.',
        ...criteria(
          'it is for administrators or staff',
          'A user without that role is refused, and nothing changes',
        ),
      },
    ),
    choice(
      'd',
      'other programs',
      'a criterion more: a documented interface that a program can use',
      /\b(?:other programs?|api|machines?|scripts?|services?|clients?|integrations?)\b/i,
      {
        vision: 'It is for other programs.',
        ...criteria(
          'other programs use it',
          'A program can use it through a documented interface, without a person',
        ),
      },
    ),
  ],
  defaultKey: (facts) => (facts.surface === 'library' || facts.surface === 'service' ? 'd' : 'a'),
  isOpen: (facts) =>
    !facts.isDefect &&
    !/\b(?:users?|admins?|administrators?|customers?|visitors?|staff|employees|teams?|students?|teachers?|developers?|everyone|everybody|people|guests?|members?|players?|family|my (?:mom|dad|wife|husband|kids|boss)|as an? \w+ i|callers?|clients?|nutzer|benutzer|kunden|mitarbeiter|schüler|lehrer|leute)\b/.test(
      facts.wording,
    ),
  about:
    /^(?:only |just |nur )?(?:for|für)\s|\b(?:admins?|staff|visitors?|guests?|customers?|signed.in|logged.in|everyone|everybody|kunden|nutzer)\b(?=[^.]{0,30}$)/i,
  own: (text) => {
    const who = withoutStop(text).replace(/^(?:it is |it's |only |just |nur )?(?:for|für)\s+/i, '')
    return { vision: `It is for ${who}.`, summary: `it is for ${who}` }
  },
}

/** Work that changes nothing of what people enter. */
const INWARD =
  /^(?:refactor|restructure|clean|simplify|rename|move|document|describe|improve|optimi[sz]e|speed up|upgrade|update the|migrate|make .{2,40} faster)\b/i

export const edge: Topic = {
  id: 'edge_cases',
  levels: EVERYBODY,
  wording: {
    non_technical:
      'What should happen when something goes wrong, for example when something is missing or typed wrongly?',
    basic: 'What should happen with wrong, missing or empty input, or when a step fails?',
    expert: 'How are invalid, empty and failing cases handled?',
  },
  choices: [
    choice(
      'a',
      'say what is wrong, change nothing',
      'a criterion: a message names the problem, and nothing changes',
      /\b(?:message|errors?|say|warn\w*|tell|refuse|reject|abort|meldung|fehler\w*)\b/i,
      criteria(
        'wrong or missing input gives a clear message and changes nothing',
        'Wrong or missing input gives a message that names the problem, and changes nothing',
      ),
    ),
    choice(
      'b',
      'use a default and go on',
      'a criterion: a documented default takes its place',
      /\b(?:default|ignore|fallback|fall back|go on|continue|ignorieren)\b/i,
      criteria(
        'a documented default is used for wrong or missing input',
        'With wrong or missing input a documented default is used, and the work goes on',
      ),
    ),
    choice(
      'c',
      'try again, then say so',
      'a criterion: three attempts, then a message',
      /\b(?:retry|retries|try again|repeat|again|nochmal|erneut)\b/i,
      criteria(
        'a failed step is tried again',
        'A failed step is tried three times in all; then a message names the problem',
      ),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    !facts.isDefect &&
    !INWARD.test(facts.goal ?? '') &&
    !/\b(?:errors?|invalid|empty|fails?|failure|missing|offline|wrong|timeouts?|retry|fallback|fehler\w*|ungültig\w*|leer)\b/.test(
      facts.wording,
    ),
  about:
    /\b(?:errors?|invalid|empty|fail\w*|missing|wrong|timeout|retr(?:y|ies)|try again|fehler\w*|ungültig\w*|leer\w*)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

const KEEPS =
  /\b(?:sav(?:e|es|ed|ing)|stor(?:e|es|ed|age)|remember\w*|settings?|preferences?|toggle|history|upload\w*|carts?|accounts?|profiles?|records?|todos?|to-do|notes?|bookmarks?|favou?rites?|dark mode|theme|orders?|bookings?|speicher\w*|einstellung\w*|merken)\b/
const KEPT_WHERE =
  /\b(?:database|localstorage|local storage|sqlite|postgres\w*|mysql|redis|mongo\w*|cookies?|on disk|in memory|per user|each user|on the server|nothing is stored|not stored|in a file|json file|csv file|datenbank|s3|after a restart|persist\w*)\b/

/** It shows or hands out what is there. */
const READS =
  /\b(?:exports?|lists|shows?|displays?|prints?|downloads?|views?|sorts?|filters?|search\w*|reports?)\b/i
/** What a person sets, or wants to find again. */
const CHOSEN =
  /\b(?:sav(?:e|es|ed|ing)|stor(?:e|es|ed|age)|remember\w*|settings?|preferences?|toggle|history|bookmarks?|favou?rites?|dark mode|theme|upload\w*|speicher\w*|einstellung\w*|merken)\b/i
const onlyReads = ({ goal, wording }: Facts): boolean => READS.test(goal ?? '') && !CHOSEN.test(wording)

export const dataKept: Topic = {
  id: 'data',
  levels: EVERYBODY,
  wording: {
    non_technical: 'Should it be remembered? If so, where?',
    basic: 'What has to be kept, and where?',
    expert: 'Which state is persisted, with what scope?',
  },
  choices: [
    choice(
      'a',
      'nothing is kept',
      'no storage; it starts afresh every time',
      /\b(?:nothing|not (?:kept|stored|saved|remembered)|no storage|stateless|nichts)\b/i,
      { summary: 'nothing is kept', criteria: [] },
    ),
    choice(
      'b',
      'on this device',
      'a criterion: it is the same after a restart on the same device',
      /\b(?:this device|device|local\w*|browser|cookie|file|disk|gerät|lokal)\b/i,
      criteria('it is kept on the device', 'After a restart on the same device it is the same as before'),
    ),
    choice(
      'c',
      'for each user, everywhere',
      'a criterion: the same user finds it on another device',
      /\b(?:each user|per user|account|everywhere|server|sync\w*|all devices|every device|konto|überall)\b/i,
      criteria('it is kept for each user', 'The same user finds it unchanged on another device'),
    ),
    choice(
      'd',
      'in the data that exists',
      'a criterion: existing data stays readable, and the change can be undone',
      /\b(?:existing|database|table|schema|migrat\w*|datenbank|bestehend\w*)\b/i,
      criteria(
        'it is kept in the existing data',
        'Existing data stays readable after the change, and the change of its format can be undone',
      ),
    ),
  ],
  defaultKey: (facts) => (KEEPS.test(facts.wording) && !onlyReads(facts) ? 'b' : 'a'),
  isOpen: (facts) => !facts.isDefect && KEEPS.test(facts.wording) && !KEPT_WHERE.test(facts.wording),
  about:
    /\b(?:stor(?:e|ed|age)|sav(?:e|ed)|kept|keep|remember\w*|persist\w*|database|cookie|localstorage|speicher\w*)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

export const acceptance: Topic = {
  id: 'acceptance',
  levels: TECHNICAL,
  wording: {
    non_technical: 'How will you see that it works?',
    basic: 'How do you want to see that it is done?',
    expert: 'What proves it, beyond a test for each criterion?',
  },
  choices: [
    choice(
      'a',
      'a test for each point',
      'every criterion gets an automatic test',
      /\b(?:tests?|automatic\w*|ci)\b/i,
      { summary: 'an automatic test shows each criterion' },
    ),
    choice(
      'b',
      'I also try it myself',
      'a criterion more: at most ten lines say how to try it',
      /\b(?:myself|try it|by hand|manual\w*|demo|selbst|ausprobieren)\b/i,
      criteria('you try it yourself', 'The documentation says in at most ten lines how to try it'),
    ),
    choice(
      'c',
      'what works today must not change',
      'a criterion more: all tests that pass today still pass',
      /\b(?:works today|regress\w*|not break|nothing breaks|still (?:work|pass)\w*)\b/i,
      criteria('nothing that works today changes', 'All tests that passed before the change still pass'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) => !facts.isDefect && !hasKind(facts, 'criterion'),
  about: /\b(?:done when|accept\w*|proves?|it works when|works if|i can see|demo)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}
