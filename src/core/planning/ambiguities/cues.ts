/**
 * Words without which a rule cannot match. Looking for them first spares most plans the compilation of its patterns, which
 * together take longer than reading a plan of 20 tasks (bench/cold-start).
 */
export function hasCue(text: string, cues: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return cues.some((cue) => lower.includes(cue))
}
