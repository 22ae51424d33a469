/** Tells schema migrations from files that only lie or are named like one, such as the source of a migration framework. */
import { languageOf } from './languages.ts'
import { wordsOf } from './paths.ts'

/** Whether a file lies where migrations do, so that its rollback can be tried. */
function isMigrationPath(path: string): boolean {
  return /(^|\/)(migrations?|db\/migrate|alembic\/versions)\//i.test(path)
}

/** Words of a path that speak of migrations. */
export const MIGRATION_WORDS = ['migration', 'migrations', 'alembic', 'flyway', 'liquibase', 'knex']

export const soundsLikeMigration = (path: string): boolean =>
  isMigrationPath(path) || wordsOf(path).some((word) => MIGRATION_WORDS.includes(word))

/** Statements and calls that change a schema. */
export const DDL =
  /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|(?:UNIQUE\s+)?INDEX|SCHEMA|VIEW|TYPE)\b|\b(?:createTable|alterTable|dropTable|add_column|drop_column|create_table|drop_table)\s?\(/i

/** What migrations of the frameworks have in common: a class made from a migration, its two directions, or its revision. */
const SIGNS: readonly RegExp[] = [
  DDL,
  /\bclass\s+Migration\s*\(|\bclass\b[^\n{]*(?:\bextends\b|\bimplements\b|[(:<])[^\n{]*Migration/,
  /^\s*(?:use|include)\s+[\w.:\\]*Migration\b|\bSequel\.migration\b|\b(?:add|register)\w*Migration/im,
  /^(?:async\s+)?def\s+(?:upgrade|downgrade|forwards?|backwards?|migrate|rollback|apply)\b/m,
  /\bdef\s+(?:self\.)?(?:up|down|change)\b/,
  /(?:^|[\s.{,])(?:up|down)\s*(?:=(?!=)|:|\([^)\n]*\)(?:[^;\n]*\{|\s*$))/im,
  /^(?:down_)?revision\s*(?::[^=\n]*)?=/m,
]

/**
 * Whether a file that lies or is named like a migration is none: it is a program, and nothing in it looks like one. Null for
 * a text that is not known, which may be one.
 */
export function isNoMigration(path: string, text: string | null): boolean {
  if (text === null || !soundsLikeMigration(path)) return false
  const isProgram = !['json', 'config', 'shell', null].includes(languageOf(path)?.family ?? null)
  return isProgram && !SIGNS.some((sign) => sign.test(text))
}

/** The migrations among changed files; those named in `none` were read and are none. */
export const migrationsAmong = (paths: readonly string[], none: readonly string[] = []): readonly string[] =>
  paths.filter((path) => isMigrationPath(path) && !none.includes(path))
