/** A patch that is read at once, or bit by bit where it is large: the page answers meanwhile. */
import { useEffect, useMemo, useState } from 'react'
import type { DiffAnswer } from '../../../../src/protocol/task-answer.ts'
import { isLargePatch, readLargePatch, readPatch, type ReadPatch } from './read-patch.ts'

/** `failed`: it is not in git's form. */
export type Reading = ReadPatch | 'reading' | 'failed'

export function useReadPatch(diff: DiffAnswer, id: string): Reading {
  const isLarge = isLargePatch(diff)
  const small = useMemo(() => (isLarge ? null : tryRead(diff, id)), [isLarge, diff, id])
  const [large, setLarge] = useState<{ readonly of: DiffAnswer; readonly reading: Reading } | null>(null)
  useEffect(() => {
    if (!isLarge) return
    const stop = new AbortController()
    const read = async (): Promise<void> => {
      const reading = await tryReadLarge(diff, id, stop.signal)
      if (!stop.signal.aborted) setLarge({ of: diff, reading })
    }
    void read()
    return () => stop.abort()
  }, [isLarge, diff, id])
  if (small !== null) return small
  return large?.of === diff ? large.reading : 'reading'
}

function tryRead(diff: DiffAnswer, id: string): Reading {
  try {
    return orFailed(readPatch(diff, id), diff)
  } catch {
    // It is shown as text instead.
    return 'failed'
  }
}

async function tryReadLarge(diff: DiffAnswer, id: string, signal: AbortSignal): Promise<Reading> {
  try {
    return orFailed(await readLargePatch(diff, id, () => nextTask(signal)), diff)
  } catch {
    // As above; where it was stopped, the caller drops this.
    return 'failed'
  }
}

const orFailed = (read: ReadPatch, { patch }: DiffAnswer): Reading =>
  read.items.length === 0 && patch.trim() !== '' ? 'failed' : read

/** Lets the browser draw and answer first. Unlike a timer it is not held back when it is asked for often. */
function nextTask(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      if (signal.aborted) reject(new Error('not wanted any more'))
      else resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
