/** What stands in the place of a page that loads, failed or does not exist. */
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Component, type ReactNode } from 'react'
import { useLive } from '../live/live.ts'
import { buttonClass } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { Page } from './page.tsx'

/** Without the daemon a page that was never opened is not there. */
export function PagePending() {
  const { state } = useLive()
  if (state === 'offline') return <EmptyState title="This page comes once Bosun answers again." />
  return (
    <div className="flex w-full max-w-[1120px] flex-col gap-5 px-4 py-5 lg:px-6">
      <Skeleton className="h-8 w-48" />
      <Skeleton rows={6} />
    </div>
  )
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title="Error">
      <ErrorState what="this page" error={error} onRetry={retry} />
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        title="There is no such page."
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go to Needs you
          </Link>
        }
      />
    </Page>
  )
}

/** Keeps a failure inside one section: the rest of the page stays. */
export class SectionBoundary extends Component<
  { readonly what: string; readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state: { readonly error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    return (
      <ErrorState
        what={this.props.what}
        error={this.state.error}
        onRetry={() => this.setState({ error: null })}
      />
    )
  }
}
