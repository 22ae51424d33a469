/** The patterns of the scan, one table. */
import type { LanguageName } from '../languages/languages.ts'

export interface ScanRule {
  readonly id: string
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

export const SCAN_RULES: readonly ScanRule[] = [
  {
    id: 'eval',
    topic: 'injection',
    does: 'runs text as code',
    languages: JS,
    pattern: /(?<![\w.$])(?:eval\s?\(|new Function\s?\()/,
  },
  {
    id: 'py_eval',
    topic: 'injection',
    does: 'runs text as code',
    languages: ['python'],
    pattern: /(?<![\w.])(?:eval|exec)\s?\((?!\s{0,4}["'][^"'{]*["']\s?\))/,
  },
  {
    id: 'shell',
    topic: 'injection',
    does: 'puts a value into a shell command',
    languages: JS,
    pattern: /\b(?:exec|execSync)\s?\(\s{0,4}(?:`[^`]*\$\{|["'][^"']*["']\s?\+)|\bshell:\s?true\b/,
  },
  {
    id: 'py_shell',
    topic: 'injection',
    does: 'puts a value into a shell command',
    languages: ['python'],
    pattern: /\bos\.(?:system|popen)\s?\(\s{0,4}(?!["'][^"'{%]*["']\s?\))|\bshell\s?=\s?True\b/,
  },
  {
    id: 'php_shell',
    topic: 'injection',
    does: 'puts a value into a shell command',
    languages: ['php'],
    pattern: /\b(?:shell_exec|system|passthru|exec|popen)\s?\([^)]*\$/,
  },
  {
    id: 'rb_shell',
    topic: 'injection',
    does: 'puts a value into a shell command, or runs text as code',
    languages: ['ruby'],
    pattern: /(?<![\w.])(?:system|exec|eval|instance_eval)[\s(]+["'`][^"'`]*#\{|`[^`]*#\{/,
  },
  {
    id: 'go_shell',
    topic: 'injection',
    does: 'puts a value into a shell command',
    languages: ['go'],
    pattern: /exec\.Command(?:Context)?\([^)]*"(?:ba|z)?sh",\s?"-c"/,
  },
  {
    id: 'sh_eval',
    topic: 'injection',
    does: 'runs text as a command',
    languages: ['shell'],
    pattern: /(?:^|[;&|]\s?)\s{0,40}eval\s["']?[^"']{0,200}\$/,
  },
  {
    id: 'sql',
    topic: 'injection',
    does: 'builds SQL by concatenating text',
    languages: ANY_CODE,
    pattern:
      /["'`](?:[^"'`]{0,200}\s)?(?:SELECT\s[^"'`]{1,200}\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\b[^"'`]{0,300}(?:\$\{|["'`]\s?(?:\+|%|\.\s?\$|\.format\()|#\{)|\bf["'](?:[^"']{0,200}\s)?(?:SELECT\s[^"']{1,200}\sFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM)\b[^"']{0,300}\{/i,
  },
  {
    id: 'deserialise',
    topic: 'injection',
    does: 'deserializes data in a format that can run code',
    languages: ['python'],
    pattern:
      /\b(?:pickle|cPickle|dill|marshal|shelve)\.(?:loads?|open)\s?\(|\byaml\.load\s?\((?!.{0,200}(?:Safe|CSafe)Loader)/,
  },
  {
    id: 'jvm_deserialise',
    topic: 'injection',
    does: 'deserializes data in a format that can run code',
    languages: JVM,
    pattern: /\bnew ObjectInputStream\s?\(/,
  },
  {
    id: 'html',
    topic: 'injection',
    does: 'inserts text into a page as HTML',
    languages: JS,
    pattern:
      /\.(?:inner|outer)HTML\s?\+?=(?!=)|\binsertAdjacentHTML\s?\(|\bdangerouslySetInnerHTML\b|\bdocument\.write(?:ln)?\s?\(|\bv-html\s?=/,
    unless: /\.(?:inner|outer)HTML\s?=\s?(?:''|""|``)/,
  },
  {
    id: 'path',
    topic: 'input',
    does: 'builds a path from external input',
    languages: ANY_CODE,
    pattern:
      /\b(?:join|resolve|readFile(?:Sync)?|createReadStream|sendFile|open)\s?\([^)]{0,200}\b(?:req|request|ctx)\.(?:params|query|body|args|form|files|url)\b/,
  },
  {
    id: 'redirect',
    topic: 'input',
    does: 'redirects to an address from the request',
    languages: ANY_CODE,
    pattern: /\bredirect\s?\([^)]{0,100}\b(?:req|request|ctx)\.(?:params|query|body|args|form)\b/,
  },
  {
    id: 'unchecked',
    topic: 'input',
    does: 'uses external input without checking it',
    languages: JS,
    pattern:
      /JSON\.parse\s?\(\s?(?:req|request|ctx)\.\w+|\b(?:req|request)\.(?:body|query|params)\s(?:as\s(?!unknown\b))/,
  },
  {
    id: 'tls',
    topic: 'input',
    does: 'disables TLS certificate checks',
    languages: null,
    pattern:
      /rejectUnauthorized\s?:\s?false|NODE_TLS_REJECT_UNAUTHORIZED\s?=\s?["']?0|\bverify\s?=\s?False\b|InsecureSkipVerify\s?:\s?true/,
  },
  {
    id: 'weak_hash',
    topic: 'input',
    does: 'uses a broken hash function',
    languages: ANY_CODE,
    pattern: /createHash\s?\(\s?["'](?:md5|sha1)["']|\bhashlib\.(?:md5|sha1)\s?\(/,
  },
  {
    id: 'swallowed',
    topic: 'habit',
    does: 'swallows an error',
    languages: ANY_CODE,
    pattern:
      /\bcatch\s?(?:\([^)]*\)\s?)?\{\s*\}|^\s{0,80}except(?:\s+\w+)?\s?:\s{0,4}pass\b|\.catch\(\s?\(\)\s?=>\s?(?:\{\s*\}|undefined|null)\s?\)/,
  },
  {
    id: 'silenced',
    topic: 'habit',
    does: 'silences a checker',
    languages: null,
    pattern:
      /@ts-(?:ignore|nocheck)|eslint-disable|oxlint-disable|#\s?type:\s?ignore|#\s?noqa\b|#\s?pylint:\s?disable|nolint\b|@SuppressWarnings/,
  },
  {
    id: 'untyped',
    topic: 'habit',
    does: 'discards the type with `any`',
    languages: ['typescript'],
    pattern: /\bas any\b|:\s?any\b(?!\w)/,
  },
  {
    id: 'debug',
    topic: 'habit',
    does: 'is left over from debugging',
    languages: ANY_CODE,
    pattern: /^\s{0,80}(?:debugger\b|breakpoint\(\)|import pdb|binding\.pry\b|console\.(?:debug|trace)\()/,
  },
  {
    id: 'focused',
    topic: 'habit',
    does: 'runs one test and skips the others',
    languages: JS,
    pattern: /\b(?:it|test|describe)\.only\s?\(|\bf(?:it|describe)\s?\(/,
  },
  {
    id: 'wait',
    topic: 'habit',
    does: 'sleeps in a test',
    languages: null,
    paths: /(?:test|spec)/i,
    pattern: /\btime\.sleep\(\s?\d|\bThread\.sleep\(|setTimeout\(\s?\w+,\s?\d{3,}\)/,
  },
]
