/** `bosun worker log ID`: what a worker wrote and did, once or while it continues. */
import { setTimeout as delay } from 'node:timers/promises'
import type { TranscriptAnswer, TranscriptLine } from '../../protocol/transcript-answer.ts'
import { repoHere } from '../caller.ts'
import { jsonLine, type Call, type CommandResult } from '../command.ts'
import { openReading } from '../reading.ts'
import type { Reading } from '../services.ts'
import { TranscriptWriter } from './transcript-view.ts'

const LOOK_MS = 500

export async function workerLog(call: Call, id: string): Promise<CommandResult> {
  return call.flag('follow') ? follow(call, id) : once(call, id)
}

async function once(call: Call, id: string): Promise<CommandResult> {
  await using from = await openReading(call)
  const repo = await repoHere(call)
  const entries: TranscriptLine[] = []
  let page = await pageAfter(from, { id, repo, after: undefined })
  entries.push(...page.entries)
  while (page.has_more) {
    page = await pageAfter(from, { id, repo, after: page.next })
    entries.push(...page.entries)
  }
  if (entries.length === 0 && !call.json) call.terminal.printMessage(`${id} has no output yet\n`)
  const { protocol, ended } = page
  return {
    exit: 'ok',
    document: { id, protocol, entries, ended },
    text: (style) => {
      const writer = new TranscriptWriter(style)
      return entries.map((entry) => writer.write(entry)).join('') + writer.end()
    },
  }
}

async function follow(call: Call, id: string): Promise<CommandResult> {
  const writer = new TranscriptWriter(call.terminal.style)
  try {
    return await printOn(call, id, writer)
  } finally {
    const end = writer.end()
    if (end !== '') await call.terminal.print(end)
  }
}

/** Until the worker has ended; the daemon may come and go meanwhile. */
async function printOn(call: Call, id: string, writer: TranscriptWriter): Promise<CommandResult> {
  const interrupted = call.services.interruption()
  const repo = await repoHere(call)
  let after: string | undefined
  let failures = 0
  for (;;) {
    if (interrupted.aborted) return DETACHED
    try {
      await using from = await openReading(call, after === undefined ? 'printed' : 'known')
      for (;;) {
        const page = await pageAfter(from, { id, repo, after })
        failures = 0
        after = page.next
        for (const entry of page.entries) {
          const line = call.json ? jsonLine('worker', { id, ...entry }) : writer.write(entry)
          if (line !== '' && (await call.terminal.print(line)) === 'unwanted') return DETACHED
        }
        if (page.ended) return ENDED
        if (!page.has_more) await delay(LOOK_MS, undefined, { signal: interrupted })
      }
    } catch (error) {
      if (interrupted.aborted) return DETACHED
      // The daemon may just be restarting; a worker that is unknown stays so.
      if (after === undefined || ++failures > MOST_FAILURES) throw error
      await delay(LOOK_MS)
    }
  }
}

const MOST_FAILURES = 20

const pageAfter = (
  from: Reading,
  {
    id,
    repo,
    after,
  }: { readonly id: string; readonly repo: string | undefined; readonly after: string | undefined },
): Promise<TranscriptAnswer> => from.get('/api/workers/{id}/log', { id, repo, after })

const ENDED: CommandResult = {
  exit: 'ok',
  document: { ended: true },
  text: () => '',
}
const DETACHED: CommandResult = {
  exit: 'interrupted',
  document: { ended: false },
  text: () => '',
}
