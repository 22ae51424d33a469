/** How a person's decision came, as it is recorded and as it is said. */

interface CameFrom<Via extends string> {
  readonly via?: Via | undefined
  readonly process?: { readonly pid: number; readonly program: string } | undefined
}

/** The same without keys that have no value. */
export const originOf = <Via extends string>({
  via,
  process,
}: CameFrom<Via>): { via?: Via; process?: { pid: number; program: string } } => ({
  ...(via === undefined ? {} : { via }),
  ...(process === undefined ? {} : { process: { ...process } }),
})

const WORDS: Readonly<Record<string, string>> = {
  terminal: 'in a terminal',
  page: 'on the page',
  file: 'by a file',
  channel: 'over a channel',
  mcp: 'over MCP',
  program: 'by a program',
  unknown: 'by an unknown program',
}

/** `, in a terminal (bosun, process 4711)`; nothing where it is not known. */
export function originText({ via, process }: CameFrom<string>): string {
  if (via === undefined) return ''
  const by = process === undefined ? '' : ` (${process.program}, process ${process.pid})`
  return `, ${WORDS[via] ?? via}${by}`
}
