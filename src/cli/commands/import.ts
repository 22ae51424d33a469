import type { Imported } from '../../app/upkeep/transfer.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

export const importCommand: CommandDefinition = {
  name: 'import',
  summary: 'import a file written by `bosun export`',
  arguments: [{ syntax: '<file>', help: 'the file; events already in the log are skipped' }],
  examples: [
    { line: 'bosun import backup.jsonl', what: 'validate the whole file, then add missing events' },
    {
      line: 'BOSUN_HOME=/tmp/x bosun import backup.jsonl',
      what: 'into another state root; copy repos/ too to continue the plans there',
    },
  ],
  async run(call) {
    const [file = ''] = call.args
    const [{ importLog }, { fileLines }] = await Promise.all([
      import('../../app/upkeep/transfer.ts'),
      import('../../lib/files/file-lines.ts'),
    ])
    // Checked first: opening the store would create one.
    await process.getBuiltinModule('node:fs/promises').access(file)
    await using store = await call.services.openLogToWrite('import')
    const imported = await importLog(store, () => fileLines(file), store.codec)
    if (!imported.ok) throw refusalOf(imported, file)
    const { written, skipped, stopped } = imported
    const note = stopped === null ? '' : `The export was incomplete: ${stopped}\n`
    return {
      exit: 'ok',
      document: { file, written, skipped, stopped },
      text: () => `added ${written} events; ${skipped} already present\n${note}`,
    }
  },
}

function refusalOf(refused: Imported & { ok: false }, file: string): Refusal {
  const message = refused.problem
  const remedy =
    refused.why === 'conflict'
      ? 'Nothing was changed. Import it into another state root: BOSUN_HOME=DIR bosun import FILE'
      : 'Nothing was changed. Use a complete, unmodified file written by `bosun export`.'
  const faults = [{ file, line: refused.line, message, remedy }]
  return new Refusal({ code: refused.why === 'conflict' ? 'conflict' : 'failed', message, remedy, faults })
}
