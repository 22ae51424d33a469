/** A worker's transcript: read to its end, then followed while the page is open. */
import { useEffect, useState } from 'react'
import { isMissing } from '../../api/client.ts'
import { readTranscript, type Repo } from '../../api/queries.ts'
import { KeptTranscripts, withFailure, withPage, type Transcript } from './kept-transcripts.ts'

const POLL_MS = 1000

const kept = new KeptTranscripts()

export function useTranscript(worker: string, repo: Repo): Transcript {
  const key = `${repo ?? ''}\n${worker}`
  const [shown, setShown] = useState({ key, transcript: kept.of(key) })
  useEffect(() => {
    const stopped = new AbortController()
    setShown({ key, transcript: kept.of(key) })
    void follow(worker, repo, stopped.signal, {
      next: () => kept.of(key).next,
      update: (change) => {
        if (!stopped.signal.aborted) setShown({ key, transcript: kept.change(key, change) })
      },
    })
    return () => stopped.abort()
  }, [key, worker, repo])
  return shown.key === key ? shown.transcript : kept.of(key)
}

interface Place {
  readonly next: () => string | undefined
  readonly update: (change: (before: Transcript) => Transcript) => void
}

async function follow(worker: string, repo: Repo, signal: AbortSignal, place: Place): Promise<void> {
  while (!signal.aborted) {
    try {
      const page = await readTranscript(worker, repo, place.next(), signal)
      place.update((before) => withPage(before, page))
      if (page.ended) return
      if (!page.has_more) await pause(POLL_MS, signal)
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof Error ? error : new Error(String(error))
      place.update((before) => withFailure(before, failure, isMissing(error)))
      await pause(POLL_MS * 3, signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
