import type { Exported } from '../../app/upkeep/transfer.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { counted } from '../../lib/text/counted.ts'

export const exportCommand: CommandDefinition = {
  name: 'export',
  summary: 'write the log to a file, or to stdout',
  arguments: [{ syntax: '[file]', help: 'where to write it; stdout when absent' }],
  examples: [
    {
      line: 'bosun export backup.jsonl',
      what: 'write the whole log; a file of that name is replaced when all is written',
    },
    { line: 'bosun export | gzip > backup.gz', what: 'the same into a pipe' },
  ],
  async run(call) {
    const [file] = call.args
    if (file === undefined && call.json) {
      throw new Refusal({
        code: 'usage',
        message: 'the export itself goes to stdout, so there is no room for another document',
        remedy: 'Name a file: bosun export FILE --json',
      })
    }
    const { exportLog } = await import('../../app/upkeep/transfer.ts')
    const store = await call.parts.openLogToRead()
    try {
      return file === undefined
        ? resultOf(call, 'stdout', await toStdout(call, (write) => exportLog(store, write)))
        : resultOf(call, file, await toFile(file, (write) => exportLog(store, write)))
    } finally {
      await store.close()
    }
  },
}

type Write = (text: string) => Promise<void>

async function toFile(file: string, run: (write: Write) => Promise<Exported>): Promise<Exported> {
  const { writeOutput } = await import('../../lib/atomic-write.ts')
  return writeOutput(file, run, { mode: 0o666 })
}

/** Null when the reader went away before the end. */
async function toStdout(call: Call, run: (write: Write) => Promise<Exported>): Promise<Exported | null> {
  class NobodyReads extends Error {}
  try {
    return await run(async (text) => {
      if ((await call.terminal.print(text)) === 'unwanted') throw new NobodyReads()
    })
  } catch (error) {
    if (error instanceof NobodyReads) return null
    throw error
  }
}

function resultOf(call: Call, file: string, exported: Exported | null): CommandResult {
  if (exported === null) return { exit: 'ok', document: {}, text: () => '' }
  const { events, sha256 } = exported
  const stopped = exported.ok ? null : exported.error.message
  const document = { file, events, sha256, stopped }
  const said = `${counted(events, 'event')} written to ${file}\n`
  if (stopped !== null) call.terminal.say(`error: the log can be read only so far: ${stopped}\n  ${said}`)
  const quiet = file === 'stdout' || stopped !== null
  return { exit: stopped === null ? 'ok' : 'failed', document, text: () => (quiet ? '' : said) }
}
