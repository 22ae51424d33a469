/** Sources that look whether they are being tested. */
import type { LineWire } from '../wire.ts'

const WATCH = {
  wire: 'watches-for-tests',
  saw: 'looks whether it is being tested',
  roles: ['source'],
  look: 'text',
} as const

/** Words by which a test run gives itself away. */
const RUNNERS = String.raw`(vitest|jest|mocha|jasmine|pytest|unittest|rspec|minitest|junit|\.(test|spec)[.'"]|__tests__|node:internal\/test)`

export const WATCHING: readonly LineWire[] = [
  {
    ...WATCH,
    families: ['js'],
    pattern:
      /\b(JEST_WORKER_ID|VITEST(_\w+)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE|MOCHA_\w+|PLAYWRIGHT_TEST\w*|TEST_WORKER_INDEX)\b/,
    weight: ({ text }) => (/\benv\b|\bglobalThis\b|\bglobal\b|\btypeof\b/.test(text) ? 'blocks' : 'note'),
  },
  {
    ...WATCH,
    families: ['js'],
    pattern:
      /\btypeof\s+(globalThis\.)?(jest|vi|describe|expect|beforeEach|afterEach)\b|\b(globalThis|global|window)\??\.?\[?['"]?(jest|vitest|__vitest_worker__|__coverage__|describe|expect)\b/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['js'],
    pattern: new RegExp(
      String.raw`(\bprocess\.(argv|execArgv|title)|\.stack\b|\brequire\.main\b|\bmodule\.parent\b|\brequire\.cache\b|npm_lifecycle_event).*(${RUNNERS}|--test\b|['"]test['"])`,
    ),
    weight: 'blocks',
  },
  // Programs that do not listen while they are tested are common; a person looks.
  {
    ...WATCH,
    families: ['js'],
    pattern:
      /\bNODE_ENV\b.*['"]test(ing)?['"]|['"]test(ing)?['"].*\bNODE_ENV\b|\bimport\.meta\.env\.(MODE|TEST)\b.*test/i,
    weight: 'note',
  },
  {
    ...WATCH,
    saw: 'looks whether it runs in CI',
    families: ['js'],
    pattern: /\bprocess\.env\??(\.CI\b|\[\s*['"]CI['"]\s*\])|\benv\.CI\b/,
    weight: 'note',
  },
  {
    ...WATCH,
    families: ['python'],
    pattern: new RegExp(
      String.raw`\bPYTEST_\w+|['"](_?pytest|unittest|nose)['"]\s*(not\s+)?in\s+sys\.modules|\bsys\.modules(\.get\(|\[)\s*['"](_?pytest|unittest)|\b(sys\.argv|inspect\.(stack|currentframe)|sys\._getframe|traceback\.\w+).*${RUNNERS}`,
    ),
    weight: 'blocks',
  },
  {
    ...WATCH,
    saw: 'looks who calls it',
    families: ['python'],
    pattern: /\bsys\._getframe\s*\(|\binspect\.(stack|currentframe)\s*\(/,
    weight: 'note',
  },
  {
    ...WATCH,
    families: ['python'],
    pattern: /\b(environ|getenv)\b.*['"](CI|TESTING|TEST_MODE|ENV|APP_ENV)['"]/,
    weight: ({ text }) => (/['"](CI|TESTING|TEST_MODE)['"]|['"]test/.test(text) ? 'note' : null),
  },
  {
    ...WATCH,
    families: ['go'],
    pattern:
      /\btesting\.(Testing|Short|Verbose|CoverMode)\s*\(|\bflag\.Lookup\(\s*"test\.|\bos\.Args\b.*(\.test|-test\.)|HasSuffix\(.*"\.test"/,
    weight: 'blocks',
  },
  { ...WATCH, families: ['rust'], pattern: /\bcfg!\s*\(\s*(not\s*\(\s*)?test\b/, weight: 'blocks' },
  {
    ...WATCH,
    families: ['rust'],
    pattern: /\b(RUST_TEST_\w+|CARGO_TARGET_TMPDIR|NEXTEST\w*)\b/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['java'],
    pattern: new RegExp(
      String.raw`\b(getProperty|GetEnvironmentVariable|getenv)\(\s*"[^"]*(surefire|junit|gradle\.test|org\.gradle\.test)|Class\.forName\(\s*"org\.(junit|testng)|\bgetStackTrace\b.*(junit|Test)`,
    ),
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['ruby'],
    pattern:
      /\bdefined\?\s*\(?\s*(RSpec|Minitest|Test::Unit)\b|\$(PROGRAM_NAME|0)\b.*(rspec|test)|\bcaller\b.*(spec|test)/,
    weight: 'blocks',
  },
  {
    ...WATCH,
    families: ['ruby'],
    pattern: /\bENV\[\s*['"](RAILS_ENV|RACK_ENV|CI)['"]\s*\].*test|\bRails\.env\.test\?/,
    weight: 'note',
  },
  {
    ...WATCH,
    families: ['c'],
    pattern:
      /\b(__argv|program_invocation_name|getprogname)\b.*test|\bgetenv\(\s*"(GTEST_\w+|CTEST_\w+|BOOST_TEST_\w+|MAKELEVEL|MAKEFLAGS|MFLAGS)"/,
    weight: 'blocks',
  },
  { ...WATCH, families: ['shell'], pattern: /\$\{?(BATS_\w+)/, weight: 'blocks' },
]
