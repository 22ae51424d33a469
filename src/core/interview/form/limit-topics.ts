/** What is asked about the limits of a feature: what stays out, which rules it keeps, how important it is. */
import { capitalised, withoutStop } from './plain-text.ts'
import { criterionFrom } from './criterion.ts'
import { choice, criteria, EVERYBODY, EXPERTS, hasKind, TECHNICAL, type Topic } from './topic.ts'

export const outOfScope: Topic = {
  id: 'out_of_scope',
  levels: EVERYBODY,
  wording: {
    non_technical: 'Is there anything that should stay as it is?',
    basic: 'What does not belong to it?',
    expert: 'Non-goals?',
  },
  choices: [
    choice(
      'a',
      'everything I did not name',
      'only what is listed is built',
      /\b(?:nothing|everything else|the rest|no|none|nichts|nein)\b/i,
      {
        outOfScope: ['Anything that is not listed under In Scope'],
        summary: 'anything you did not name stays out',
      },
    ),
    choice(
      'b',
      'how things look today',
      'existing screens and texts keep their design',
      /\b(?:look\w*|design|layout|style|aussehen)\b/i,
      {
        outOfScope: ['Changes of the existing design and layout'],
        summary: 'the existing design stays as it is',
      },
    ),
    choice(
      'c',
      'phones and other platforms',
      'it is built for the platform that is there',
      /\b(?:mobile|phones?|ios|android|platforms?|handy)\b/i,
      {
        outOfScope: ['Phones and other platforms'],
        summary: 'phones and other platforms stay out',
      },
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) => !hasKind(facts, 'out_of_scope') && !facts.isDefect,
  about: /\b(?:out of scope|not (?:needed|part|included)|leave out|don't touch|stay as)\b/i,
  own: (text) => {
    const item = capitalised(withoutStop(text).replace(/^(?:no|not|without|kein\w*|ohne)\s+/i, ''))
    return { outOfScope: [item], summary: `${item} stays out` }
  },
}

export const constraints: Topic = {
  id: 'constraints',
  levels: TECHNICAL,
  wording: {
    non_technical: 'Is there a rule that it must keep?',
    basic: 'Is there a rule or a limit that it must keep?',
    expert: 'Constraints on dependencies, platforms or operations?',
  },
  choices: [
    choice(
      'a',
      'the rules of the repository',
      'its linter, tests and instructions apply as always',
      /\b(?:none|no|nothing|usual|repository|repo|keine|nein)\b/i,
      { summary: 'the rules of the repository are enough' },
    ),
    choice(
      'b',
      'no new dependencies',
      'a criterion more: the manifest gets no new entry',
      /\b(?:dependenc\w*|packages?|librar\w*|abhängigkeit\w*)\b/i,
      criteria('no new dependencies', 'The manifest has no new dependency'),
    ),
    choice(
      'c',
      'it works offline',
      'a criterion more: it works without a network',
      /\b(?:offline|network|internet)\b/i,
      criteria('it works offline', 'It works without a network connection'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) => !facts.isDefect && !hasKind(facts, 'constraint'),
  about: /\b(?:must use|dependenc\w*|librar\w*|offline|licen[cs]e|gdpr|deadline|compatib\w*)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

export const compatibility: Topic = {
  id: 'compatibility',
  levels: EXPERTS,
  wording: {
    non_technical: 'May things that exist change?',
    basic: 'May existing interfaces change?',
    expert: 'May public interfaces change?',
  },
  choices: [
    choice(
      'a',
      'additions only',
      'a criterion: existing signatures and formats stay as they are',
      /\b(?:additi\w*|backwards?|additive|no break\w*|compatible)\b/i,
      criteria('public interfaces change by additions only', 'Public interfaces change by additions only'),
    ),
    choice(
      'b',
      'no change at all',
      'a criterion: public interfaces are the same before and after',
      /\b(?:no change|frozen|none|unchanged|no)\b/i,
      criteria('public interfaces do not change', 'Public interfaces are the same before and after'),
    ),
    choice(
      'c',
      'breaking changes with notes',
      'a criterion: the release notes say how to adapt',
      /\b(?:break\w*|major|yes)\b/i,
      criteria(
        'breaking changes are allowed',
        'Each breaking change is in the release notes, with the steps to adapt',
      ),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    !facts.isDefect && !facts.isNewProject && !/\b(?:compatib\w*|breaking)\b/.test(facts.wording),
  about: /\b(?:breaking|compatib\w*|public (?:api|interface)|signature)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

const SENSITIVE =
  /\b(?:log ?in|sign(?:ing|s)? ?(?:in|up)|passwords?|auth\w*|payments?|pay|credit cards?|personal|e-?mail addresses|medical|health|patients?|tokens?|invoices?|anmeld\w*|passw\w+|zahlung\w*)\b/

export const security: Topic = {
  id: 'security',
  levels: EVERYBODY,
  wording: {
    non_technical: 'Does it handle anything private?',
    basic: 'Which private data does it handle?',
    expert: 'Which data is sensitive, and what protects it?',
  },
  choices: [
    choice('a', 'nothing private', 'no further criterion', /\b(?:nothing|none|no|nichts|nein)\b/i, {
      summary: 'it handles nothing private',
    }),
    choice(
      'b',
      'personal data',
      'a criterion: it is neither logged nor sent elsewhere',
      /\b(?:personal|names?|addresses|e-?mails?|persönlich\w*|personenbezogen\w*)\b/i,
      criteria(
        'personal data is neither logged nor sent elsewhere',
        'Personal data is neither logged nor sent to other services',
      ),
    ),
    choice(
      'c',
      'passwords, keys or payments',
      'a criterion: never stored or logged in the clear',
      /\b(?:passw\w+|keys?|payments?|secrets?|tokens?|cards?)\b/i,
      criteria(
        'secrets are never stored or logged in the clear',
        'Passwords, keys and payment data are never stored or logged in the clear',
      ),
    ),
  ],
  defaultKey: (facts) =>
    /\b(?:passw\w+|pay\w*|credit|tokens?|log ?in|sign|auth\w*)/.test(facts.wording) ? 'c' : 'b',
  isOpen: (facts) =>
    !facts.isDefect &&
    SENSITIVE.test(facts.wording) &&
    !/\b(?:hash\w*|encrypt\w*|gdpr|dsgvo|verschlüssel\w*)\b/.test(facts.wording),
  about: /\b(?:private|sensitive|hash\w*|encrypt\w*|gdpr|secret)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

export const performance: Topic = {
  id: 'performance',
  levels: EXPERTS,
  wording: {
    non_technical: 'How quickly should it answer?',
    basic: 'Is there a limit of time?',
    expert: 'A latency or throughput target?',
  },
  choices: [
    choice('a', 'no target', 'nothing is measured', /\b(?:no(?:ne)?|nothing)\b/i, {
      summary: 'no target for speed',
    }),
    choice(
      'b',
      '95 % of calls within 200 ms',
      'a criterion that a test measures',
      /\b200 ?ms\b/i,
      criteria('95 % of calls take at most 200 ms', '95 % of calls take at most 200 ms'),
    ),
    choice(
      'c',
      'no slower than today',
      'a criterion: at most 10 % more time than before',
      /\b(?:no slower|not slower|as fast|same)\b/i,
      criteria('no slower than today', 'It takes at most 10 % more time than before the change'),
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    !facts.isDefect &&
    !/\b(?:\d+ ?(?:ms|s|seconds?|rps|requests?)|fast\w*|slow\w*|latency|throughput|performan\w*)\b/.test(
      facts.wording,
    ),
  about: /\b(?:\d+ ?ms|latency|throughput|p9\d|seconds?)\b/i,
  own: (text) => criteria(withoutStop(text), criterionFrom(text)),
}

export const priority: Topic = {
  id: 'priority',
  levels: EVERYBODY,
  wording: {
    non_technical: 'How important is it to you?',
    basic: 'How important is it?',
    expert: 'Priority?',
  },
  choices: [
    choice(
      'a',
      'must have',
      'nothing is released without it',
      /\b(?:must.have|urgent\w*|asap|critical|important|high|wichtig|dringend)\b|^(?:a )?must$/i,
      { priority: 'must', summary: 'it is a must' },
    ),
    choice(
      'b',
      'should have',
      'it is built unless it turns out too costly',
      /\b(?:should.have|normal|medium)\b|^(?:a )?should$/i,
      { priority: 'should', summary: 'it should be there' },
    ),
    choice(
      'c',
      'could have',
      'it is built last',
      /\b(?:could.have|nice to have|low|optional|whenever|some ?day)\b|^(?:a )?could$/i,
      { priority: 'could', summary: 'it is nice to have' },
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) =>
    !/\b(?:urgent\w*|asap|as soon as possible|nice to have|must.have|low priority|high priority|critical|no rush|not urgent|dringend|wichtig)\b/.test(
      facts.wording,
    ),
  about: /\b(?:urgent\w*|asap|priority|nice to have|must.have|no rush|dringend|wichtig)\b/i,
  own: (text) => ({ summary: withoutStop(text) }),
}
