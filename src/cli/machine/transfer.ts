/** `bosun export` and `bosun import`: the event log as a file. */
import { exportLog, importLog, type Exported, type Imported } from '../../app/upkeep/transfer.ts'
import { usageRefusal, Refusal } from '../../lib/refusal.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { counted } from '../../lib/text/counted.ts'
import { access } from 'node:fs/promises'
import { writeOutput } from '../../lib/files/atomic-write.ts'
import { fileLines } from '../../lib/files/read-if-exists.ts'

export async function runExport(call: Call): Promise<CommandResult> {
  const [file] = call.args
  if (file === undefined && call.json) {
    throw usageRefusal(
      '--json needs a file: without one the export itself goes to stdout',
      'Name a file: bosun export FILE --json',
    )
  }
  await using store = await call.services.openLogToRead()
  const run = (write: Write): Promise<Exported> => exportLog(store, write)
  return file === undefined
    ? exportedResult(call, 'stdout', await toStdout(call, run))
    : exportedResult(call, file, await writeOutput(file, run, { mode: 0o666 }))
}

type Write = (text: string) => Promise<void>

/** Null when the reader closed the pipe early. */
async function toStdout(call: Call, run: (write: Write) => Promise<Exported>): Promise<Exported | null> {
  class ReaderGone extends Error {}
  try {
    return await run(async (text) => {
      if ((await call.terminal.print(text)) === 'unwanted') throw new ReaderGone()
    })
  } catch (error) {
    if (error instanceof ReaderGone) return null
    throw error
  }
}

function exportedResult(call: Call, file: string, exported: Exported | null): CommandResult {
  if (exported === null)
    return resultOf({ file, events: 0, sha256: '', stopped: 'the reader closed the pipe' })
  const { events, sha256 } = exported
  const stopped = exported.stopped?.message ?? null
  const summary = `${counted(events, 'event')} written to ${file}\n`
  if (stopped !== null)
    call.terminal.printMessage(`error: the log is readable only up to this point: ${stopped}\n  ${summary}`)
  const isQuiet = file === 'stdout' || stopped !== null
  const document = { file, events, sha256, stopped }
  return resultOf(document, isQuiet ? '' : summary, stopped === null ? 'ok' : 'failed')
}

export async function runImport(call: Call): Promise<CommandResult> {
  const [file = ''] = call.args
  // Checked first: opening the store would create one.
  await access(file)
  await using store = await call.services.openLogToWrite('import')
  const imported = await importLog(store, () => fileLines(file), store.codec)
  if (!imported.ok) throw refusalOf(imported, file)
  const { written, skipped, stopped } = imported
  const note = stopped === null ? '' : `The export was incomplete: ${stopped}\n`
  return resultOf(
    { file, written, skipped, stopped },
    `added ${written} events; ${skipped} already present\n${note}`,
  )
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
