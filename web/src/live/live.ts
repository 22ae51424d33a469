/** What the page knows of being live, and what events do to what it has fetched. */
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { EventMessage } from '../../../src/protocol/answers.ts'
import { currentSession, forgetSession, keepSession, onSession } from '../api/session.ts'
import { touchedBy } from '../api/touched.ts'
import { connectHub, type HubLink } from './connect.ts'
import type { FromHub, LiveStatus } from './messages.ts'
import { refresh } from './refresh.ts'

let status: LiveStatus = { state: 'connecting', since: Date.now() }
/** The time of the snapshot that is shown, where no newer one could be had; null where it is new. */
let snapshotFailure: number | null = null
const watchers = new Set<() => void>()
const eventListeners = new Set<(events: readonly EventMessage[]) => void>()
let link: HubLink | null = null
let onGivenSession: (session: string | null) => void = () => undefined

/** `offline` once the stream has been cut for more than a moment; `since` in milliseconds. */
export function useLive(): LiveStatus {
  return useSyncExternalStore(watch, () => status)
}

export const useSnapshotFailure = (): number | null => useSyncExternalStore(watch, () => snapshotFailure)

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Whether decisions can be sent. While connecting they can be tried. */
export const useCanAct = (): boolean => useLive().state !== 'offline'

export const retryNow = (): void => link?.say({ type: 'retry' })

/** Events as they happen, for pages that show them one by one. */
export function onEvents(listener: (events: readonly EventMessage[]) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

/** Joins the hub. The session of another tab, where this one has none, arrives within a moment or not at all. */
export function joinHub(client: QueryClient): (waitMs: number) => Promise<string | null> {
  const given = Promise.withResolvers<string | null>()
  onGivenSession = given.resolve
  link = connectHub((message) => receive(message, client))
  link.say({ type: 'hello', session: null })
  onSession((session, from) => {
    if (session !== null) link?.say({ type: 'session', session, from })
  })
  addEventListener('online', retryNow)
  addEventListener('pageshow', (event) => {
    // A tab that was put away and brought back had left the hub.
    if (event.persisted) link?.say({ type: 'hello', session: currentSession() })
  })
  return (waitMs) => {
    setTimeout(() => given.resolve(null), waitMs)
    return given.promise
  }
}

function receive(message: FromHub, client: QueryClient): void {
  switch (message.type) {
    case 'session':
      onGivenSession(message.session)
      if (message.session !== null && message.session !== currentSession())
        keepSession(message.session, 'kept')
      if (message.session === null && status.state === 'signed_out') endSession()
      return
    case 'status':
      setStatus(message.status)
      if (message.status.state === 'live') refresh(client, isNotSnapshot)
      return
    case 'snapshot':
      client.setQueryData(['snapshot'], message.snapshot)
      setSnapshotFailure(null)
      return
    case 'unrefreshed':
      setSnapshotFailure(message.at)
      return
    case 'events':
      for (const listener of eventListeners) listener(message.events)
      refresh(client, touchedBy(message.events))
      return
    case 'gap':
      refresh(client, isNotSnapshot)
      return
  }
}

function endSession(): void {
  const session = currentSession()
  if (session !== null) forgetSession(session)
}

/** The hub itself keeps the snapshot. */
const isNotSnapshot = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  queryKey[0] !== 'snapshot'

function setSnapshotFailure(at: number | null): void {
  snapshotFailure = at
  for (const watcher of watchers) watcher()
}

function setStatus(next: LiveStatus): void {
  status = next
  for (const watcher of watchers) watcher()
}
