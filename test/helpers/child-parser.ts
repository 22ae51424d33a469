import { builtEnvironment } from '../../src/lib/process/built-environment.ts'
import { ChildParser } from '../../src/parsing/child-parser.ts'
import { programPath } from './program-path.ts'

/** The parser as the daemon has it, run from the sources. */
export const sourceParser = (): ChildParser =>
  new ChildParser({
    command: [process.execPath, programPath('src/parse.ts')],
    env: builtEnvironment(process.env),
  })
