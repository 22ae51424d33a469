/**
 * Colours, or none. Not a library: the usual ones touch `process.stdout` when loaded, and creating that
 * stream takes longer than printing a whole plan.
 */
export interface Style {
  readonly isColorSupported: boolean
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

type Paint = (text: string) => string

/** The text unchanged where no colour is wanted. */
export function styleOf(wanted: 'coloured' | 'plain'): Style {
  const paint = (open: number, close: number): Paint => {
    if (wanted === 'plain') return (text) => text
    const [start, end] = [`\u001b[${open}m`, `\u001b[${close}m`]
    // A nested colour ends with the same code, so the outer one is started again.
    return (text) => `${start}${text.replaceAll(end, `${end}${start}`)}${end}`
  }
  return {
    isColorSupported: wanted === 'coloured',
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
