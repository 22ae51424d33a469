import type { Exported } from '../../app/upkeep/transfer.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { counted } from '../../lib/text/counted.ts'

export const exportCommand: CommandDefinition = {
  name: 'export',
  summary: 'write the event log to a file or stdout',
  arguments: [{ syntax: '[file]', help: 'the file to write (default: stdout)' }],
  examples: [
    {
      line: 'bosun export backup.jsonl',
      what: 'write the whole log; replaces the file once complete',
    },
    { line: 'bosun export | gzip > backup.gz', what: 'the same through a pipe' },
  ],
  async run(call) {
    const [file] = call.args
    if (file === undefined && call.json) {
      throw usageRefusal(
        '--json needs a file: without one the export itself goes to stdout',
        'Name a file: bosun export FILE --json',
      )
    }
    const [{ exportLog }, { writeOutput }] = await Promise.all([
      import('../../app/upkeep/transfer.ts'),
      import('../../lib/files/atomic-write.ts'),
    ])
    await using store = await call.services.openLogToRead()
    const run = (write: Write): Promise<Exported> => exportLog(store, write)
    return file === undefined
      ? resultOf(call, 'stdout', await toStdout(call, run))
      : resultOf(call, file, await writeOutput(file, run, { mode: 0o666 }))
  },
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

function resultOf(call: Call, file: string, exported: Exported | null): CommandResult {
  if (exported === null) {
    const document = { file, events: 0, sha256: '', stopped: 'the reader closed the pipe' }
    return { exit: 'ok', document, text: () => '' }
  }
  const { events, sha256 } = exported
  const stopped = exported.stopped?.message ?? null
  const document = { file, events, sha256, stopped }
  const summary = `${counted(events, 'event')} written to ${file}\n`
  if (stopped !== null)
    call.terminal.printMessage(`error: the log is readable only up to this point: ${stopped}\n  ${summary}`)
  const quiet = file === 'stdout' || stopped !== null
  return {
    exit: stopped === null ? 'ok' : 'failed',
    document,
    text: () => (quiet ? '' : summary),
  }
}
