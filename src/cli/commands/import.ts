import type { Imported } from '../../app/upkeep/transfer.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'

export const importCommand: CommandDefinition = {
  name: 'import',
  summary: 'read a file that `bosun export` wrote',
  arguments: [{ syntax: '<file>', help: 'the file; what is in the store already is skipped' }],
  examples: [
    { line: 'bosun import backup.jsonl', what: 'check the whole file, then add what is missing' },
    {
      line: 'BOSUN_HOME=/tmp/x bosun import backup.jsonl',
      what: 'into a state root of its own; plans go on there once repos/ was copied too',
    },
  ],
  async run(call) {
    const [file = ''] = call.args
    const [{ importLog }, { fileLines }] = await Promise.all([
      import('../../app/upkeep/transfer.ts'),
      import('../../lib/files/file-lines.ts'),
    ])
    // Before the store is opened, which would create one.
    await process.getBuiltinModule('node:fs/promises').access(file)
    const store = await call.parts.openLogToWrite('import')
    try {
      const imported = await importLog(store, () => fileLines(file), store.codec)
      if (!imported.ok) throw refusalOf(imported, file)
      const { written, skipped, stopped } = imported
      return {
        exit: 'ok',
        document: { file, written, skipped, stopped },
        text: () => {
          const rest = stopped === null ? '' : `The export had ended early: ${stopped}\n`
          return `added: ${written} events; there already: ${skipped}\n${rest}`
        },
      }
    } finally {
      await store.close()
    }
  },
}

function refusalOf(refused: Imported & { ok: false }, file: string): Refusal {
  const message = refused.problem
  const remedy =
    refused.why === 'conflict'
      ? 'Nothing was changed. Import it into another state root: BOSUN_HOME=DIR bosun import FILE'
      : 'Nothing was changed. Use a complete, unchanged file that `bosun export` wrote.'
  const faults = [{ file, line: refused.line, message, remedy }]
  return new Refusal({ code: refused.why === 'conflict' ? 'conflict' : 'failed', message, remedy, faults })
}
