/** What a browser without a session sees: what to run, and nothing else. */
import { KeyRound } from 'lucide-react'
import type { Arrival } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'

export type SignedOutReason = Exclude<Arrival, 'signed_in'> | 'ended'

const WORDS: Readonly<Record<SignedOutReason, { readonly title: string; readonly text: string }>> = {
  no_session: {
    title: 'This browser is not signed in',
    text: 'Links to this page work once. Run this in a terminal to get one:',
  },
  code_refused: {
    title: 'This link was used already or is too old',
    text: 'A link works once, within a minute. Run this for a new one:',
  },
  ended: {
    title: 'Your session has ended',
    text: 'Sessions last 12 hours. What you typed is kept. Run this to go on:',
  },
  unreachable: {
    title: 'Bosun does not answer',
    text: 'It may be restarting, or it was stopped. Run this to start it:',
  },
}

export function SignedOut({ reason }: { readonly reason: SignedOutReason }) {
  const { title, text } = WORDS[reason]
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 p-6 text-center">
      <KeyRound size={24} className="text-muted" aria-hidden="true" />
      <h1 className="text-lg font-semibold">{title}</h1>
      <p className="max-w-sm text-muted">{text}</p>
      <CopyText text="bosun open" className="border bg-sub px-3 py-1.5 text-text" />
      {reason === 'unreachable' && <Button onClick={() => location.reload()}>Retry</Button>}
    </main>
  )
}
