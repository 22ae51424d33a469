import { closeSync, openSync } from 'node:fs'

/** An open file that is closed when its scope ends. */
export interface OpenedFile {
  readonly fd: number
  [Symbol.dispose](): void
}

/** Throws what opening throws. */
export function openedFile(path: string, flags: string | number, mode?: number): OpenedFile {
  const fd = openSync(path, flags, mode)
  return { fd, [Symbol.dispose]: () => closeSync(fd) }
}
