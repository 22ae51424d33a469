/** Where the programs of the tests are: bundled at the start of a run (scripts/bundle-programs.ts), else their sources. */
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** The folder of the bundles. A variable, since programs of the tests start others. */
export const FOLDER_VARIABLE = 'BOSUN_TEST_PROGRAMS'

/** Programs that tests start again and again. Run as sources, each start would strip the types of hundreds of files. */
export const PROGRAMS = [
  'src/main.ts',
  'src/parse.ts',
  'test/agents/misbehaving-acp-agent.ts',
  'test/fixtures/agents/bosun-side.ts',
  'test/fixtures/agents/scripted.ts',
  'test/fixtures/agents/supervise.ts',
  'test/fixtures/checkins/door.ts',
  'test/fixtures/daemon/bosun.ts',
] as const

export type Program = (typeof PROGRAMS)[number]

export function programPath(source: Program): string {
  const folder = process.env[FOLDER_VARIABLE]
  return folder === undefined ? join(ROOT, source) : join(folder, bundledName(source))
}

/** `test-fixtures-daemon-bosun.cjs` */
export const bundledName = (source: Program): string => `${bundleName(source)}.cjs`

export const bundleName = (source: Program): string => source.replace(/\.ts$/, '').replaceAll('/', '-')
