import { timingSafeEqual } from 'node:crypto'

/** Whether two secrets are the same, in a time that tells nothing about where they differ. How long they are is known. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
