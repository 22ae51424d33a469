/** The import table as a page shows it: one line a part, the parts that know most first. */
import { CORE, PARTS } from './table.ts'

/** The text between the fences of ARCHITECTURE.md. */
export function importGraph(): string {
  const parts = Object.entries(PARTS).map(([name, { imports, types = [] }]) => {
    const to = name === 'composition' ? ['every part below'] : imports
    return { name, to: `${listed(to)}${types.length === 0 ? '' : ` (types: ${listed(types)})`}` }
  })
  const lines = parts.reduce(joined, []).map(({ name, to }) => `${name} → ${to}`)
  return [...lines, ...wrapped(`in core, each only on what follows: ${listed(inOrder(CORE))}`)].join('\n')
}

const WIDTH = 128

function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && longer.length <= WIDTH) lines[lines.length - 1] = longer
    else lines.push(lines.length === 0 ? word : `  ${word}`)
  }
  return lines
}

interface Row {
  readonly name: string
  readonly to: string
}

/** Neighbours that import the same share a line. */
function joined(rows: readonly Row[], row: Row): readonly Row[] {
  const last = rows.at(-1)
  if (last?.to !== row.to) return [...rows, row]
  return [...rows.slice(0, -1), { name: `${last.name}, ${row.name}`, to: row.to }]
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '(nothing)' : names.join(', '))

/** Those that import most come first, so that every arrow points down. Throws where that cannot be. */
export function inOrder(rows: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const left = new Set(Object.keys(rows))
  const order: string[] = []
  while (left.size > 0) {
    const next = [...left].find((name) => [...left].every((other) => rows[other]?.includes(name) !== true))
    if (next === undefined) throw new Error(`these import each other: ${[...left].join(', ')}`)
    left.delete(next)
    order.push(next)
  }
  return order
}
