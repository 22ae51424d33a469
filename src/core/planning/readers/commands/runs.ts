/** Extracts the commands of a plan and their expected results. */
import { codeSpans, splitParens } from '../markdown/inline.ts'
import { siftCommands, type Removal } from './removal.ts'
import { pipelinesOf } from './shell.ts'

export type Expectation = 'pass' | 'fail' | null

export interface FoundRun {
  readonly line: number
  readonly command: string
}

/** The commands in a text or a code block. */
export interface FoundRuns {
  readonly runs: readonly FoundRun[]
  readonly removed: readonly Removal[]
  readonly subject: string | undefined
  readonly added: readonly string[]
  /** The text after the commands on their line. */
  readonly rest: string
}

/** Which code spans count: all that look like commands, or only those after "run". */
export type SpanRule = 'run' | 'check' | 'step'

const SHELL_INFO = /^(bash|sh|shell|zsh|console|terminal|shell-session|shellsession)\b/i
const PROGRAMS = new Set(
  (
    'npm npx pnpm pnpx yarn bun bunx deno node python python3 pytest uv uvx poetry pip pip3 pipenv tox nox hatch ruff mypy ' +
    'black flake8 pylint go gofmt golangci-lint cargo rustc make cmake ctest ninja meson bazel dotnet mvn gradle ./gradlew ' +
    'ruby bundle rake rspec rails php composer phpunit swift xcodebuild mix rebar3 zig tsc vitest jest mocha eslint prettier ' +
    'biome oxlint oxfmt playwright cypress turbo nx lerna bash sh zsh git gh glab grep rg ls cat test find curl wget docker ' +
    'docker-compose podman kubectl helm terraform just task cd pushd mkdir rm rmdir mv cp ln sed awk head tail tree wc diff rsync stat chmod ' +
    'touch which timeout env source echo export set unset sqlite3 psql alembic flask django-admin uvicorn gunicorn pre-commit ' +
    'ssh scp twine gem julia Rscript ghc stack cabal sbt scala kotlinc javac java perl prove lua luajit nim crystal dart flutter'
  ).split(' '),
)
/** Longer code without a language is not searched for commands. */
const MAX_BARE_CHARS = 5000
const PLACEHOLDER = /(?:^|[^<])<[A-Za-z][\w -]{0,60}>/
const ASKED_TO_RUN = /(?:^|[:—–→-]|\b(?:run|execute|then|and|or|commit|push|with|via|by))\s{0,8}$/i
const EXPECTS = /\s(?:→|=>|->|—|–|-)\s|[.;,]?\s{0,4}\bexpect(?:ed|s)?\b:?/i

/** Shell code by its language, or without one, where every line calls a program. */
export function isShell(info: string, code: string): boolean {
  if (info !== '' && !/^(?:text|plaintext|txt)$/i.test(info)) return SHELL_INFO.test(info)
  const pipelines = code.length > MAX_BARE_CHARS ? [] : pipelinesOf(withoutPrompts(code))
  return pipelines.length > 0 && pipelines.every(({ commands }) => callsProgram(commands[0]?.[0] ?? ''))
}

function callsProgram(word: string): boolean {
  return PROGRAMS.has(word) || /^\.\/[\w./-]{1,200}$/.test(word)
}

/** Whether code starts with a known program or a script, and has no placeholder. */
export function looksLikeCommand(code: string): boolean {
  if (PLACEHOLDER.test(code)) return false
  const words = code.split(/\s+/, 4).filter((word) => !/^\w{1,40}=/.test(word))
  const first = words[0] ?? ''
  const alone = words.length === 1
  if (/^(?:\.\/|scripts?\/|bin\/)[\w./-]{1,200}$/.test(first)) return !alone || first.startsWith('./')
  return (
    PROGRAMS.has(first) &&
    (!alone || ['make', 'pytest', 'tox', 'just', 'vitest', 'jest', 'tsc', 'rspec', 'rake'].includes(first))
  )
}

