import { join } from 'node:path'
import { builtEnvironment } from '../../src/lib/process/built-environment.ts'
import { ChildParser } from '../../src/parsing/child-parser.ts'

const PARSE = join(import.meta.dirname, '../../src/parse.ts')

/** The parser as the daemon has it, run from the sources. */
export const sourceParser = (): ChildParser =>
  new ChildParser({ command: [process.execPath, PARSE], env: builtEnvironment(process.env) })
