/**
 * A statement that makes a test file's own program fail at its end, for suites that are judged by their exit code alone. It
 * shows that the file runs, that its program reaches its end, and that its failure reaches the exit code of the suite.
 */
import { languageOf, type LanguageName } from '../../languages/languages.ts'
import { nameOf } from '../../languages/paths.ts'

const WHY = 'this test must fail'

/** Assertions of Node's own library that have to throw: where one was made to hold, the file does not fail. */
const SCRIPT_END = `;{
  const assert = process.getBuiltinModule('node:assert')
  const ways = [
    () => assert(false),
    () => assert.ok(false),
    () => assert.equal(1, 2),
    () => assert.strictEqual(1, 2),
    () => assert.deepStrictEqual({ a: 1 }, { a: 2 }),
  ]
  let thrown = 0
  for (const way of ways) try { way() } catch { thrown += 1 }
  if (thrown === ways.length) throw new Error('${WHY}')
}`

/** Called when the program exits, whatever it returned. */
const C_END = `#include <unistd.h>
__attribute__((destructor)) static void canary_ends_with_1(void) { _exit(1); }`

interface Ending {
  readonly text: string
  /** Lines at which the program may end already: the last of them comes after what is added. */
  readonly ends?: RegExp
}

const ENDINGS: Partial<Record<LanguageName, Ending>> = {
  typescript: { text: SCRIPT_END, ends: /^process\.exit\b/ },
  javascript: { text: SCRIPT_END, ends: /^process\.exit\b/ },
  python: {
    text: `raise AssertionError('${WHY}')`,
    ends: /^(if __name__\b|sys\.exit\b|exit\b|unittest\.main\b)/,
  },
  ruby: { text: `raise '${WHY}'`, ends: /^(__END__$|exit\b)/ },
  perl: { text: `die '${WHY}';`, ends: /^(__END__$|__DATA__$|exit\b)/ },
  shell: { text: 'exit 1', ends: /^exit\b/ },
  php: { text: `throw new \\Exception('${WHY}');`, ends: /^(\?>|exit\b|die\b)/ },
  c: { text: C_END },
  cpp: { text: C_END },
}
/** Files that the table of languages does not know. */
const BY_EXTENSION: readonly (readonly [RegExp, Ending])[] = [
  [/\.lua$/, { text: `error('${WHY}')`, ends: /^(return\b|os\.exit\b)/ }],
  [/\.t$/, { text: `die '${WHY}';`, ends: /^(__END__$|__DATA__$|exit\b)/ }],
]

/** Part of several files. */
const HEADER = /\.(h|hh|hpp|hxx|inl)$/

/** Null if it is not known how a file of this language fails. */
export function withFailingEnd(path: string, text: string): string | null {
  const ending = endingFor(path, text)
  if (ending === undefined || HEADER.test(path)) return null
  const lines = text.split('\n')
  const { ends, text: end } = ending
  const at = ends === undefined ? -1 : lines.findLastIndex((line) => ends.test(line))
  return at === -1 ? `${text}\n${end}\n` : [...lines.slice(0, at), end, ...lines.slice(at)].join('\n')
}

function endingFor(path: string, text: string): Ending | undefined {
  const name = languageOf(path, text.split('\n', 1)[0])?.name
  const known = name === undefined ? undefined : ENDINGS[name]
  return known ?? BY_EXTENSION.find(([names]) => names.test(nameOf(path)))?.[1]
}
