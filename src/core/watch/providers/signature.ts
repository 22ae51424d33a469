/** Normalizes a failure reason: without what differs from one worker to the next. */
const LONGEST = 300

const DIFFERENT: readonly (readonly [RegExp, string])[] = [
  [/\bw-[a-z0-9-]+/g, '#'],
  [/(?:[a-z][a-z+.-]*:\/\/|~?\.{0,2}\/|[a-z]:\\)[^\s'",;)]+/gi, 'PATH'],
  [/\b[0-9a-f]{6,}(?:-[0-9a-f]{2,})*\b/gi, '#'],
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{4,}/gi, '#'],
  [/\d+(?:[.,:]\d+)*/g, '#'],
  [/\s+/g, ' '],
]

export function failureSignature(reason: string): string {
  let text = reason.slice(0, 2 * LONGEST)
  for (const [what, by] of DIFFERENT) text = text.replace(what, by)
  return text.trim().toLowerCase().slice(0, LONGEST)
}
