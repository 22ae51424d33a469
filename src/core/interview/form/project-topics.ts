/** What is asked about a project that has to be set up first. */
import { TOOLCHAINS, toolchainOf } from './toolchains.ts'
import { withoutStop } from './plain-text.ts'
import { choice, EVERYBODY, TECHNICAL, type Effect, type Facts, type Surface, type Topic } from './topic.ts'

const SURFACES: readonly (readonly [Surface, RegExp])[] = [
  ['command', /\b(?:command.?line|cli|terminal|shell|script|kommandozeile)\b/],
  ['service', /\b(?:rest|graphql|api|backend|back.?end|service|server|webhook|bot|daemon|dienst)\b/],
  ['library', /\b(?:library|package|module|sdk|crate|bibliothek)\b/],
  [
    'page',
    /\b(?:web\w*|page|site|app|browser|dashboard|frontend|front.?end|ui|screen|button|toggle|game|shop|blog|seite|oberfläche)\b/,
  ],
]

/** Where it is met, from the words of the request. */
export const surfaceIn = (wording: string): Surface | null =>
  SURFACES.find(([, pattern]) => pattern.test(wording))?.[0] ?? null

export const SURFACE_KEYS: Readonly<Record<string, Surface>> = {
  a: 'page',
  b: 'command',
  c: 'service',
  d: 'library',
}

export const surface: Topic = {
  id: 'surface',
  levels: EVERYBODY,
  wording: {
    non_technical: 'Where will people use it?',
    basic: 'What kind of program is it?',
    expert: 'What kind of artefact?',
  },
  choices: [
    choice(
      'a',
      'in the browser',
      'a page, and a command that starts it',
      /\b(?:browser|web\w*|page|site|app)\b/i,
      { summary: 'it is a page in the browser' },
    ),
    choice(
      'b',
      'in a terminal',
      'a command with help and exit codes',
      /\b(?:terminal|command\w*|cli|shell)\b/i,
      { summary: 'it is a command' },
    ),
    choice(
      'c',
      'other programs call it',
      'a service with documented routes',
      /\b(?:api|service|server|backend|programs?)\b/i,
      { summary: 'it is a service' },
    ),
    choice(
      'd',
      'inside other programs',
      'a library with a documented interface',
      /\b(?:library|package|module|sdk)\b/i,
      { summary: 'it is a library' },
    ),
  ],
  defaultKey: () => 'a',
  isOpen: (facts) => facts.isNewProject && facts.surface === null,
  about: /\b(?:browser|terminal|phone|desktop|library|api)\b/i,
  own: (text): Effect => ({
    vision: `It is used like this: ${withoutStop(text)}.`,
    summary: withoutStop(text),
  }),
}

const LANGUAGE_KEYS: Readonly<Record<string, string>> = { a: 'typescript', b: 'python', c: 'go', d: 'rust' }

export const language: Topic = {
  id: 'language',
  levels: TECHNICAL,
  wording: {
    non_technical: 'Which programming language should it use?',
    basic: 'Which programming language? You may name another one.',
    expert: 'Language? Name another one if you like.',
  },
  choices: Object.entries(LANGUAGE_KEYS).map(([key, name]) => {
    const { label, test, lint } = toolchainOf(name)
    return choice(
      key,
      label,
      `tests with ${test.name}, checks with ${lint.name}`,
      new RegExp(`(?:^|[^\\w])${name}(?![\\w])`, 'i'),
      {
        summary: `it is written in ${label}`,
      },
    )
  }),
  defaultKey: (facts) => (facts.surface === 'command' ? 'c' : facts.surface === 'service' ? 'a' : 'a'),
  isOpen: (facts) => facts.isNewProject && facts.language === null,
  about: new RegExp(
    `(?:^|[^\\w])(?:${TOOLCHAINS.flatMap(({ names }) => names)
      .map((name) => name.replace(/[+#.]/g, '\\$&'))
      .join('|')})(?![\\w])`,
    'i',
  ),
  own: (text): Effect => ({ summary: `it is written in ${withoutStop(text)}` }),
}

/** The language that the user chose, by option or in own words; null where it was not asked or left open. */
export function chosenLanguage(facts: Pick<Facts, 'given'>): string | null {
  const given = facts.given.get('language')
  if (given === undefined) return null
  return given.text ?? LANGUAGE_KEYS[given.key ?? ''] ?? null
}
