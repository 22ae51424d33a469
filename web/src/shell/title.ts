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
