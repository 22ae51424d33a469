/** The protected parts of a file as comparable text. The rest of the file may change freely. */
import { jsonObject, mapping, type Mapping } from '../documents.ts'
import { commandText } from '../../test-reports/runner.ts'
import { normalPath } from '../../languages/paths.ts'
import type { Command } from '../../planning/plan.ts'

/** Parts by name; null if the file cannot be parsed. */
export type PartReader = (lines: readonly string[]) => ReadonlyMap<string, string> | null

const MAX_LINES = 50_000
/** Marks a part that may be added but not removed. */
export const MAY_BE_ADDED = 'without '

/** The names of parts that differ; null if one side cannot be parsed. */
export function changedParts(
  read: PartReader,
  before: readonly string[] | null,
  after: readonly string[] | null,
): readonly string[] | null {
  const [old, now] = [read(before ?? []), read(after ?? [])]
  if (old === null || now === null) return null
  const names = new Set([...old.keys(), ...now.keys()])
  const differ = [...names].filter((name) => old.get(name) !== now.get(name))
  return differ.filter((name) => !name.startsWith(MAY_BE_ADDED) || old.has(name))
}

const SETTINGS_IN_PACKAGE =
  'jest vitest mocha ava tap nyc c8 jasmine babel eslintConfig eslintIgnore xo standard prettier stylelint browser-test lint-staged husky overrides resolutions wireit nx'.split(
    ' ',
  )
const DEPENDENCIES = 'dependencies devDependencies peerDependencies optionalDependencies'.split(' ')
/** Packages that judge work; a replacement could report anything. */
const JUDGES =
  /^(@vitest\/|@jest\/|@playwright\/|@biomejs\/|@types\/node$|vitest$|jest|ts-jest$|mocha$|chai$|ava$|tap$|tape$|jasmine|c8$|nyc$|eslint$|typescript$|oxlint|prettier$|expect|assert|sinon$|tsx$|ts-node$|cypress$|playwright)/
/** A version, range or tag of the registry, or a workspace package. */
const REGISTRY = /^(workspace:|catalog:)|^[\w.*^~<>=| +-]*$/

export const packageParts: PartReader = (lines) => {
  const manifest = jsonLines(lines)
  if (manifest === null) return null
  const parts = new Map<string, string>()
  for (const [name, command] of entriesOf(manifest['scripts'])) parts.set(`scripts.${name}`, asText(command))
  for (const name of SETTINGS_IN_PACKAGE) {
    if (manifest[name] !== undefined) parts.set(name, asText(manifest[name]))
  }
  for (const [name, value] of entriesOf(manifest['pnpm'])) {
    if (/^(overrides|patchedDependencies|packageExtensions)$/.test(name))
      parts.set(`pnpm.${name}`, asText(value))
  }
  for (const group of DEPENDENCIES) {
    for (const [name, version] of entriesOf(manifest[group])) {
      const isOwn = typeof version !== 'string' || !REGISTRY.test(version)
      if (JUDGES.test(name) && isOwn) parts.set(`${group}.${name}`, asText(version))
    }
  }
  return parts
}

export const denoParts: PartReader = (lines) => {
  const settings = jsonLines(lines)
  if (settings === null) return null
  const names = ['tasks', 'test', 'lint', 'fmt', 'compilerOptions', 'exclude']
  return new Map(
    names.flatMap((name) => (settings[name] === undefined ? [] : [[name, asText(settings[name])]])),
  )
}

/** An empty text counts as an empty manifest: the file does not exist on that side. */
function jsonLines(lines: readonly string[]): Mapping | null {
  const text = lines.join('\n').trim()
  return text === '' ? {} : jsonObject(text)
}

const entriesOf = (value: unknown) => Object.entries(mapping(value))
const asText = (value: unknown): string => JSON.stringify(value) ?? ''

const addLine = (parts: Map<string, string>, name: string, line: string): void =>
  void parts.set(name, `${parts.get(name) ?? ''}${line}\n`)

interface SectionRules {
  /** Sections that are protected as a whole. */
  readonly sections: RegExp
  /** Keys that are protected in any section, as `section.key`. */
  readonly keys?: RegExp
}

