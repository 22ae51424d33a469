/** Words that everybody understands differently: each is replaced by something that can be measured. */
import { withoutStop } from './plain-text.ts'
import { criterionFrom } from './criterion.ts'
import { MEASURED } from './statements.ts'
import { choice, criteria, EVERYBODY, type Effect, type Topic } from './topic.ts'

const own = (text: string): Effect => criteria(withoutStop(text), criterionFrom(text))

export const speed: Topic = {
  id: 'speed',
  levels: EVERYBODY,
  wording: {
    non_technical: 'You want it to be quick. How long may it take?',
    basic: 'You want it to be fast. Which limit counts?',
    expert: 'Fast means what, as a number?',
  },
  choices: [
    choice(
      'a',
      'it answers at once (200 ms)',
      'a test measures 200 ms',
      /\b(?:at once|instant\w*|200 ?ms|sofort)\b/i,
      criteria('it answers within 200 ms', 'It answers within 200 ms in a test with typical input'),
    ),
    choice(
      'b',
      'within a second',
      'a test measures 1 s',
      /\b(?:a second|1 ?s|one second|eine sekunde)\b/i,
      criteria('it answers within a second', 'It answers within 1 s in a test with typical input'),
    ),
    choice(
      'c',
      'within ten seconds',
      'a test measures 10 s',
      /\b(?:ten|10 ?s|10 seconds)\b/i,
      criteria('it answers within ten seconds', 'It answers within 10 s in a test with typical input'),
    ),
  ],
  defaultKey: () => 'b',
  isOpen: ({ wording }) =>
    /\b(?:fast\w*|quick\w*|performant|performance|snappy|instant\w*|slow\w*|real.?time|schnell\w*|langsam\w*|zügig)\b/.test(
      wording,
    ) && !MEASURED.test(wording),
  about: /\b(?:seconds?|ms|milliseconds?|minutes?|sekunden?)\b/i,
  own,
}

export const amount: Topic = {
  id: 'amount',
  levels: EVERYBODY,
  wording: {
    non_technical: 'You expect a lot of it. About how many?',
    basic: 'You expect large amounts. How many entries must it handle?',
    expert: 'Which data volume is the upper bound?',
  },
  choices: [
    choice(
      'a',
      '1,000',
      'a test runs with 1,000 entries',
      /\b1[.,' ]?000\b(?![.,' ]?000)|\b(?:a )?thousand\b/i,
      criteria('1,000 entries', 'It works with 1,000 entries in a test'),
    ),
    choice(
      'b',
      '100,000',
      'a test runs with 100,000 entries',
      /\b100[.,' ]?000\b/i,
      criteria('100,000 entries', 'It works with 100,000 entries in a test'),
    ),
    choice(
      'c',
      'a million',
      'a test runs with 1,000,000 entries',
      /\bmillion\b|\b1[.,' ]?000[.,' ]?000\b/i,
      criteria('a million entries', 'It works with 1,000,000 entries in a test'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: ({ wording }) =>
    /\b(?:scalab\w*|scales?|(?:large|huge|many|lots of|big|massive) (?:amounts?|numbers?|files?|data\w*|lists?|tables?|users|rows|entries|records|projects)|viele (?:daten|einträge|nutzer)|große mengen)\b/.test(
      wording,
    ) && !/\d[\d.,' ]{3,}|\b(?:thousand|million|tausend)/.test(wording),
  about: /\b\d[\d.,' ]{2,}\b|\b(?:thousand|million|hundred)s?\b/i,
  own,
}

export const ease: Topic = {
  id: 'ease',
  levels: EVERYBODY,
  wording: {
    non_technical: 'You want it to be easy and pleasant. What would show you that it is?',
    basic: 'You want it to be easy to use. What would show it?',
    expert: 'Easy to use: which check makes that measurable?',
  },
  choices: [
    choice(
      'a',
      'three steps at most',
      'a criterion: the main thing takes at most three steps',
      /\b(?:three|3|steps?|clicks?|schritte)\b/i,
      criteria(
        'the main thing takes at most three steps',
        'The main thing takes at most three steps, counted in a test',
      ),
    ),
    choice(
      'b',
      'like the rest of the product',
      'a criterion: it uses the components and words that exist',
      /\b(?:rest|same|like|existing|consistent|wie)\b/i,
      criteria(
        'it looks and reads like the rest',
        'It uses the components and terms that exist in the product',
      ),
    ),
    choice(
      'c',
      'forget that',
      'it is not a requirement',
      /\b(?:forget|drop|never mind|not important|egal)\b/i,
      { summary: 'ease of use is not a requirement of its own' },
    ),
  ],
  defaultKey: ({ isNewProject }) => (isNewProject ? 'a' : 'b'),
  isOpen: ({ wording }) =>
    /\b(?:easy|easier|easily|simple to|intuitive\w*|user.?friendly|nice|nicer|nicely|modern|clean|pretty|beautiful|good.?looking|convenient|einfach zu|benutzerfreundlich|schön\w*|übersichtlich\w*)\b/.test(
      wording.replace(/nice to have/g, ''),
    ),
  about: /\b(?:steps|clicks|look and feel|intuitive)\b/i,
  own,
}
