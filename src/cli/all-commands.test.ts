import { expect, test } from 'vitest'
import { DOCUMENTS } from '../../test/helpers/documents/documents.ts'
import { ALL_COMMANDS } from './all-commands.ts'
import { overviewCommand } from './commands/people.ts'

const NAMES = Object.keys(DOCUMENTS)
const commands = [...ALL_COMMANDS, overviewCommand]

/** The actions that the help of a command lists: `show, verify or sign`. */
const actionsOf = ({ arguments: args = {} }: (typeof commands)[number]): readonly string[] =>
  Object.entries(args)
    .filter(([syntax]) => /^[<[]action[>\]]$/.test(syntax))
    .flatMap(([, help]) => help.replace(/:.*$/, '').split(/, | or /))

test.each(commands.map((command) => [command.name, command] as const))(
  'what bosun %s prints with --json has a row in the table of documents, for every action',
  (name, command) => {
    const rows = NAMES.filter((row) => row.split(' ', 1)[0] === name)
    expect(rows).not.toEqual([])
    for (const action of actionsOf(command))
      expect(rows.join('\n')).toMatch(new RegExp(`^${name} ${action}\\b`, 'm'))
  },
)

test('every row of the table of documents belongs to a command', () => {
  const known = new Set([...commands.map(({ name }) => name), 'help', 'version', 'error'])
  expect(NAMES.filter((row) => !known.has(row.split(' ', 1)[0] ?? ''))).toEqual([])
})