/** The commands in a line of text. */
export function runsInText(text: string, line: number, rule: SpanRule): FoundRuns {
  const { outside } = splitParens(text)
  const chosen = codeSpans(outside).filter((span, index) => {
    if (rule === 'run' && index === 0) return !PLACEHOLDER.test(span.code)
    if (!looksLikeCommand(span.code)) return false
    return rule !== 'step' || ASKED_TO_RUN.test(outside.slice(Math.max(0, span.start - 40), span.start))
  })
  const bare = chosen.length === 0 && rule === 'run' ? bareCommand(outside) : null
  const found = bare === null ? chosen.map((span) => span.code) : [bare]
  const last = chosen.at(-1)
  const rest = bare === null ? outside.slice(last?.end ?? 0) : outside.slice(bare.length)
  return { ...sifted(found, line), rest: rest.trim() }
}

/** `Run: npm test` without backticks. */
function bareCommand(text: string): string | null {
  const cut = EXPECTS.exec(text)
  const command = (cut === null ? text : text.slice(0, cut.index)).trim()
  return looksLikeCommand(command) ? command : null
}

/** The commands in a fence of shell code as one run, without forbidden ones. */
export function runsInCode(code: string, openLine: number): FoundRuns {
  return { ...sifted([withoutPrompts(code)], openLine + 1), rest: '' }
}

function sifted(commands: readonly string[], line: number): Omit<FoundRuns, 'rest'> {
  const all = commands.map((command) => siftCommands(command, line))
  return {
    runs: all.flatMap(({ kept }) => (kept === '' ? [] : [{ line, command: kept }])),
    removed: all.flatMap(({ removed }) => removed),
    subject: all.find(({ subject }) => subject !== undefined)?.subject,
    added: all.flatMap(({ added }) => added),
  }
}

/** In a console transcript only lines after a prompt are commands; the others become blank. */
function withoutPrompts(code: string): string {
  const lines = code.split('\n')
  if (!lines.some((line) => line.startsWith('$ '))) return code
  let continued = false
  return lines
    .map((line) => {
      const command = line.startsWith('$ ') ? line.slice(2) : continued ? line : ''
      continued = command.endsWith('\\')
      return command
    })
    .join('\n')
}

const NOT_FAILED =
  /\b(?:0|no|zero|without|not?)\s(?:\w{1,20}\s)?(?:fail(?:s|ed|ing|ures?)?|(?:type |lint |syntax |compile )?errors?|warnings?|output|regressions?)\b/g
const PASSES =
  /\bpass(?:es|ed|ing)?\b|\bsucce(?:ss|eds?|ssful(?:ly)?)\b|\bgreen\b|\bok\b|\bexits? (?:code )?0\b|\bempty output\b|\bempty\b/
const FAILS =
  /\bfail(?:s|ed|ing|ures?)?\b|\berrors? out\b|\b(?:compile|compilation|build|import|type|syntax) errors?\b|\b\w{2,40}error\b|\bmodule not found\b|\bexits? (?:code )?[1-9]\b/

/** The result an `Expected:` text names: its first word of passing or failing decides. */
export function expectationOf(text: string): Expectation {
  const plain = text
    .slice(0, 2000)
    .toLowerCase()
    .replaceAll(/[`*_"]/g, '')
    .replace(NOT_FAILED, ' passes ')
  const passes = PASSES.exec(plain)
  const fails = FAILS.exec(plain)
  if (passes === null && fails === null) return null
  if (passes === null) return 'fail'
  return fails === null || passes.index <= fails.index ? 'pass' : 'fail'
}

/** The expected result in the text after a command: `→ PASS`, `— expect 0 output`, `still green`. */
export function expectationAfter(rest: string): {
  readonly expects: Expectation
  readonly expected: string | null
} {
  const text = rest
    .replace(/^[\s.,;:→=>—–-]{1,12}/, '')
    .replace(/^(?:expected|expects?|should)\b:?\s{0,4}/i, '')
  const expects = expectationOf(text)
  return expects === null ? { expects: null, expected: null } : { expects, expected: text.trim() }
}
