/** The patterns of the scan, one table. */
import type { LanguageName } from '../languages/languages.ts'

export interface ScanRule {
  /**
   * `injection` makes work critical; `input` (unchecked external input) and `habit` (bad practice) are for the reviewer.
   * Secrets have their own gate.
   */
  readonly topic: 'injection' | 'input' | 'habit'
  /** Completes the sentence "the line …". */
  readonly does: string
  /** Null: every file. */
  readonly languages: readonly LanguageName[] | null
  /** Only in files whose path matches. */
  readonly paths?: RegExp
  readonly pattern: RegExp
  /** Lines that also match this are fine. */
  readonly unless?: RegExp
}

const JS: readonly LanguageName[] = ['javascript', 'typescript']
const JVM: readonly LanguageName[] = ['java', 'kotlin', 'scala']
const ANY_CODE: readonly LanguageName[] = [
  ...JS,
  ...JVM,
  'python',
  'ruby',
  'php',
  'go',
  'csharp',
  'rust',
  'swift',
  'perl',
]

const about = (topic: ScanRule['topic'], rules: readonly Omit<ScanRule, 'topic'>[]): readonly ScanRule[] =>
  rules.map((rule) => ({ topic, ...rule }))

export const SCAN_RULES: readonly ScanRule[] = [
  ...about('injection', [
    {
      does: 'runs text as code',
      languages: JS,
      pattern: /(?<![\w.$])(?:eval\s?\(|new Function\s?\()/,
    },
    {
      does: 'runs text as code',
      languages: ['python'],
      pattern: /(?<![\w.])(?:eval|exec)\s?\((?!\s{0,4}["'][^"'{]*["']\s?\))/,
    },
    {
      does: 'puts a value into a shell command',
      languages: JS,
      pattern: /\b(?:exec|execSync)\s?\(\s{0,4}(?:`[^`]*\$\{|["'][^"']*["']\s?\+)|\bshell:\s?true\b/,
    },
    {
      does: 'puts a value into a shell command',
      languages: ['python'],
      pattern: /\bos\.(?:system|popen)\s?\(\s{0,4}(?!["'][^"'{%]*["']\s?\))|\bshell\s?=\s?True\b/,
    },
    {
      does: 'puts a value into a shell command',
      languages: ['php'],
      pattern: /\b(?:shell_exec|system|passthru|exec|popen)\s?\([^)]*\$/,
    },
    {
      does: 'puts a value into a shell command, or runs text as code',
      languages: ['ruby'],
      pattern: /(?<![\w.])(?:system|exec|eval|instance_eval)[\s(]+["'`][^"'`]*#\{|`[^`]*#\{/,
    },
    {
      does: 'puts a value into a shell command',
      languages: ['go'],
      pattern: /exec\.Command(?:Context)?\([^)]*"(?:ba|z)?sh",\s?"-c"/,
    },
    {
      does: 'runs text as a command',
      languages: ['shell'],
      pattern: /(?:^|[;&|]\s?)\s{0,40}eval\s["']?[^"']{0,200}\$/,
    },
    {
      does: 'builds SQL by concatenating text',
      languages: ANY_CODE,
      pattern:
        /["'`](?:[^"'`]{0,200}\s)?(?:SELECT\s[^"'`]{1,200}\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\b[^"'`]{0,300}(?:\$\{|["'`]\s?(?:\+|%|\.\s?\$|\.format\()|#\{)|\bf["'](?:[^"']{0,200}\s)?(?:SELECT\s[^"']{1,200}\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\b[^"']{0,300}\{/i,
    },
    {
      does: 'deserializes data in a format that can run code',
      languages: ['python'],
      pattern:
        /\b(?:pickle|cPickle|dill|marshal|shelve)\.(?:loads?|open)\s?\(|\byaml\.load\s?\((?!.{0,200}(?:Safe|CSafe)Loader)/,
    },
    {
      does: 'deserializes data in a format that can run code',
      languages: JVM,
      pattern: /\bnew ObjectInputStream\s?\(/,
    },
    {
      does: 'inserts text into a page as HTML',
      languages: JS,
      pattern:
        /\.(?:inner|outer)HTML\s?\+?=(?!=)|\binsertAdjacentHTML\s?\(|\bdangerouslySetInnerHTML\b|\bdocument\.write(?:ln)?\s?\(|\bv-html\s?=/,
      unless: /\.(?:inner|outer)HTML\s?=\s?(?:''|""|``)/,
    },
  ]),
  ...about('input', [
    {
      does: 'builds a path from external input',
      languages: ANY_CODE,
      pattern:
        /\b(?:join|resolve|readFile(?:Sync)?|createReadStream|sendFile|open)\s?\([^)]{0,200}\b(?:req|request|ctx)\.(?:params|query|body|args|form|files|url)\b/,
    },
    {
      does: 'redirects to an address from the request',
      languages: ANY_CODE,
      pattern: /\bredirect\s?\([^)]{0,100}\b(?:req|request|ctx)\.(?:params|query|body|args|form)\b/,
    },
    {
      does: 'uses external input without checking it',
      languages: JS,
      pattern:
        /JSON\.parse\s?\(\s?(?:req|request|ctx)\.\w+|\b(?:req|request)\.(?:body|query|params)\s(?:as\s(?!unknown\b))/,
    },
    {
      does: 'disables TLS certificate checks',
      languages: null,
      pattern:
        /rejectUnauthorized\s?:\s?false|NODE_TLS_REJECT_UNAUTHORIZED\s?=\s?["']?0|\bverify\s?=\s?False\b|InsecureSkipVerify\s?:\s?true/,
    },
    {
      does: 'uses a broken hash function',
      languages: ANY_CODE,
      pattern: /createHash\s?\(\s?["'](?:md5|sha1)["']|\bhashlib\.(?:md5|sha1)\s?\(/,
    },
  ]),
  ...about('habit', [
    {
      does: 'swallows an error',
      languages: ANY_CODE,
      pattern:
        /\bcatch\s?(?:\([^)]*\)\s?)?\{\s*\}|^\s{0,80}except(?:\s+\w+)?\s?:\s{0,4}pass\b|\.catch\(\s?\(\)\s?=>\s?(?:\{\s*\}|undefined|null)\s?\)/,
    },
    {
      does: 'silences a checker',
      languages: null,
      pattern:
        /@ts-(?:ignore|nocheck)|eslint-disable|oxlint-disable|#\s?type:\s?ignore|#\s?noqa\b|#\s?pylint:\s?disable|nolint\b|@SuppressWarnings/,
    },
    {
      does: 'discards the type with `any`',
      languages: ['typescript'],
      pattern: /\bas any\b|:\s?any\b(?!\w)/,
    },
    {
      does: 'is left over from debugging',
      languages: ANY_CODE,
      pattern: /^\s{0,80}(?:debugger\b|breakpoint\(\)|import pdb|binding\.pry\b|console\.(?:debug|trace)\()/,
    },
    {
      does: 'runs one test and skips the others',
      languages: JS,
      pattern: /\b(?:it|test|describe)\.only\s?\(|\bf(?:it|describe)\s?\(/,
    },
    {
      does: 'sleeps in a test',
      languages: null,
      paths: /(?:test|spec)/i,
      pattern: /\btime\.sleep\(\s?\d|\bThread\.sleep\(|setTimeout\(\s?\w+,\s?\d{3,}\)/,
    },
  ]),
]
