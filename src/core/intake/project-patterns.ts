/** How things are done in a repository, seen in the names and places of its files, each with a file that shows it. */
import { languageOf } from '../languages/languages.ts'
import { folderOf, kindOfPath, nameOf, segmentsOf, stemOf } from '../languages/paths.ts'
import { counted } from '../../lib/text/counted.ts'
import type { Pattern } from './project-context.ts'

const MOST_PATTERNS = 10
const LEAST_FILES = 3

export function patternsOf(
  files: readonly string[],
  read: (path: string) => string | null,
): readonly Pattern[] {
  const sources = files.filter((path) => kindOfPath(path) === 'source' && isCode(path))
  const tests = files.filter((path) => kindOfPath(path) === 'test' && isCode(path))
  return [
    ...frameworkPatterns(files, read),
    ...testPattern(tests, sources),
    ...namingPattern(sources),
    ...rolePatterns(sources),
  ].slice(0, MOST_PATTERNS)
}

const isCode = (path: string): boolean => {
  const language = languageOf(path)
  return language !== null && !['json', 'yaml', 'toml', 'markdown', 'sql'].includes(language.name)
}

/** The middle one: the first is often an index, the last an exception. */
const exampleOf = (paths: readonly string[]): string => {
  const sorted = paths.toSorted((a, b) => segmentsOf(a).length - segmentsOf(b).length || (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? ''
}

function testPattern(tests: readonly string[], sources: readonly string[]): readonly Pattern[] {
  if (tests.length < 2) return []
  const folders = new Set(sources.map(folderOf))
  const beside = tests.filter((path) => folders.has(folderOf(path)))
  const isBeside = beside.length > tests.length / 2
  const kept = isBeside ? beside : tests
  const ending = mostCommon(kept.map(testEnding))
  const example = exampleOf(kept.filter((path) => testEnding(path) === ending))
  const top = mostCommon(kept.map((path) => segmentsOf(path)[0] ?? ''))
  const where = isBeside ? 'beside the sources' : `in ${top}/`
  return [{ name: 'tests', text: `${counted(tests.length, 'test file')} ${where}, named ${ending}`, example }]
}

/** `slug.test.ts` → `*.test.ts`, `test_slug.py` → `test_*.py`, `SlugTest.java` → `*Test.java`. */
function testEnding(path: string): string {
  const name = nameOf(path)
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? ''
  if (name.startsWith('test_')) return `test_*${extension}`
  const dotted = /[._-](test|spec|tests)(\.[^.]+)$/.exec(name)?.[0]
  if (dotted !== undefined) return `*${dotted}`
  const camel = /(Tests?|Spec)(\.[^.]+)$/.exec(name)?.[0]
  return `*${camel ?? extension}`
}

const STYLES: readonly (readonly [string, RegExp])[] = [
  ['kebab-case', /^[a-z0-9]+(-[a-z0-9]+)+$/],
  ['snake_case', /^[a-z0-9]+(_[a-z0-9]+)+$/],
  ['PascalCase', /^([A-Z][a-z0-9]+){2,}$/],
  ['camelCase', /^[a-z0-9]+([A-Z][a-z0-9]+)+$/],
]

/** Names of one word show no style. */
function namingPattern(sources: readonly string[]): readonly Pattern[] {
  const styled = sources.flatMap((path) => {
    const style = STYLES.find(([, pattern]) => pattern.test(stemOf(path)))?.[0]
    return style === undefined ? [] : [{ path, style }]
  })
  const style = mostCommon(styled.map((one) => one.style))
  const own = styled.filter((one) => one.style === style)
  if (own.length < LEAST_FILES || own.length < styled.length * 0.6) return []
  return [
    {
      name: 'file names',
      text: `source files are named in ${style}`,
      example: exampleOf(own.map(({ path }) => path)),
    },
  ]
}

/** `user.service.ts`, `UserService.cs`, `user_service.rb`: a word that ends the names of several files is a kind of file. */
function rolePatterns(sources: readonly string[]): readonly Pattern[] {
  const byRole = Map.groupBy(
    sources.flatMap((path) => {
      const name = nameOf(path)
      const [whole, role] = /(?:[._-]|(?<=[a-z0-9])(?=[A-Z]))([A-Za-z]+)\.[^.]+$/.exec(name) ?? []
      return whole === undefined || role === undefined
        ? []
        : [{ path, role: role.toLowerCase(), ending: `*${whole}` }]
    }),
    ({ role }) => role,
  )
  return [...byRole]
    .filter(([, found]) => found.length >= LEAST_FILES)
    .toSorted(([a, filesA], [b, filesB]) => filesB.length - filesA.length || (a < b ? -1 : 1))
    .slice(0, 5)
    .map(([role, found]) => {
      const ending = mostCommon(found.map((one) => one.ending))
      const own = found.filter((one) => one.ending === ending).map(({ path }) => path)
      const folder = mostCommon(own.map(folderOf))
      return {
        name: role,
        text: `${own.length} files named ${ending}${folder === '' ? '' : `, most in ${folder}/`}`,
        example: exampleOf(own),
      }
    })
}

const MANIFESTS = ['package.json', 'pyproject.toml', 'requirements.txt', 'Cargo.toml']

/** By the names of their packages. */
const FRAMEWORKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'user interface': { React: 'react|preact', Vue: 'vue', Svelte: 'svelte', Angular: '@angular/core' },
  'web framework': {
    'Next.js': 'next',
    Express: 'express',
    Fastify: 'fastify',
    Hono: 'hono',
    NestJS: '@nestjs/core',
    Django: 'django',
    Flask: 'flask',
    FastAPI: 'fastapi',
    axum: 'axum',
    'actix-web': 'actix-web',
  },
  database: {
    Prisma: '(@prisma/client|prisma)',
    Drizzle: 'drizzle-orm',
    Kysely: 'kysely',
    SQLAlchemy: 'sqlalchemy',
    sqlx: 'sqlx',
  },
  'test runner': { vitest: 'vitest', jest: 'jest', mocha: 'mocha', ava: 'ava', pytest: 'pytest' },
  schemas: { zod: 'zod', pydantic: 'pydantic' },
  'command line': { commander: 'commander', click: 'click', clap: 'clap' },
}

/** A package that stands in quotes or begins a line of the first manifest that is there. */
function frameworkPatterns(
  files: readonly string[],
  read: (path: string) => string | null,
): readonly Pattern[] {
  const manifest = MANIFESTS.find((path) => files.includes(path))
  const text = manifest === undefined ? null : read(manifest)
  if (manifest === undefined || text === null) return []
  const isNamed = (names: string): boolean =>
    new RegExp(`(?:^\\s*|["'])(?:${names})(?:$|["'\\s=<>~!;[:])`, 'im').test(text)
  return Object.entries(FRAMEWORKS).flatMap(([name, packages]) => {
    const found = Object.keys(packages).filter((title) => isNamed(packages[title] ?? ''))
    return found.length === 0 ? [] : [{ name, text: found.join(', '), example: manifest }]
  })
}

function mostCommon(items: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].toSorted(([a, na], [b, nb]) => nb - na || (a < b ? -1 : 1))[0]?.[0] ?? ''
}
