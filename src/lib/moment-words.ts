/** `10:04`, and with its day where that is another one; in the reader's own time. */
export function momentWords(at: Date, now = new Date()): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  if (at.toDateString() === now.toDateString()) return time
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`
}
