/** The frame of one page: its heading, what can be done, its content, and its part of the title. */
import { useEffect, type ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

/** Text begins where the header's does, however wide the window. */
const WIDTH = { default: 'max-w-[1120px]', wide: 'max-w-6xl', full: '' }

export function Page({
  title,
  heading,
  actions,
  width = 'default',
  children,
}: {
  /** In the browser's title. */
  readonly title: string
  /** In place of the title, where more is to be shown. */
  readonly heading?: ReactNode
  readonly actions?: ReactNode
  /** `wide` with a column at the side; `full` for boards, graphs and diffs. */
  readonly width?: 'default' | 'wide' | 'full'
  readonly children?: ReactNode
}) {
  useEffect(() => setPageTitle(title), [title])
  return (
    <div className={cx('flex w-full flex-col gap-5 px-4 py-5 lg:px-6', WIDTH[width])}>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{heading ?? title}</h1>
        {actions !== undefined && (
          <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full max-sm:empty:hidden">
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

/** The browser's title: how many items need a person, then the page. */
let page = ''
let count: number | null = null

export function setPageTitle(title: string): void {
  page = title
  show()
}

/** Null where it is not known. */
export function setNeedsYouCount(value: number | null): void {
  count = value
  show()
}

export const titleOf = (page: string, count: number | null): string =>
  `${count === null || count === 0 ? '' : `(${count}) `}${page === '' ? '' : `${page} · `}Bosun`

function show(): void {
  document.title = titleOf(page, count)
}