/** TOML and INI: the lines below a `[header]`, without blank lines and comments. */
function sectionReader({ sections, keys }: SectionRules): PartReader {
  return (lines) => {
    const parts = new Map<string, string>()
    let section = ''
    let quote = ''
    for (const line of lines.slice(0, MAX_LINES)) {
      const text = line.trim()
      const header = quote === '' ? /^\[{1,2}\s*([^\]]{1,200}?)\s*\]{1,2}\s*(?:[#;].*)?$/.exec(text) : null
      if (header !== null) section = (header[1] ?? '').replace(/["']/g, '').replace(/\s*\.\s*/g, '.')
      quote = quoteAfter(line, quote)
      if (text === '' || (quote === '' && /^[#;]/.test(text))) continue
      const key = /^["']?([\w.-]+)["']?\s*[=:]/.exec(text)?.[1] ?? ''
      const whole = section === '' ? key : `${section}.${key}`
      if (sections.test(section)) addLine(parts, section, text)
      else if (header === null && (sections.test(whole) || keys?.test(whole) === true))
        addLine(parts, whole, text)
    }
    return parts
  }
}

/** The quotes of a multi-line string that is open at the end of this line. */
function quoteAfter(line: string, open: string): string {
  let quote = open
  for (const [mark] of line.matchAll(/"""|'''/g)) quote = quote === '' ? mark : quote === mark ? '' : quote
  return quote
}

export const pyprojectParts = sectionReader({
  sections:
    /^tool\.(pytest|ruff|mypy|coverage|pylint|black|isort|tox|nox|pyright|basedpyright|flake8|bandit|hatch\.envs|poe|pdm\.scripts|taskipy)\b/,
})
export const setupCfgParts = sectionReader({
  sections: /^(tool:pytest|flake8|mypy|coverage|pylint|isort|pycodestyle|aliases|tox)/,
})
export const cargoParts = sectionReader({
  sections: /^(profile|lints|workspace\.lints|test|bench)\b/,
  keys: /(^|\.)(test|doctest|harness|autotests)$/,
})

const CHECKING =
  /^(test|tests|check|checks|lint|ci|cover|coverage|verify|typecheck|spec|e2e|vet|all)([-_.:].*)?$/
const MAKE_WORDS =
  /^(SHELL|MAKEFLAGS|\.SHELLFLAGS|\.IGNORE|\.DEFAULT_GOAL|\.DEFAULT|\.SILENT|\.ONESHELL|include|-include|set\b)/

/** Makefile and justfile: recipes of checking targets, and settings of how recipes run. */
export const makeParts: PartReader = (lines) => {
  const parts = new Map<string, string>()
  let targets: readonly string[] = []
  for (const line of lines.slice(0, MAX_LINES)) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const isRecipe = /^[\t ]/.test(line)
    const rule = isRecipe ? null : /^([^:=#]{1,300}?)\s*::?(?!=)/.exec(line)
    if (!isRecipe) targets = (rule?.[1] ?? '').split(/\s+/).filter((name) => CHECKING.test(name))
    for (const target of targets) addLine(parts, target, text)
    if (!isRecipe && MAKE_WORDS.test(text)) addLine(parts, MAKE_WORDS.exec(text)?.[1] ?? '', text)
  }
  return parts
}

/** Programs: the lines about checking. Those that match `ifRemoved` count only when removed. */
export function linesLike(pattern: RegExp, ifRemoved?: RegExp): PartReader {
  return (lines) => {
    const parts = new Map<string, string>()
    for (const line of lines.slice(0, MAX_LINES)) {
      const text = line.trim()
      if (pattern.test(text.slice(0, 2_000))) {
        parts.set(text, String(Number(parts.get(text) ?? 0) + 1))
      } else if (ifRemoved?.test(text.slice(0, 2_000)) === true) {
        parts.set(`${MAY_BE_ADDED}${text}`, 'there')
      }
    }
    return parts
  }
}

/** A test command may also start the tested program; checking scripts are recognized by folder or name. */
const CHECKING_SCRIPT =
  /(^|\/)(\.ci|ci|scripts?|tools?|hack|build)\/|(^|[/._-])(lint|check|test|tests|verify|ci)[._-]?[^/]*$/i
const FILE = /^[\w@.-]+(\/[\w@.-]+)*\.[A-Za-z]\w{0,4}$/
/** Script files may have no extension. */
const BARE = /^(\.\/)?[\w.-]+(\/[\w.-]+)+$/
const MOST = 50

/** The files named by these commands and by the `package.json` scripts they run. */
export function filesOfCommands(
  commands: readonly (Command | null)[],
  manifest: readonly string[] | null,
): readonly string[] {
  const texts = commands.flatMap((command) => (command === null ? [] : [commandText(command)]))
  const scripts = manifest === null ? null : packageParts(manifest)
  for (let at = 0; at < texts.length && at < MOST; at++) {
    for (const script of scriptsIn(texts[at] ?? '')) {
      for (const name of [script, `pre${script}`, `post${script}`]) {
        const text = scripts?.get(`scripts.${name}`)
        if (text !== undefined && !texts.includes(text)) texts.push(text)
      }
    }
  }
  const words = texts.slice(0, MOST).flatMap((text) => text.slice(0, 4_000).split(/[\s"'`;&|()=]+/))
  const files = words
    .filter((word) => FILE.test(word.replace(/^\.\//, '')) || BARE.test(word))
    .map(normalPath)
  return [...new Set(files)].filter((path) => CHECKING_SCRIPT.test(path))
}

function scriptsIn(text: string): readonly string[] {
  const found = text.matchAll(/\b(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/g)
  return [...found].map(([, name = '']) => (name === 't' ? 'test' : name))
}
