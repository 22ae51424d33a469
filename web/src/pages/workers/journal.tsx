/** What happened to a worker, in order, and the messages to it. */
import type { WorkerAnswer } from '../../../../src/protocol/answers.ts'
import type { JournalAnswer } from '../../../../src/protocol/worker-views.ts'
import { useWorkerJournal } from '../../api/queries.ts'
import { Section } from '../../ui/list.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

type Kind = JournalAnswer['entries'][number]['kind']

const KIND: Readonly<Record<Kind, string>> = {
  state: 'state',
  checkin: 'check-in',
  warning: 'warned',
  intervention: 'Bosun',
  message: 'message',
  request: 'asks',
  report: 'reports',
  other: '',
}

export function Journal({
  worker,
  repo,
}: {
  readonly worker: WorkerAnswer
  readonly repo: string | undefined
}) {
  const journal = useWorkerJournal(worker.id, repo)
  return (
    <div className="flex flex-col gap-6">
      {worker.messages.length > 0 && <Messages worker={worker} />}
      <Section title="What happened">
        <Loaded of={journal} what="the journal" skeleton={<Skeleton rows={6} className="h-6" />}>
          {({ entries }) => <Entries entries={entries} />}
        </Loaded>
      </Section>
    </div>
  )
}

function Entries({ entries }: { readonly entries: JournalAnswer['entries'] }) {
  if (entries.length === 0) return <EmptyState title="Nothing has happened to it yet" />
  return (
    <ol className="divide-y rounded-md border">
      {entries.toReversed().map(({ at, kind, text }, place) => (
        <li key={place} className="flex gap-3 px-3 py-1.5">
          <span className="w-16 shrink-0 text-xs leading-5 text-muted">{KIND[kind]}</span>
          <span className="min-w-0 flex-1">
            <PlainText text={text} />
          </span>
          <span className="shrink-0 text-xs leading-5 text-muted">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function Messages({ worker }: { readonly worker: WorkerAnswer }) {
  return (
    <Section title="Messages sent" count={worker.messages.length}>
      <ol className="divide-y rounded-md border">
        {worker.messages.toReversed().map((message) => (
          <li key={message.id} className="flex flex-col gap-0.5 px-3 py-2">
            <p>
              <PlainText text={message.text} />
            </p>
            <p className="flex flex-wrap gap-x-2 text-xs text-muted">
              <span>
                {(message.type ?? message.kind).replaceAll('_', ' ')} by <PlainText text={message.by} />
              </span>
              <Time at={message.sent_at} />
              <Delivery message={message} />
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Whether it arrived, and when; else when it will. */
function Delivery({ message }: { readonly message: WorkerAnswer['messages'][number] }) {
  const { read_at, delivered_at, why } = message
  if (delivered_at === null) return <span>{why === null ? 'queued' : `not delivered: ${why}`}</span>
  return (
    <span>
      {read_at === null ? 'delivered' : 'read'} <Time at={read_at ?? delivered_at} />
    </span>
  )
}
